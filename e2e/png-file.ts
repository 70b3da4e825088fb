import { crc32, deflateSync } from 'node:zlib';

export interface PictureFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

interface PictureOptions {
  width?: number;
  height?: number;
  /** Red, green and blue of the pixel at x, y. */
  pixel?: (x: number, y: number) => readonly [number, number, number];
  /** From 0, as large as its pixels, to 9. */
  level?: number;
}

/** A PNG file that browsers read; red unless told otherwise. */
export function aPicture(
  name: string,
  { width = 40, height = 30, pixel = () => [200, 30, 30], level = 6 }: PictureOptions = {},
): PictureFile {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) rows.set(pixel(x, y), y * (width * 3 + 1) + 1 + x * 3);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const buffer = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return { name, mimeType: 'image/png', buffer };
}

function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(body.length, 0);
  named.copy(whole, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}
