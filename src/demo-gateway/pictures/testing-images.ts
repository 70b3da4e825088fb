/** Image files made for the tests of demo/vision. */
import { deflateSync } from 'node:zlib';

export function dataUrl(type: string, bytes: Uint8Array): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
}

interface PngOptions {
  width: number;
  height: number;
  colourType: 0 | 2 | 3 | 4 | 6;
  depth?: 1 | 2 | 4 | 8 | 16;
  interlaced?: boolean;
  /** Samples of the pixel at x, y, one a channel. */
  pixel: (x: number, y: number) => number[];
  chunks?: [string, number[]][];
  /** Filter of each row. */
  filter?: (row: number) => number;
  level?: number;
}

/** A PNG file: every filter, depth, colour type and both ways of interlacing. */
export function aPng({
  width,
  height,
  colourType,
  depth = 8,
  interlaced = false,
  pixel,
  chunks = [],
  filter = () => 0,
  level,
}: PngOptions): Uint8Array {
  const passes = interlaced ? adam7 : [[0, 0, 1, 1] as const];
  const rows = passes.flatMap(([startX, startY, stepX, stepY]) => {
    const lines: Buffer[] = [];
    let previous: number[] = [];
    for (let y = startY; y < height; y += stepY) {
      const samples: number[] = [];
      for (let x = startX; x < width; x += stepX) samples.push(...pixel(x, y));
      if (samples.length === 0) continue;
      const line = packed(samples, depth);
      const channels = samples.length / Math.ceil((width - startX) / stepX);
      lines.push(filtered(line, previous, filter(lines.length), Math.max(1, (channels * depth) >> 3)));
      previous = line;
    }
    return lines;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colourType, 0, 0, interlaced ? 1 : 0], 8);
  const data = deflateSync(Buffer.concat(rows), level === undefined ? {} : { level });
  const half = Math.ceil(data.length / 2);
  const extra = chunks.map(([type, body]) => chunk(type, Buffer.from(body)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...extra,
    chunk('IDAT', data.subarray(0, half)),
    chunk('IDAT', data.subarray(half)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** The checksum is left empty: the model measures and does not repair. */
function chunk(type: string, body: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), body, Buffer.alloc(4)]);
}

function packed(samples: number[], depth: number): number[] {
  if (depth === 8) return samples;
  if (depth === 16) return samples.flatMap((sample) => [sample >> 8, sample & 255]);
  const bytes = Array.from({ length: Math.ceil((samples.length * depth) / 8) }, () => 0);
  for (const [index, sample] of samples.entries()) {
    const bit = index * depth;
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (sample << (8 - depth - (bit & 7)));
  }
  return bytes;
}

function filtered(line: number[], previous: number[], filter: number, pixelBytes: number): Buffer {
  const out = line.map((value, index) => {
    const left = index >= pixelBytes ? (line[index - pixelBytes] ?? 0) : 0;
    const above = previous[index] ?? 0;
    const corner = index >= pixelBytes ? (previous[index - pixelBytes] ?? 0) : 0;
    const near = [left, above, corner].toSorted(
      (one, other) => Math.abs(left + above - corner - one) - Math.abs(left + above - corner - other),
    );
    const guess = [0, left, above, (left + above) >> 1, near[0] ?? 0][filter] ?? 0;
    return (value - guess) & 255;
  });
  return Buffer.from([filter, ...out]);
}

export const headerFiles: readonly [string, string, Uint8Array, string[]][] = [
  [
    'GIF',
    'image/gif',
    Buffer.from(
      'GIF89a\x0a\x01\x14\x00\x00\x00\x00!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x0a\x01\x14\x00\x00\x02\x01\x00\x00,\x00\x00\x00\x00\x0a\x01\x14\x00\x00\x02\x01\x00\x00;',
      'latin1',
    ),
    ['266 × 20', 'animated, 2 frames', 'possible by its header'],
  ],
  [
    'lossy WebP',
    'image/webp',
    Buffer.from('RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x90\x01\x2c\x01', 'latin1'),
    ['WebP, lossy', '400 × 300', '| Transparency | none |'],
  ],
  [
    'lossless WebP',
    'image/webp',
    Buffer.from('RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\x8f\xc1\x4a\x10', 'latin1'),
    ['WebP, lossless', '400 × 300', 'possible by its header'],
  ],
  [
    'extended WebP',
    'image/webp',
    Buffer.from('RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0\x8f\x01\0\x2b\x01\0', 'latin1'),
    ['WebP, animated', '400 × 300'],
  ],
  [
    'BMP',
    'image/bmp',
    Buffer.from('BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x40\x01\0\0\x38\xff\xff\xff\x01\0\x18\0', 'latin1'),
    ['BMP, 24 bits per pixel', '320 × 200'],
  ],
];
