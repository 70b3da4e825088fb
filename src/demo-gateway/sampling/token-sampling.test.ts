import { describe, expect, it } from 'vitest';

import { countNGrams, tokensOf } from './n-gram-model.ts';
import { candidatesOf, chosen, type SamplingSettings } from './token-sampling.ts';

const neutral: SamplingSettings = {
  temperature: 1,
  topP: 1,
  topK: 0,
  frequencyPenalty: 0,
  presencePenalty: 0,
  repetitionPenalty: 1,
  bias: new Map(),
};
const nothing = { prompt: new Set<number>(), answer: new Map<number, number>() };
const shares = Float64Array.of(0.5, 0.3, 0.15, 0.05);

const probabilitiesOf = (
  settings: Partial<SamplingSettings>,
  seen: Parameters<typeof candidatesOf>[2] = nothing,
) => {
  const found = new Map(
    candidatesOf(shares, { ...neutral, ...settings }, seen).map(({ index, probability }) => [
      index,
      probability,
    ]),
  );
  return [0, 1, 2, 3].map((index) => found.get(index) ?? 0);
};

/** Equal up to the tenth place. */
const rounded = (values: readonly number[]) => values.map((value) => Number(value.toFixed(10)));

describe('the sampling parameters', () => {
  it('change nothing when all are neutral', () => {
    expect(rounded(probabilitiesOf({}))).toEqual(rounded([0.5, 0.3, 0.15, 0.05]));
  });

  it('temperature raises each probability to the power of 1 / temperature', () => {
    const powers = [0.5, 0.3, 0.15, 0.05].map((share) => share ** 2);
    const sum = powers.reduce((total, power) => total + power, 0);
    expect(rounded(probabilitiesOf({ temperature: 0.5 }))).toEqual(
      rounded(powers.map((power) => power / sum)),
    );
  });

  it('temperature 0 leaves the likeliest token alone', () => {
    expect(rounded(probabilitiesOf({ temperature: 0 }))).toEqual(rounded([1, 0, 0, 0]));
  });

  it('top_k keeps the k likeliest', () => {
    expect(rounded(probabilitiesOf({ topK: 2 }))).toEqual(rounded([0.625, 0.375, 0, 0]));
  });

  it('top_k of 0 and -1 is not a limit', () => {
    expect(rounded(probabilitiesOf({ topK: 0 }))).toEqual(rounded([0.5, 0.3, 0.15, 0.05]));
    expect(rounded(probabilitiesOf({ topK: -1 }))).toEqual(rounded([0.5, 0.3, 0.15, 0.05]));
  });

  it('top_p keeps the smallest set that reaches it, and at least one token', () => {
    expect(rounded(probabilitiesOf({ topP: 0.7 }))).toEqual(rounded([0.625, 0.375, 0, 0]));
    expect(rounded(probabilitiesOf({ topP: 0 }))).toEqual(rounded([1, 0, 0, 0]));
  });

  it('top_p looks at what top_k has left', () => {
    expect(rounded(probabilitiesOf({ topK: 2, topP: 0.6 }))).toEqual(rounded([1, 0, 0, 0]));
  });

  it('presence_penalty takes its value once, frequency_penalty once for each time', () => {
    const seen = { prompt: new Set<number>(), answer: new Map([[0, 3]]) };
    const expected = (penalty: number) => {
      const weight = 0.5 * Math.exp(-penalty);
      return [weight, 0.3, 0.15, 0.05].map((share) => share / (weight + 0.5));
    };
    expect(rounded(probabilitiesOf({ presencePenalty: 0.7 }, seen))).toEqual(rounded(expected(0.7)));
    expect(rounded(probabilitiesOf({ frequencyPenalty: 0.7 }, seen))).toEqual(rounded(expected(2.1)));
  });

  it('repetition_penalty multiplies a negative score and divides a positive one, for the prompt too', () => {
    const seen = { prompt: new Set([0]), answer: new Map<number, number>() };
    const negative = 0.5 ** 2;
    expect(rounded(probabilitiesOf({ repetitionPenalty: 2 }, seen))).toEqual(
      rounded([negative, 0.3, 0.15, 0.05].map((share) => share / (negative + 0.5))),
    );
    const positive = Math.exp((Math.log(0.5) + 3) / 2);
    expect(rounded(probabilitiesOf({ repetitionPenalty: 2, bias: new Map([[0, 3]]) }, seen))).toEqual(
      rounded([positive, 0.3, 0.15, 0.05].map((share) => share / (positive + 0.5))),
    );
  });

  it('logit_bias multiplies the odds by e to the bias', () => {
    const weight = 0.05 * Math.exp(2);
    expect(rounded(probabilitiesOf({ bias: new Map([[3, 2]]) }))).toEqual(
      rounded([0.5, 0.3, 0.15, weight].map((share) => share / (0.95 + weight))),
    );
  });

  it('chance falls on a candidate as often as its probability says', () => {
    const candidates = candidatesOf(shares, neutral, nothing);
    const hits = Array.from({ length: 1000 }, (_, step) => chosen(candidates, (step + 0.5) / 1000));
    expect([0, 1, 2, 3].map((index) => hits.filter((hit) => hit === index).length)).toEqual([
      500, 300, 150, 50,
    ]);
  });
});

describe('the n-gram model', () => {
  const model = countNGrams(['a cat sat on a mat.', 'a dog sat on a log.']);
  const after = (...words: string[]) => {
    const found = model.probabilities(words.map((word) => model.indexOf(word) ?? -1));
    return (word: string) => found[model.indexOf(word) ?? -1] ?? 0;
  };

  it('gives probabilities that sum to 1 and are never 0', () => {
    for (const context of [[], [0], [1, 2], [99, 98, 97]]) {
      const found = model.probabilities(context);
      expect(found.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 10);
      expect(Math.min(...found)).toBeGreaterThan(0);
    }
  });

  it('expects what followed the same words', () => {
    expect(after(' sat')(' on')).toBeGreaterThan(0.5);
    expect(after(' sat', ' on', ' a')(' mat')).toBeGreaterThan(after(' sat', ' on', ' a')(' cat'));
  });

  it('falls back to shorter contexts when it has not seen the longer one', () => {
    expect(after(' log', ' mat', ' sat')(' on')).toBeCloseTo(after(' sat')(' on'), 10);
  });

  it('weighs by Witten and Bell: n / (n + t) for what was seen n times with t different words', () => {
    const unigram = model.probabilities([])[model.indexOf(' on') ?? -1] ?? 0;
    expect(after(' sat')(' on')).toBeCloseTo(2 / 3 + unigram / 3, 10);
  });

  it('cuts words, signs and code into tokens that join to the text again', () => {
    const text = 'Tick `top_p` (0.7), then run `npm start`: done-ish.';
    expect(tokensOf(text).join('')).toBe(text);
    expect(tokensOf(text)).toContain(' `npm start`');
  });
});
