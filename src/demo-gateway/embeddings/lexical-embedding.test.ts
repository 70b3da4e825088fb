import { describe, expect, it } from 'vitest';

import { embeddingModels } from './embedding-models.ts';
import { computeCosine, embedText, fullFeatures } from './lexical-embedding.ts';

/** Families of a text, a paraphrase with shared words, a version with typos, and one with inflected words. */
const families: [string, string, string, string][] = [
  [
    'How do I reset my password?',
    'How can I reset the password?',
    'How do I rest my pasword?',
    'Resetting passwords',
  ],
  [
    'The train to Berlin leaves at noon',
    'At noon leaves the train for Berlin',
    'The trian to Berlin leves at non',
    'Trains leaving to Berlin',
  ],
  [
    'Refund for a damaged parcel',
    'A refund, since the parcel was damaged',
    'Refudn for a damged parcel',
    'Refunding damages of parcels',
  ],
  [
    'Install the printer driver',
    'How to install a driver for the printer',
    'Instal the priter driver',
    'Installing printers and drivers',
  ],
  [
    'Chocolate cake with cherries',
    'A cake with chocolate and cherries',
    'Choclate cake with cheries',
    'Chocolates, cakes, a cherry',
  ],
  [
    'Opening hours of the library',
    'When is the library open, its hours',
    'Openning hours of the libary',
    'Libraries opened each hour',
  ],
  [
    'Streaming tokens from a language model',
    'Tokens streaming from the model of a language',
    'Streeming tokens from a langauge model',
    'Language models stream a token',
  ],
  [
    'Volcanoes erupt along tectonic plates',
    'Along tectonic plates volcanoes erupt',
    'Volcanos erupt along tectonic plats',
    'A volcano erupting, tectonics',
  ],
];

const paraphrase = 1;
const typos = 2;
const forms = 3;

const lexicalModels = await Promise.all(
  embeddingModels
    .filter(({ id }) => id !== 'demo/meaning-en')
    .map(async (model) => ({ ...model, embed: await model.load() })),
);

describe.each(lexicalModels)('$id', ({ embed, size, allowedDimensions }) => {
  const vectors = families.map((family) => family.map((text) => embed(text, size)));
  const getVector = (family: number, variant: number) => vectors[family]?.[variant] ?? new Float32Array(size);
  const unrelatedScores = families.flatMap((_, left) =>
    families.flatMap((__, right) =>
      left < right ? [computeCosine(getVector(left, 0), getVector(right, 0))] : [],
    ),
  );

  it.each([
    ['paraphrases', paraphrase],
    ['typos', typos],
    ['other forms', forms],
  ])('ranks %s above all unrelated texts', (_, variant) => {
    const highestUnrelated = Math.max(...unrelatedScores);
    for (const family of families.keys())
      expect(computeCosine(getVector(family, 0), getVector(family, variant))).toBeGreaterThan(
        highestUnrelated,
      );
  });

  it('finds each paraphrase by its original text', () => {
    for (const family of families.keys()) {
      const scores = families.map((_, otherFamily) =>
        computeCosine(getVector(family, 0), getVector(otherFamily, paraphrase)),
      );
      expect(scores.indexOf(Math.max(...scores))).toBe(family);
    }
  });

  it('returns the same unit vector every time', () => {
    for (const text of ['word', 'The', '!!!', ' ', '1 2 3', '我喜欢苹果', 'é', '👩‍👩‍👧‍👦']) {
      const vector = embed(text, size);
      expect(computeCosine(vector, vector)).toBeCloseTo(1, 5);
      expect(embed(text, size)).toEqual(vector);
    }
  });

  it('returns a renormalised prefix of the full vector for fewer dimensions', () => {
    for (const shorterSize of allowedDimensions ?? []) {
      for (const [text] of families) {
        const prefix = embed(text, size).slice(0, shorterSize);
        const length = Math.sqrt(computeCosine(prefix, prefix));
        const shortVector = embed(text, shorterSize);
        const maxDifference = Math.max(
          ...shortVector.map((value, index) => Math.abs(value - (prefix[index] ?? 0) / length)),
        );
        expect(maxDifference).toBeLessThan(1e-6);
      }
    }
  });
});

describe('lexical embedding', () => {
  const options = { size: 1024, seed: 8, features: fullFeatures };
  const computeSimilarity = (left: string, right: string) =>
    computeCosine(embedText(left, options), embedText(right, options));

  it('ignores case, accents and compatibility forms of characters', () => {
    expect(computeSimilarity('CAFÉ am Platz', 'cafe am platz')).toBeCloseTo(1, 5);
    expect(computeSimilarity('ﬁle', 'file')).toBeCloseTo(1, 5);
  });

  it('compares texts in scripts without spaces', () => {
    expect(computeSimilarity('我喜欢吃苹果', '我爱吃苹果')).toBeGreaterThan(0.4);
    expect(Math.abs(computeSimilarity('我喜欢吃苹果', '今天天气很好'))).toBeLessThan(0.15);
  });

  it('gives stop words little weight', () => {
    expect(computeSimilarity('what is the price of it', 'what is the colour of it')).toBeLessThan(0.5);
  });

  it('limits the weight of a word that is repeated ten times', () => {
    expect(computeSimilarity(`${'apple '.repeat(10)}pie recipe`, 'pie recipe')).toBeGreaterThan(0.3);
  });

  it('yields unrelated vectors for different seeds', () => {
    const otherVector = embedText('the same text', { ...options, seed: 9 });
    expect(Math.abs(computeCosine(embedText('the same text', options), otherVector))).toBeLessThan(0.15);
  });
});
