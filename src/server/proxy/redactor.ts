import { createSearchPattern } from '../../lib/text/search-pattern.ts';

/** Removes secrets from bytes that arrive in pieces, holding back only the possible beginning of a secret. */
export interface Redactor {
  push: (bytes: Buffer) => Buffer;
  /** Returns the held-back bytes at the end. */
  flush: () => Buffer;
}

export const REPLACEMENT = '[redacted]';
export const KEY_PATTERN = /fk-[A-Za-z0-9_-]{8,}/g;
const KEY_PATTERN_TAIL = /f$|fk$|fk-[A-Za-z0-9_-]{0,512}$/;
/** Maximum length of a match; without it, the search would try every `fk-` in a chunk. */
const MAX_TAIL_CHARS = 3 + 512;
const EMPTY = Buffer.alloc(0);

/**
 * Removes all encodings, ignoring case; if two begin at the same position, the longer one. Bytes and encodings are
 * compared as Latin-1, which maps bytes to characters one to one. The result does not depend on how the bytes are split
 * into pieces.
 */
export function createEncodingRedactor(encodings: readonly string[]): Redactor {
  const search = createSearchPattern(encodings);
  /** Encodings by the code of their first character. */
  const encodingsByFirstChar: string[][] = [];
  for (const encoding of new Set(encodings.map((text) => text.toLowerCase())))
    (encodingsByFirstChar[encoding.charCodeAt(0)] ??= []).push(encoding);
  const maxEncodingChars = Math.max(...encodings.map((encoding) => encoding.length));

  /** Returns the first position, from `start`, of an encoding that is cut off by the end of the text. */
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
      // Copied, so that a few bytes do not keep their whole chunk in memory.
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

/** Removes anything that looks like a gateway key. */
export function createPatternRedactor(): Redactor {
  // Latin-1 maps bytes to characters one to one, so UTF-8 around a key stays unchanged.
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
