import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createSeededRandom } from '../lib/random.ts';
import { getCaseCount } from '../testing/seeds.ts';
import { findNearDuplicates } from './near-duplicates.ts';

/** Returns the runs of five characters of a text in lower case, without punctuation. */
function listShingles(text: string): Set<string> {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  // A text shorter than a run is preceded by nothing, which counts as a character as well.
  const padded = `\0\0\0\0 ${words.join(' ')} `.replace(/ +$/, ' ');
  return new Set(Array.from({ length: padded.length - 5 }, (_, start) => padded.slice(start + 1, start + 6)));
}

/** Groups texts by comparing each with all earlier ones. */
function findNearDuplicatesDirectly(texts: readonly string[]): number[][] {
  const shingles = texts.map(listShingles);
  const groups = new Map<number, number[]>();
  for (const [index, own] of shingles.entries()) {
    const leader = [...groups.keys()].find((candidate) => {
      const others = shingles[candidate] ?? new Set();
      const common = [...own].filter((shingle) => others.has(shingle)).length;
      return 100 * common >= 80 * (own.size + others.size - common);
    });
    if (leader === undefined) groups.set(index, [index]);
    else groups.get(leader)?.push(index);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

/** Returns random words, which are the same for the same seed. */
function drawText(wordCount: number, seed: string): string {
  const random = createSeededRandom(seed);
  return Array.from({ length: wordCount }, () => Math.floor(random() * 1e6).toString(36)).join(' ');
}

describe('near-duplicates', () => {
  it('groups texts that differ in a few characters, spacing, case and punctuation', () => {
    const question = 'My parcel has not arrived although it was sent two weeks ago. Where is it now?';
    expect(
      findNearDuplicates([
        question,
        'Please cancel my subscription at the end of this month.',
        question.replace('two', 'six').toUpperCase(),
        'Do you ship to Norway, and how long does that take?',
        `${question.replace('. ', ' -\n ')}!`,
        'Do you ship to Norway and how long does that take',
      ]),
    ).toEqual([
      [0, 2, 4],
      [3, 5],
    ]);
  });
  it('separates short texts that share only their template', () => {
    expect(
      findNearDuplicates(['What is 12 + 35?', 'What is 14 + 98?', 'Is 17 prime?', 'Is 19 prime?']),
    ).toEqual([]);
  });
  it('groups equal texts, also empty ones and texts without words', () => {
    expect(findNearDuplicates(['', 'a', '日本語のテキスト', '?!', 'a.', '日本語のテキスト'])).toEqual([
      [0, 3],
      [1, 4],
      [2, 5],
    ]);
    expect(findNearDuplicates([])).toEqual([]);
  });
  it('finds copies of long texts with a small addition, and repetitive texts', () => {
    const texts = Array.from({ length: 30 }, (_, index) => drawText(2000, `text ${index}`));
    const copies = texts.slice(0, 10).map((text, index) => `${text} ${drawText(50, `addition ${index}`)}`);
    const halfCopies = texts.slice(10, 20).map((text, index) => `${text} ${drawText(2000, `half ${index}`)}`);
    const repetitiveTexts = ['yes no '.repeat(3000), 'yes no '.repeat(3001)];
    expect(findNearDuplicates([...texts, ...copies, ...halfCopies, ...repetitiveTexts])).toEqual([
      ...copies.map((_, index) => [index, index + 30]),
      [50, 51],
    ]);
  });
  it('groups the same texts as a comparison of all pairs', () => {
    const wordArbitrary = fc.constantFrom('order', 'parcel', 'refund', 'late', 'my', 'the', '17', '42', 'x');
    const textArbitrary = fc.array(wordArbitrary, { maxLength: 12 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(fc.array(textArbitrary, { maxLength: 40 }), (texts) => {
        const variants = texts.flatMap((text) => [
          text,
          text.replace(' ', ', '),
          text.replace('order', 'orders'),
        ]);
        expect(findNearDuplicates(variants)).toEqual(findNearDuplicatesDirectly(variants));
      }),
      { numRuns: getCaseCount(100) },
    );
  });
});
