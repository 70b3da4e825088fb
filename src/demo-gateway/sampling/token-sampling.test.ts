import { describe, expect, it } from 'vitest';

import { createNGramModel, tokenizeParagraph } from './n-gram-model.ts';
import { getTokenCandidates, pickCandidate, type SamplingSettings } from './token-sampling.ts';

const neutralSettings: SamplingSettings = {
  temperature: 1,
  topP: 1,
  topK: 0,
  frequencyPenalty: 0,
  presencePenalty: 0,
  repetitionPenalty: 1,
  bias: new Map(),
};
const noTokens = { prompt: new Set<number>(), answer: new Map<number, number>() };
const baseProbabilities = Float64Array.of(0.5, 0.3, 0.15, 0.05);

const computeProbabilities = (
  settings: Partial<SamplingSettings>,
  seen: Parameters<typeof getTokenCandidates>[2] = noTokens,
) => {
  const probabilityByIndex = new Map(
    getTokenCandidates(baseProbabilities, { ...neutralSettings, ...settings }, seen).map(
      ({ index, probability }) => [index, probability],
    ),
  );
  return [0, 1, 2, 3].map((index) => probabilityByIndex.get(index) ?? 0);
};

/** Rounds to ten decimal places. */
const roundAll = (values: readonly number[]) => values.map((value) => Number(value.toFixed(10)));

describe('sampling parameters', () => {
  it('keeps the probabilities with neutral parameters', () => {
    expect(roundAll(computeProbabilities({}))).toEqual(roundAll([0.5, 0.3, 0.15, 0.05]));
  });

  it('raises each probability to the power of 1 / temperature', () => {
    const powers = [0.5, 0.3, 0.15, 0.05].map((share) => share ** 2);
    const sum = powers.reduce((total, power) => total + power, 0);
    expect(roundAll(computeProbabilities({ temperature: 0.5 }))).toEqual(
      roundAll(powers.map((power) => power / sum)),
    );
  });

  it('keeps only the most likely token at temperature 0', () => {
    expect(roundAll(computeProbabilities({ temperature: 0 }))).toEqual(roundAll([1, 0, 0, 0]));
  });

  it('keeps the k most likely tokens with top_k', () => {
    expect(roundAll(computeProbabilities({ topK: 2 }))).toEqual(roundAll([0.625, 0.375, 0, 0]));
  });

  it('applies no limit with top_k 0 or -1', () => {
    expect(roundAll(computeProbabilities({ topK: 0 }))).toEqual(roundAll([0.5, 0.3, 0.15, 0.05]));
    expect(roundAll(computeProbabilities({ topK: -1 }))).toEqual(roundAll([0.5, 0.3, 0.15, 0.05]));
  });

  it('keeps the smallest set of tokens that reaches top_p, at least one', () => {
    expect(roundAll(computeProbabilities({ topP: 0.7 }))).toEqual(roundAll([0.625, 0.375, 0, 0]));
    expect(roundAll(computeProbabilities({ topP: 0 }))).toEqual(roundAll([1, 0, 0, 0]));
  });

  it('applies top_p to the tokens left by top_k', () => {
    expect(roundAll(computeProbabilities({ topK: 2, topP: 0.6 }))).toEqual(roundAll([1, 0, 0, 0]));
  });

  it('subtracts presence_penalty once and frequency_penalty once per occurrence', () => {
    const seen = { prompt: new Set<number>(), answer: new Map([[0, 3]]) };
    const computeExpected = (penalty: number) => {
      const weight = 0.5 * Math.exp(-penalty);
      return [weight, 0.3, 0.15, 0.05].map((share) => share / (weight + 0.5));
    };
    expect(roundAll(computeProbabilities({ presencePenalty: 0.7 }, seen))).toEqual(
      roundAll(computeExpected(0.7)),
    );
    expect(roundAll(computeProbabilities({ frequencyPenalty: 0.7 }, seen))).toEqual(
      roundAll(computeExpected(2.1)),
    );
  });

  it('multiplies negative and divides positive scores by repetition_penalty, including scores of prompt tokens', () => {
    const seen = { prompt: new Set([0]), answer: new Map<number, number>() };
    const negative = 0.5 ** 2;
    expect(roundAll(computeProbabilities({ repetitionPenalty: 2 }, seen))).toEqual(
      roundAll([negative, 0.3, 0.15, 0.05].map((share) => share / (negative + 0.5))),
    );
    const positive = Math.exp((Math.log(0.5) + 3) / 2);
    expect(roundAll(computeProbabilities({ repetitionPenalty: 2, bias: new Map([[0, 3]]) }, seen))).toEqual(
      roundAll([positive, 0.3, 0.15, 0.05].map((share) => share / (positive + 0.5))),
    );
  });

  it('multiplies the odds of a token by e to the power of its logit_bias', () => {
    const weight = 0.05 * Math.exp(2);
    expect(roundAll(computeProbabilities({ bias: new Map([[3, 2]]) }))).toEqual(
      roundAll([0.5, 0.3, 0.15, weight].map((share) => share / (0.95 + weight))),
    );
  });

  it('picks candidates in proportion to their probabilities', () => {
    const candidates = getTokenCandidates(baseProbabilities, neutralSettings, noTokens);
    const hits = Array.from({ length: 1000 }, (_, step) => pickCandidate(candidates, (step + 0.5) / 1000));
    expect([0, 1, 2, 3].map((index) => hits.filter((hit) => hit === index).length)).toEqual([
      500, 300, 150, 50,
    ]);
  });
});

describe('n-gram model', () => {
  const model = createNGramModel(['a cat sat on a mat.', 'a dog sat on a log.']);
  const createPredictor = (...words: string[]) => {
    const probabilities = model.computeProbabilities(words.map((word) => model.getIndex(word) ?? -1));
    return (word: string) => probabilities[model.getIndex(word) ?? -1] ?? 0;
  };

  it('returns probabilities that sum to 1 and are never 0', () => {
    for (const context of [[], [0], [1, 2], [99, 98, 97]]) {
      const probabilities = model.computeProbabilities(context);
      expect(probabilities.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 10);
      expect(Math.min(...probabilities)).toBeGreaterThan(0);
    }
  });

  it('predicts words that followed the same context', () => {
    expect(createPredictor(' sat')(' on')).toBeGreaterThan(0.5);
    expect(createPredictor(' sat', ' on', ' a')(' mat')).toBeGreaterThan(
      createPredictor(' sat', ' on', ' a')(' cat'),
    );
  });

  it('falls back to shorter contexts if a longer one is unknown', () => {
    expect(createPredictor(' log', ' mat', ' sat')(' on')).toBeCloseTo(createPredictor(' sat')(' on'), 10);
  });

  it('weights contexts by Witten-Bell: n / (n + t) for n occurrences with t different followers', () => {
    const unigram = model.computeProbabilities([])[model.getIndex(' on') ?? -1] ?? 0;
    expect(createPredictor(' sat')(' on')).toBeCloseTo(2 / 3 + unigram / 3, 10);
  });

  it('splits words, symbols and code into tokens that join to the same text', () => {
    const text = 'Tick `top_p` (0.7), then run `npm start`: done-ish.';
    expect(tokenizeParagraph(text).join('')).toBe(text);
    expect(tokenizeParagraph(text)).toContain(' `npm start`');
  });
});
