/** Decodes files of unknown encoding: by byte order mark, zero bytes and UTF-8 validity. */

/** Encoding names of TextDecoder. */
export type Encoding =
  | 'utf-8'
  | 'utf-16le'
  | 'utf-16be'
  | 'windows-1252'
  | 'windows-1250'
  | 'windows-1251'
  | 'macintosh'
  | 'shift_jis'
  | 'gb18030'
  | 'big5'
  | 'euc-kr';

export interface DecodedText {
  text: string;
  encoding: Encoding;
  /** Number of characters that could not be decoded. */
  unreadableCount: number;
}

const byteOrderMarks: readonly { bytes: readonly number[]; encoding: Encoding }[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
];

/** Decodes bytes and removes the byte order mark; the encoding is guessed if none is given. */
export function decodeText(bytes: Uint8Array, chosenEncoding?: Encoding): DecodedText {
  const encoding = chosenEncoding ?? guessEncoding(bytes);
  const decoded = new TextDecoder(encoding).decode(bytes);
  const text = encoding === 'windows-1252' ? decoded.replaceAll(c1Pattern, toWindows1252) : decoded;
  return { text, encoding, unreadableCount: countUnreadable(text) };
}

/**
 * Node 20 decodes Windows-1252 as ISO-8859-1, which has control characters instead of letters in this range (WHATWG
 * Encoding).
 */
const c1Pattern = /[\u0080-\u009F]/g;
const c1Letters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ';

function toWindows1252(letter: string): string {
  return c1Letters[letter.charCodeAt(0) - 0x80] ?? letter;
}

function guessEncoding(bytes: Uint8Array): Encoding {
  const byteOrderMark = byteOrderMarks.find(({ bytes: signatureBytes }) =>
    signatureBytes.every((byte, index) => bytes[index] === byte),
  );
  if (byteOrderMark) return byteOrderMark.encoding;
  return guessUtf16(bytes) ?? (isMostlyUtf8(bytes) ? 'utf-8' : 'windows-1252');
}

const maxSampleBytes = 64_000;

/**
 * Detects UTF-16 by zero bytes: line feeds, commas and digits have one each as their high byte, and other encodings
 * have none.
 */
function guessUtf16(bytes: Uint8Array): Encoding | undefined {
  const zeroCounts = [0, 0];
  const sample = bytes.subarray(0, maxSampleBytes);
  for (const [index, byte] of sample.entries())
    if (byte === 0) zeroCounts[index % 2] = (zeroCounts[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeroCounts;
  // A single zero byte can occur in any file.
  if (even === odd || 100 * Math.max(even, odd) < sample.length) return undefined;
  return even > odd ? 'utf-16be' : 'utf-16le';
}

/** Returns true for UTF-8, even with a few invalid characters, such as one cut off at the end. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    const text = new TextDecoder('utf-8').decode(bytes);
    const readableCount = text.match(/[^\p{ASCII}\uFFFD]/gu)?.length ?? 0;
    return readableCount > 10 * countUnreadable(text);
  }
}

function countUnreadable(text: string): number {
  return text.split('\uFFFD').length - 1;
}

/** Returns the kind of a binary file, `undefined` for text. */
export function describeBinary(bytes: Uint8Array): string | undefined {
  const startsWith = (...start: number[]) => start.every((byte, index) => bytes[index] === byte);
  if (startsWith(0x50, 0x4b, 0x03, 0x04) || startsWith(0xd0, 0xcf, 0x11, 0xe0))
    return 'a spreadsheet or an archive';
  if (startsWith(0x25, 0x50, 0x44, 0x46)) return 'a PDF';
  if (startsWith(0x1f, 0x8b)) return 'compressed';
  if (startsWith(0x50, 0x41, 0x52, 0x31)) return 'a Parquet file';
  return undefined;
}
