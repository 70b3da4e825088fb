import { lengthOfBeginningAtEnd, REPLACEMENT } from './redactor.ts';
import type { Redactor } from './redactor.ts';

/**
 * Takes out one secret of which any characters are written as escapes: `\u002d`, `\/`, `%2F`, also inside of JSON in
 * JSON (`\\u002d`). Undefined where too little of a secret would be left to look for. What is kept back is never longer
 * than the secret with all its characters escaped.
 */
export function escapedRedactor(secret: string, shortest: number): Redactor | undefined {
  const needle = Buffer.from(plainForm(secret), 'latin1');
  if (needle.length < shortest) return undefined;
  const replacement = Buffer.from(REPLACEMENT, 'latin1');
  // Then exactRedactor has found what bytes without an escape hold.
  const isPlain = needle.toString('latin1') === secret;
  const search = createSearch(needle, isPlain);
  let kept: Buffer = EMPTY;
  return {
    push(bytes) {
      const rest = kept.length === 0 ? bytes : Buffer.concat([kept, bytes]);
      const hasEscapes = !isPlain || rest.includes(BACKSLASH) || rest.includes(PERCENT);
      const { matches, keepFrom } = hasEscapes
        ? search(rest)
        : { matches: [], keepFrom: rest.length - lengthOfBeginningAtEnd(rest, needle) };
      kept = keepFrom === rest.length ? EMPTY : Buffer.from(rest.subarray(keepFrom));
      if (matches.length === 0) return rest.subarray(0, keepFrom);
      const clean: Buffer[] = [];
      let from = 0;
      for (const { start, end } of matches) {
        clean.push(rest.subarray(from, start), replacement);
        from = end;
      }
      return Buffer.concat([...clean, rest.subarray(from, keepFrom)]);
    },
    flush() {
      const rest = kept;
      kept = EMPTY;
      return rest;
    },
  };
}

const EMPTY = Buffer.alloc(0);
const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const LETTER_U = 0x75;
/** JSON inside of JSON doubles them each time. More of them in a row are no escape of anything. */
const MAX_BACKSLASHES = 15;

interface Found {
  matches: { start: number; end: number }[];
  /** Where the bytes begin that may be the beginning of the secret. */
  keepFrom: number;
}

/**
 * The search of Knuth, Morris and Pratt, over characters instead of bytes: it never goes back. `isSearched`: what holds
 * no escape was searched already, so that only what is near to one is looked at.
 */
function createSearch(needle: Buffer, isSearched: boolean): (bytes: Buffer) => Found {
  const shorter = shorterBeginnings(needle);
  const first = needle[0];
  /** Where the newest characters begin, as many as the secret has. */
  const starts = new Uint32Array(needle.length);
  return (bytes) => {
    const matches: Found['matches'] = [];
    const startOf = (index: number) => starts[index % needle.length] ?? 0;
    let count = 0;
    let matched = 0;
    let escape = -1;
    for (let at = 0; at < bytes.length;) {
      if (matched === 0) {
        if (isSearched && at > escape) {
          escape = nextEscape(bytes, at);
          at = Math.max(at, escape - needle.length + 1);
        }
        const byte = bytes[at];
        if (byte !== first && byte !== BACKSLASH && byte !== PERCENT) {
          at += 1;
          continue;
        }
      }
      const form = formAt(bytes, at);
      if (form === CUT) return { matches, keepFrom: matched === 0 ? at : startOf(count - matched) };
      starts[count % needle.length] = at;
      count += 1;
      at += form >>> 16;
      const code = form & 0xffff;
      while (matched > 0 && needle[matched] !== code) matched = shorter[matched - 1] ?? 0;
      if (needle[matched] === code) matched += 1;
      if (matched < needle.length) continue;
      matches.push({ start: startOf(count - needle.length), end: at });
      matched = 0;
    }
    return { matches, keepFrom: matched === 0 ? bytes.length : startOf(count - matched) };
  };
}

/** Where the next escape begins, or the end. */
function nextEscape(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== BACKSLASH && bytes[at] !== PERCENT) at += 1;
  return at;
}

/** For each beginning of `needle`, the length of the longest shorter one that it ends with. */
function shorterBeginnings(needle: Buffer): Uint32Array {
  const lengths = new Uint32Array(needle.length);
  let length = 0;
  for (let at = 1; at < needle.length; at += 1) {
    while (length > 0 && needle[length] !== needle[at]) length = lengths[length - 1] ?? 0;
    if (needle[length] === needle[at]) length += 1;
    lengths[at] = length;
  }
  return lengths;
}

const LENGTH_UNIT = 0x10000;
/** The bytes end inside of an escape. */
const CUT = 0;

/** One character with the length of its form, as one number: length * LENGTH_UNIT + code. */
function formAt(bytes: Buffer, at: number): number {
  let end = at;
  while (bytes[end] === BACKSLASH && end - at < MAX_BACKSLASHES) end += 1;
  const byte = bytes[end];
  if (byte === undefined) return CUT;
  const before = end - at + 1;
  const otherwise = before * LENGTH_UNIT + byte;
  if (byte === PERCENT) return hexForm(bytes, end + 1, { digits: 2, before, otherwise });
  if (byte !== LETTER_U || before === 1) return otherwise;
  return hexForm(bytes, end + 1, { digits: 4, before, otherwise });
}

function hexForm(
  bytes: Buffer,
  at: number,
  { digits, before, otherwise }: { digits: number; before: number; otherwise: number },
): number {
  let code = 0;
  for (let index = at; index < at + digits; index += 1) {
    const byte = bytes[index];
    if (byte === undefined) return CUT;
    const digit = hexDigit(byte);
    if (digit === -1) return otherwise;
    code = code * 16 + digit;
  }
  return (before + digits) * LENGTH_UNIT + code;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** The characters that a text comes to once its escapes are read, so that secret and answer are read alike. */
function plainForm(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  let plain = '';
  for (let at = 0; at < bytes.length;) {
    const form = formAt(bytes, at);
    if (form === CUT) break;
    plain += String.fromCharCode(form & 0xffff);
    at += form >>> 16;
  }
  return plain;
}
