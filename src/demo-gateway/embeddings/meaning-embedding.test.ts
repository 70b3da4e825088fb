import { describe, expect, it } from 'vitest';

import references from './__fixtures__/meaning-vectors.tsv?raw';
import { cosine } from './lexical-embedding.ts';
import { meaningEncoder } from './meaning-embedding.ts';

/** A text, a size, and the first six coordinates and the last one that the reference encoder gave for them. */
const rows = references
  .trim()
  .split('\n')
  .map((line) => {
    const [text = '', size = '', ...coordinates] = line.split('\t');
    return { text, size: Number(size), ends: coordinates.map(Number) };
  });

describe('an embedding by meaning', async () => {
  const encode = await meaningEncoder();

  it('is that of the reference, for words, slips, accents, other scripts and no word at all', () => {
    expect(rows).toHaveLength(14);
    for (const { text, size, ends } of rows) {
      const vector = encode(text, size);
      expect(vector).toHaveLength(size);
      const found = [...vector.slice(0, 6), ...vector.slice(-1)];
      for (const [at, coordinate] of ends.entries())
        expect(found[at], `${text} at ${size}`).toBeCloseTo(coordinate, 5);
      expect(cosine(vector, vector), text).toBeCloseTo(1, 5);
    }
  });

  it('gives at fewer dimensions the beginning of the vector, renormalised', () => {
    const prefix = encode('Where is my parcel?', 256).slice(0, 64);
    const length = Math.sqrt(cosine(prefix, prefix));
    const short = encode('Where is my parcel?', 64);
    for (const [at, value] of prefix.entries()) expect(short[at]).toBeCloseTo(value / length, 5);
  });

  it('puts other words for the same thing nearer than the same words for another', () => {
    const similarity = (one: string, other: string) => cosine(encode(one, 256), encode(other, 256));
    const text = 'The film was far too long';
    expect(similarity(text, 'That movie went on forever')).toBeGreaterThan(
      similarity(text, 'The queue was far too long'),
    );
  });
});
