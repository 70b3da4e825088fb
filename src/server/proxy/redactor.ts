import { createSearchPattern } from '../../lib/text/search-pattern.ts';

/** Removes secrets from bytes that come in pieces; keeps back only what may be the beginning of one. */
export interface Redactor {
  push: (bytes: Buffer) => Buffer;
  /** What was kept back, at the end. */
  flush: () => Buffer;
}

export const REPLACEMENT = '[redacted]';
export const KEY_PATTERN = /fk-[A-Za-z0-9_-]{8,}/g;
const KEY_PATTERN_TAIL = /f$|fk$|fk-[A-Za-z0-9_-]{0,512}$/;
/** The longest that can match: looked for further up, each `fk-` of a chunk would be tried. */
const LONGEST_TAIL = 3 + 512;
const EMPTY = Buffer.alloc(0);

/**
 * Takes out every one of the spellings, in capitals and small letters; where two begin at one place, the longer. Bytes and
 * spellings are compared as Latin-1, which maps bytes to characters one to one. The result is the same however the bytes
 * are cut into pieces.
 */
export function spellingRedactor(spellings: readonly string[]): Redactor {
  const search = createSearchPattern(spellings);
  /** By the code of their first character. */
  const beginning: string[][] = [];
  for (const spelling of new Set(spellings.map((text) => text.toLowerCase())))
    (beginning[spelling.charCodeAt(0)] ??= []).push(spelling);
  const longest = Math.max(...spellings.map((spelling) => spelling.length));

  /** The first place from `from` on at which a spelling begins that the end of the text cuts off. */
  const cutOffFrom = (text: string, from: number): number => {
    const tailFrom = Math.max(from, text.length - longest + 1);
    const tail = text.slice(tailFrom).toLowerCase();
    for (let at = 0; at < tail.length; at += 1) {
      const candidates = beginning[tail.charCodeAt(at)];
      const left = tail.length - at;
      if (candidates?.some((one) => one.length > left && one.startsWith(tail.slice(at))) === true)
        return tailFrom + at;
    }
    return text.length;
  };

  let kept: Buffer = EMPTY;
  return {
    push(bytes) {
      const rest = kept.length === 0 ? bytes : Buffer.concat([kept, bytes]);
      const text = rest.toString('latin1');
      const clean: Buffer[] = [];
      let from = 0;
      let keepFrom = cutOffFrom(text, 0);
      search.lastIndex = 0;
      for (let found = search.exec(text); found !== null; found = search.exec(text)) {
        if (found.index >= keepFrom) break;
        clean.push(rest.subarray(from, found.index), REPLACEMENT_BYTES);
        from = search.lastIndex;
        if (from > keepFrom) keepFrom = cutOffFrom(text, from);
      }
      // A copy, so that a few bytes do not keep their whole chunk in memory.
      kept = keepFrom === rest.length ? EMPTY : Buffer.from(rest.subarray(keepFrom));
      const last = rest.subarray(from, keepFrom);
      return clean.length === 0 ? last : Buffer.concat([...clean, last]);
    },
    flush() {
      const rest = Buffer.from(kept.toString('latin1').replace(search, REPLACEMENT), 'latin1');
      kept = EMPTY;
      return rest;
    },
  };
}

const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT, 'latin1');

/** Takes out whatever looks like a key of the gateway. */
export function patternRedactor(): Redactor {
  // latin1 maps bytes to characters one to one, so that UTF-8 around a key stays as it is.
  let kept = '';
  return {
    push(bytes) {
      const text = kept + bytes.toString('latin1');
      const from = Math.max(0, text.length - LONGEST_TAIL);
      const found = KEY_PATTERN_TAIL.exec(text.slice(from))?.index;
      const tail = found === undefined ? text.length : from + found;
      kept = text.slice(tail);
      return Buffer.from(text.slice(0, tail).replace(KEY_PATTERN, REPLACEMENT), 'latin1');
    },
    flush() {
      const rest = kept.replace(KEY_PATTERN, REPLACEMENT);
      kept = '';
      return Buffer.from(rest, 'latin1');
    },
  };
}

export function chained(redactors: readonly Redactor[]): Redactor {
  return {
    push: (bytes) => redactors.reduce((rest, redactor) => redactor.push(rest), bytes),
    flush: () =>
      redactors.reduce((rest, redactor) => Buffer.concat([redactor.push(rest), redactor.flush()]), EMPTY),
  };
}
