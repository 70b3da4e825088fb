import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../lib/json.ts';
import { createModelRequest, collectOutput, getReplyText } from '../../testing/demo-requests.ts';
import { getDocumentationModel, sampler, getTokenId } from './sampler.ts';

const sample = (fields: JsonObject = {}, seed = 1, text = 'The demo gateway') =>
  collectOutput(sampler, createModelRequest(text, { fields, seed })).flatMap((piece) =>
    'text' in piece ? [piece.text] : [],
  );

/** Returns the Shannon entropy in bits of the token frequencies over many answers. */
function computeEntropy(fields: JsonObject): number {
  const counts = new Map<string, number>();
  const tokens = Array.from({ length: 16 }, (_, seed) => sample(fields, seed)).flat();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return -[...counts.values()].reduce(
    (sum, count) => sum + (count / tokens.length) * Math.log2(count / tokens.length),
    0,
  );
}

/** Returns the share of tokens that occurred earlier in the same answer, over many answers. */
function computeRepetition(fields: JsonObject): number {
  const answers = Array.from({ length: 12 }, (_, seed) => sample(fields, seed).slice(0, 100));
  return answers.reduce((sum, tokens) => sum + 1 - new Set(tokens).size / tokens.length, 0) / answers.length;
}

describe('demo/sampler', () => {
  it('repeats the same text at temperature 0 for any seed', () => {
    expect(sample({ temperature: 0 }, 1)).toEqual(sample({ temperature: 0 }, 99));
  });

  it('repeats the same text for the same seed and varies it for another seed', () => {
    expect(sample({}, 5)).toEqual(sample({}, 5));
    expect(sample({}, 5)).not.toEqual(sample({}, 6));
  });

  it('increases entropy at higher temperatures', () => {
    const entropies = [0.5, 1, 2].map((temperature) => computeEntropy({ temperature, top_p: 1 }));
    expect(entropies).toEqual(entropies.toSorted((left, right) => left - right));
    expect((entropies.at(-1) ?? 0) - (entropies[0] ?? 0)).toBeGreaterThan(1);
  });

  it('reduces entropy with top_p and top_k', () => {
    const openEntropy = computeEntropy({ top_p: 1, temperature: 1.5 });
    expect(computeEntropy({ top_p: 0.5, temperature: 1.5 })).toBeLessThan(openEntropy - 0.5);
    expect(computeEntropy({ top_p: 1, top_k: 3, temperature: 1.5 })).toBeLessThan(openEntropy - 0.5);
  });

  it('picks the most likely token with top_k 1 or top_p 0, as at temperature 0', () => {
    const likeliest = sample({ temperature: 0 });
    expect(sample({ top_k: 1, temperature: 2 }, 3)).toEqual(likeliest);
    expect(sample({ top_p: 0, temperature: 1 }, 4)).toEqual(likeliest);
  });

  it('uses top_p 0.7 by default', () => {
    expect(sample({}, 8)).toEqual(sample({ top_p: 0.7 }, 8));
    expect(sample({}, 8)).not.toEqual(sample({ top_p: 1 }, 8));
  });

  it.each(['presence_penalty', 'frequency_penalty'])(
    'repeats tokens less with a positive %s and more with a negative one',
    (name) => {
      const baseline = computeRepetition({ top_p: 1 });
      expect(computeRepetition({ top_p: 1, [name]: 2 })).toBeLessThan(baseline - 0.05);
      expect(computeRepetition({ top_p: 1, [name]: -2 })).toBeGreaterThan(baseline + 0.05);
    },
  );

  it('repeats tokens less with a repetition_penalty above 1 and more with one below 1', () => {
    const baseline = computeRepetition({ top_p: 1 });
    expect(computeRepetition({ top_p: 1, repetition_penalty: 2 })).toBeLessThan(baseline - 0.05);
    expect(computeRepetition({ top_p: 1, repetition_penalty: 0.5 })).toBeGreaterThan(baseline + 0.05);
  });

  it('writes only a token with a bias of 100, given by ID or as text', () => {
    const byId = sample({ logit_bias: { [String(getTokenId(' model'))]: 100 } });
    expect(new Set(byId.slice(1))).toEqual(new Set([' model']));
    expect(sample({ logit_bias: { ' model': 100 } })).toEqual(byId);
  });

  it('never writes a token with a bias of -100', () => {
    const bannedTokens = ['.', ',', ' the'];
    const logit_bias = Object.fromEntries(bannedTokens.map((token) => [token, -100]));
    for (let seed = 0; seed < 5; seed += 1) {
      expect(sample({}, seed)).toEqual(expect.arrayContaining(bannedTokens));
      const tokens = sample({ logit_bias }, seed);
      expect(bannedTokens.filter((token) => tokens.includes(token))).toEqual([]);
    }
  });

  it('assigns a unique ID to every token of the vocabulary', () => {
    const { vocabulary } = getDocumentationModel();
    expect(new Set(vocabulary.map(getTokenId)).size).toBe(vocabulary.length);
    expect(getTokenId(' model')).toBe(641_684);
  });

  it('lists the token IDs of the words after /tokens', () => {
    const table = getReplyText(sampler, createModelRequest('/tokens the model xyzzy'));
    expect(table).toContain('| `" model"` | 641684 |');
    expect(table).toContain('Not in the vocabulary: `xyzzy`.');
  });

  it('continues from the last known words of the message', () => {
    const [first] = sample({ temperature: 0 }, 1, 'The key never reaches the');
    expect(first).toBe('browser');
    expect(sample({ temperature: 0 }, 1, 'The key never reaches the zzz?')[0]).toBe('browser');
  });

  it('ends with a sentence after about 100 to 300 tokens', () => {
    for (let seed = 0; seed < 5; seed += 1) {
      const tokens = sample({}, seed);
      expect(tokens.length).toBeGreaterThanOrEqual(95);
      expect(tokens.length).toBeLessThanOrEqual(300);
      expect(tokens.at(-1)).toMatch(/^(?:\.|\?|\n\n)$/);
    }
  });

  it('returns the text inside one JSON object in JSON mode', () => {
    const plainText = getReplyText(sampler, createModelRequest('The gateway'));
    const value: unknown = JSON.parse(
      getReplyText(sampler, createModelRequest('The gateway', { isJsonMode: true })),
    );
    expect(value).toEqual({ text: plainText });
  });

  it('ignores unknown tokens and non-numeric values in logit_bias', () => {
    expect(sample({ logit_bias: { '12': 100, __proto__x: 5, ' model': 'much' } })).toEqual(sample({}));
  });
});
