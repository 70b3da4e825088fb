import { describe, expect, it } from 'vitest';

import references from './__fixtures__/meaning-vectors.tsv?raw';
import { computeCosine } from './lexical-embedding.ts';
import { getMeaningEncoder } from './meaning-embedding.ts';

/** Rows with a text, a size, and the first six coordinates and the last one, as computed by the reference encoder. */
const rows = references
  .trim()
  .split('\n')
  .map((line) => {
    const [text = '', size = '', ...coordinates] = line.split('\t');
    return { text, size: Number(size), ends: coordinates.map(Number) };
  });

describe('embedding by meaning', async () => {
  const encode = await getMeaningEncoder();

  it('matches the reference encoder for words, typos, accents, other scripts and empty text', () => {
    expect(rows).toHaveLength(14);
    for (const { text, size, ends } of rows) {
      const vector = encode(text, size);
      expect(vector).toHaveLength(size);
      const sampled = [...vector.slice(0, 6), ...vector.slice(-1)];
      for (const [index, coordinate] of ends.entries())
        expect(sampled[index], `${text} at ${size}`).toBeCloseTo(coordinate, 5);
      expect(computeCosine(vector, vector), text).toBeCloseTo(1, 5);
    }
  });

  it('returns a renormalised prefix of the full meaning vector for fewer dimensions', () => {
    const prefix = encode('Where is my parcel?', 256).slice(0, 64);
    const length = Math.sqrt(computeCosine(prefix, prefix));
    const shortVector = encode('Where is my parcel?', 64);
    for (const [index, value] of prefix.entries()) expect(shortVector[index]).toBeCloseTo(value / length, 5);
  });

  it('ranks a paraphrase in other words above the same words about another subject', () => {
    const computeSimilarity = (left: string, right: string) =>
      computeCosine(encode(left, 256), encode(right, 256));
    const text = 'The film was far too long';
    expect(computeSimilarity(text, 'That movie went on forever')).toBeGreaterThan(
      computeSimilarity(text, 'The queue was far too long'),
    );
  });
});
