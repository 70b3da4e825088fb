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
const MAX_TAIL_CHARS = 3 + 512;
const EMPTY = Buffer.alloc(0);

/**
 * Takes out every one of the encodings, in capitals and small letters; where two begin at one place, the longer. Bytes and
 * encodings are compared as Latin-1, which maps bytes to characters one to one. The result is the same however the bytes
 * are cut into pieces.
 */
export function createEncodingRedactor(encodings: readonly string[]): Redactor {
  const search = createSearchPattern(encodings);
  /** By the code of their first character. */
  const encodingsByFirstChar: string[][] = [];
  for (const encoding of new Set(encodings.map((text) => text.toLowerCase())))
    (encodingsByFirstChar[encoding.charCodeAt(0)] ??= []).push(encoding);
  const maxEncodingChars = Math.max(...encodings.map((encoding) => encoding.length));

  /** The first place from `start` on at which an encoding begins that the end of the text cuts off. */
  const findPartialEncodingStart = (text: string, start: number): number => {
    const tailStart = Math.max(start, text.length - maxEncodingChars + 1);
    const tail = text.slice(tailStart).toLowerCase();
    for (let index = 0; index < tail.length; index += 1) {
      const candidates = encodingsByFirstChar[tail.charCodeAt(index)];
      const remainingChars = tail.length - index;
      if (
        candidates?.some(
          (candidate) => candidate.length > remainingChars && candidate.startsWith(tail.slice(index)),
        ) === true
      )
        return tailStart + index;
    }
    return text.length;
  };

  let pendingBytes: Buffer = EMPTY;
  return {
    push(bytes) {
      const input = pendingBytes.length === 0 ? bytes : Buffer.concat([pendingBytes, bytes]);
      const text = input.toString('latin1');
      const clean: Buffer[] = [];
      let copyStart = 0;
      let pendingStart = findPartialEncodingStart(text, 0);
      search.lastIndex = 0;
      for (let match = search.exec(text); match !== null; match = search.exec(text)) {
        if (match.index >= pendingStart) break;
        clean.push(input.subarray(copyStart, match.index), REPLACEMENT_BYTES);
        copyStart = search.lastIndex;
        if (copyStart > pendingStart) pendingStart = findPartialEncodingStart(text, copyStart);
      }
      // A copy, so that a few bytes do not keep their whole chunk in memory.
      pendingBytes = pendingStart === input.length ? EMPTY : Buffer.from(input.subarray(pendingStart));
      const last = input.subarray(copyStart, pendingStart);
      return clean.length === 0 ? last : Buffer.concat([...clean, last]);
    },
    flush() {
      const output = Buffer.from(pendingBytes.toString('latin1').replace(search, REPLACEMENT), 'latin1');
      pendingBytes = EMPTY;
      return output;
    },
  };
}

const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT, 'latin1');

/** Takes out whatever looks like a key of the gateway. */
export function createPatternRedactor(): Redactor {
  // latin1 maps bytes to characters one to one, so that UTF-8 around a key stays as it is.
  let pendingText = '';
  return {
    push(bytes) {
      const text = pendingText + bytes.toString('latin1');
      const tailStart = Math.max(0, text.length - MAX_TAIL_CHARS);
      const matchIndex = KEY_PATTERN_TAIL.exec(text.slice(tailStart))?.index;
      const pendingStart = matchIndex === undefined ? text.length : tailStart + matchIndex;
      pendingText = text.slice(pendingStart);
      return Buffer.from(text.slice(0, pendingStart).replace(KEY_PATTERN, REPLACEMENT), 'latin1');
    },
    flush() {
      const output = pendingText.replace(KEY_PATTERN, REPLACEMENT);
      pendingText = '';
      return Buffer.from(output, 'latin1');
    },
  };
}

export function chainRedactors(redactors: readonly Redactor[]): Redactor {
  return {
    push: (bytes) => redactors.reduce((redacted, redactor) => redactor.push(redacted), bytes),
    flush: () =>
      redactors.reduce(
        (redacted, redactor) => Buffer.concat([redactor.push(redacted), redactor.flush()]),
        EMPTY,
      ),
  };
}
