import { parseJson } from '../../lib/json.ts';

/** Maximum number of characters examined. */
const maxScannedChars = 64 * 1024;
const maxLines = 50;

/** First bytes of binary formats after decoding as UTF-8, where invalid bytes become U+FFFD. */
const signatures: readonly (readonly [begin: string, name: string])[] = [
  ['\u001F\uFFFD\b', 'compressed bytes (gzip)'],
  ['(\uFFFD/\uFFFD', 'compressed bytes (Zstandard)'],
  ['BZh91AY', 'compressed bytes (bzip2)'],
  ['\uFFFD7zXZ\0', 'compressed bytes (XZ)'],
  ['PK\u0003\u0004', 'a ZIP archive'],
  ['\uFFFDPNG\r\n', 'an image (PNG)'],
  ['\uFFFD\uFFFD\uFFFD', 'an image (JPEG)'],
  ['GIF87a', 'an image (GIF)'],
  ['GIF89a', 'an image (GIF)'],
  ['ID3', 'audio (MP3)'],
  ['OggS', 'audio (Ogg)'],
  ['fLaC', 'audio (FLAC)'],
  ['%PDF-', 'a PDF'],
  ['II*\0', 'an image (TIFF)'],
  ['MM\0*', 'an image (TIFF)'],
  ['\0asm', 'WebAssembly'],
  ['\u007FELF', 'an executable (ELF)'],
  ['SQLite format 3\0', 'a database (SQLite)'],
  ['PAR1', 'a table (Parquet)'],
  ['Obj\u0001', 'records (Avro)'],
  ['7z\uFFFD\uFFFD', 'a 7-Zip archive'],
  ['wOFF', 'a font (WOFF)'],
  ['wOF2', 'a font (WOFF2)'],
  ['\0\0\0', 'gRPC frames'],
  ['\u0001\0\0', 'gRPC frames'],
];

function detectSignature(head: string): string | undefined {
  if (head.startsWith('RIFF') && head.slice(0, 20).includes('WEBP')) return 'an image (WebP)';
  if (head.startsWith('RIFF') && head.slice(0, 20).includes('WAVE')) return 'audio (WAV)';
  if (head.startsWith('BM') && isBinary(head)) return 'an image (BMP)';
  if (/^.{4}ftyp/s.test(head))
    return /^.{8}(?:avif|heic|mif1)/s.test(head) ? 'an image (HEIF)' : 'a video (MP4)';
  return signatures.find(([begin]) => head.startsWith(begin))?.[1];
}

/** Returns true for binary data: control characters, or bytes that are not UTF-8, near the beginning. */
export function isBinary(body: string): boolean {
  return /[\p{Cc}\uFFFD]/u.test(body.slice(0, 1024).replaceAll(/\s/g, ''));
}

/** Names the format of a body that is not an answer, from its content or, failing that, its content type. */
export function detectBodyFormat(body: string, contentType = ''): string {
  const head = body.slice(0, maxScannedChars);
  const signature = detectSignature(head);
  if (signature !== undefined) return signature;
  const [type = ''] = contentType.toLowerCase().split(';');
  if (/protobuf|\bgrpc/.test(type)) return 'Protocol Buffers';
  if (/\bmsgpack\b/.test(type)) return 'MessagePack';
  if (/\bcbor\b/.test(type)) return 'CBOR';
  // Each record begins with a control character (RFC 7464).
  if (head.startsWith('\u001E')) return 'a JSON text sequence';
  if (isBinary(head))
    return type.trim() === '' || isTextType(type)
      ? 'binary data'
      : `binary data of type ${type.trim().slice(0, 80)}`;
  const start = head.trimStart();
  if (start.startsWith('<')) return detectMarkup(start);
  const jsonFormat = detectJson(body, start);
  if (jsonFormat !== undefined) return jsonFormat;
  if (/\b(?:csv|tab-separated-values)\b/.test(type)) return 'CSV';
  if (/\bmultipart\//.test(type)) return 'a multipart body';
  if (/\bx-www-form-urlencoded\b/.test(type)) return 'form data';
  if (/\b(?:java|ecma)script\b/.test(type)) return 'a script';
  return isYaml(start) ? 'YAML' : 'plain text';
}

function isTextType(type: string): boolean {
  return /^\s*(?:text\/|application\/json)/.test(type);
}

function detectMarkup(start: string): string {
  if (/^(?:<\?xml[^>]{0,200}\?>\s{0,20})?<svg\b/i.test(start)) return 'an image (SVG)';
  if (/^<\?(?:php\b|=)/i.test(start)) return 'a script (PHP)';
  return /^(?:<\?xml[^>]{0,200}\?>\s{0,20})?(?:<!--[^]{0,500}?-->\s{0,20})?<(?:!doctype html|html|head|body|title|h\d|p|div|center|pre|script|style|table|meta)\b/i.test(
    start,
  )
    ? 'a web page'
    : 'XML';
}

function detectJson(body: string, start: string): string | undefined {
  if (!/^[[{"]/.test(start)) return undefined;
  if (parseJson(body).ok) return 'JSON in another format';
  const lines = start.split('\n', maxLines).filter((line) => line.trim() !== '');
  // The last examined line may be cut off.
  const isJsonLines = lines.length > 1 && lines.slice(0, -1).every((line) => parseJson(line).ok);
  if (isJsonLines) return 'JSON Lines (NDJSON)';
  return /^[[{]\s*(?:["{[\d]|$)/.test(start) ? 'incomplete JSON' : undefined;
}

function isYaml(start: string): boolean {
  const lines = start.split('\n', maxLines).filter((line) => line.trim() !== '');
  return lines.length > 1 && lines.every((line) => /^(?:---|#|\s*- |\s*[\w.-]+:(?:\s|$))/.test(line));
}
