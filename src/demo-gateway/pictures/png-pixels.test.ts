import { constants, deflateSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { inflate } from './inflate.ts';
import { decodePng } from './png-pixels.ts';
import { aPng } from './testing-images.ts';

describe('the PNG decoder', () => {
  const bright = (x: number, y: number, most: number) => ((x * 7 + y * 13) % 17) * (most / 16);
  const kinds = ([0, 2, 3, 4, 6] as const).flatMap((colourType) =>
    ([1, 2, 4, 8, 16] as const)
      .filter((depth) => colourType === 0 || (colourType === 3 ? depth < 16 : depth >= 8))
      .flatMap((depth) => [false, true].map((interlaced) => ({ colourType, depth, interlaced }))),
  );

  it.each(kinds)(
    'decodes colour type $colourType at $depth bits, interlaced: $interlaced, with every filter',
    ({ colourType, depth, interlaced }) => {
      const most = 2 ** depth - 1;
      const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[colourType];
      const palette = Array.from({ length: Math.min(256, most + 1) * 3 }, (_, index) => (index * 37) & 255);
      const pixel = (x: number, y: number) =>
        Array.from({ length: channels }, (_, channel) => Math.floor(bright(x + channel * 3, y, most)));
      const png = aPng({
        width: 19,
        height: 13,
        colourType,
        depth,
        interlaced,
        pixel,
        filter: (row) => row % 5,
        ...(colourType === 3
          ? {
              chunks: [
                ['PLTE', palette],
                ['tRNS', [9]],
              ],
            }
          : {}),
      });
      const decoded = decodePng(png);
      const scaled = (sample = 0) => Math.round((sample * 255) / most);
      for (let y = 0; y < 13; y += 1) {
        for (let x = 0; x < 19; x += 1) {
          const [a, b, c, d] = pixel(x, y);
          const index = a ?? 0;
          const expected = {
            0: [scaled(a), scaled(a), scaled(a), 255],
            2: [scaled(a), scaled(b), scaled(c), 255],
            3: [...palette.slice(index * 3, index * 3 + 3), index === 0 ? 9 : 255],
            4: [scaled(a), scaled(a), scaled(a), scaled(b)],
            6: [scaled(a), scaled(b), scaled(c), scaled(d)],
          }[colourType];
          expect(
            [...(decoded?.data.subarray((y * 19 + x) * 4, (y * 19 + x) * 4 + 4) ?? [])],
            `pixel ${x}, ${y}`,
          ).toEqual(expected);
        }
      }
    },
  );

  it('takes the key colour of a PNG without alpha as transparent', () => {
    const png = aPng({
      width: 2,
      height: 1,
      colourType: 2,
      pixel: (x) => (x === 0 ? [1, 2, 3] : [1, 2, 4]),
      chunks: [['tRNS', [0, 1, 0, 2, 0, 3]]],
    });
    expect([...(decodePng(png)?.data ?? [])]).toEqual([1, 2, 3, 0, 1, 2, 4, 255]);
  });
});

describe('inflate', () => {
  const text = Buffer.from(
    Array.from({ length: 4000 }, (_, index) => `${index} ${'ab'.repeat(index % 7)}\n`).join(''),
  );
  const noise = Buffer.from(
    Array.from({ length: 70_000 }, (_, index) => (Math.imul(index, 2_654_435_761) >>> 13) & 255),
  );

  it.each([
    ['stored blocks', { level: 0 }],
    ['fixed codes', { strategy: constants.Z_FIXED }],
    ['dynamic codes', { level: 9 }],
    ['Huffman codes only', { strategy: constants.Z_HUFFMAN_ONLY }],
    ['runs', { strategy: constants.Z_RLE }],
  ])('gives back what was compressed with %s', (_, options) => {
    for (const data of [text, noise, Buffer.alloc(0), Buffer.from('x'), Buffer.alloc(100_000, 7)]) {
      expect(Buffer.from(inflate(deflateSync(data, options), data.length)).equals(data)).toBe(true);
    }
  });

  it('never gives more than it was asked for', () => {
    expect(inflate(deflateSync(Buffer.alloc(1_000_000)), 1000)).toHaveLength(1000);
  });

  it('keeps what came before the damage and throws nothing', () => {
    const data = deflateSync(text);
    const cut = inflate(data.subarray(0, data.length / 2), text.length);
    expect(cut.length).toBeGreaterThan(100);
    expect(text.subarray(0, 100).equals(Buffer.from(cut.subarray(0, 100)))).toBe(true);
    for (let at = 2; at < 200; at += 1) {
      const damaged = Buffer.from(data);
      damaged[at] = (damaged[at] ?? 0) ^ 0x55;
      expect(inflate(damaged, text.length).length).toBeLessThanOrEqual(text.length);
    }
  });
});
