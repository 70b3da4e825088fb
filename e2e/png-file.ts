import { crc32, deflateSync } from 'node:zlib';

export interface PngFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

interface PngOptions {
  width?: number;
  height?: number;
  /** Returns red, green and blue (0 to 255) of the pixel at x, y. */
  getPixel?: (x: number, y: number) => readonly [number, number, number];
  /** zlib level from 0 (uncompressed) to 9. */
  compressionLevel?: number;
}

/** Creates a PNG file that browsers can decode, red by default. */
export function createPng(
  name: string,
  { width = 40, height = 30, getPixel = () => [200, 30, 30], compressionLevel = 6 }: PngOptions = {},
): PngFile {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) rows.set(getPixel(x, y), y * (width * 3 + 1) + 1 + x * 3);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const buffer = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    createChunk('IHDR', header),
    createChunk('IDAT', deflateSync(rows, { level: compressionLevel })),
    createChunk('IEND', Buffer.alloc(0)),
  ]);
  return { name, mimeType: 'image/png', buffer };
}

function createChunk(type: string, body: Buffer): Buffer {
  const typeAndBody = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const bytes = Buffer.alloc(typeAndBody.length + 8);
  bytes.writeUInt32BE(body.length, 0);
  typeAndBody.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(typeAndBody), typeAndBody.length + 4);
  return bytes;
}
