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

/** Takes out one secret as it is written. */
export function exactRedactor(secret: string): Redactor {
  const needle = Buffer.from(secret, 'latin1');
  const replacement = Buffer.from(REPLACEMENT, 'latin1');
  let kept: Buffer = EMPTY;
  return {
    push(bytes) {
      let rest = kept.length === 0 ? bytes : Buffer.concat([kept, bytes]);
      const clean: Buffer[] = [];
      for (let at = rest.indexOf(needle); at !== -1; at = rest.indexOf(needle)) {
        clean.push(rest.subarray(0, at), replacement);
        rest = rest.subarray(at + needle.length);
      }
      const keep = lengthOfBeginningAtEnd(rest, needle);
      kept = keep === 0 ? EMPTY : Buffer.from(rest.subarray(rest.length - keep));
      const ready = rest.subarray(0, rest.length - keep);
      return clean.length === 0 ? ready : Buffer.concat([...clean, ready]);
    },
    flush() {
      const rest = kept;
      kept = EMPTY;
      return rest;
    },
  };
}

/** How many bytes at the end of `bytes` are the beginning of `needle`, without being all of it. */
export function lengthOfBeginningAtEnd(bytes: Buffer, needle: Buffer): number {
  const from = Math.max(0, bytes.length - needle.length + 1);
  const first = needle[0] ?? 0;
  for (let at = bytes.indexOf(first, from); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (needle.subarray(0, bytes.length - at).equals(bytes.subarray(at))) return bytes.length - at;
  }
  return 0;
}

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
