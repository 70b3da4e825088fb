import { expect, it } from 'vitest';

import { createMemoryVectorStore } from '../../storage/vector-store.ts';
import { computeKeys } from './embedding-items.ts';
import { saveCeiling, readCeiling } from './embedding-notes.ts';
import { planEmbedding, sumPlansByGateway } from './embedding-plan.ts';

const setup = { model: 'e', format: 'float' as const };

it('counts each input once, excludes stored ones and estimates the remaining tokens', async () => {
  const vectors = createMemoryVectorStore();
  const inputs = ['one two three four', [1, 2, 3], 'known', 'one two three four', [1, 2, 3]];
  const [key = ''] = await computeKeys(setup, ['known']);
  await vectors.put([{ key, vector: Float32Array.of(1) }]);
  const plan = await planEmbedding(setup, inputs, vectors);
  const { tokens: textTokens } = await planEmbedding(setup, ['one two three four'], vectors);
  expect(textTokens).toBeGreaterThan(0);
  expect(plan).toMatchObject({ inputCount: 3, storedCount: 1, sendCount: 2, tokens: textTokens + 3 });
});

it('computes the exact number of requests for a known batch limit', async () => {
  const vectors = createMemoryVectorStore();
  const inputs = Array.from({ length: 10 }, (_, index) => `text ${index}`);
  await saveCeiling(vectors, { model: 'e' }, 4);
  expect((await planEmbedding(setup, inputs, vectors)).requests).toEqual({ min: 3, max: 3 });
  for (const [ceiling, requests] of [
    [2.9, 5],
    [1, 10],
  ] as const) {
    await saveCeiling(vectors, { model: 'e' }, ceiling);
    expect((await planEmbedding(setup, inputs, vectors)).requests).toEqual({
      min: requests,
      max: requests,
    });
  }
  await saveCeiling(vectors, { model: 'e' }, 0.5);
  expect(await readCeiling(vectors, { model: 'e' })).toBeUndefined();
  expect((await planEmbedding({ ...setup, model: 'other' }, inputs, vectors)).requests.max).toBeGreaterThan(
    0,
  );
  expect((await planEmbedding(setup, [], vectors)).requests).toEqual({ min: 0, max: 0 });
});

it('plans fewer requests for shorter vectors and adds up the plans of two models of one gateway', async () => {
  const vectors = createMemoryVectorStore();
  const inputs = Array.from({ length: 3000 }, (_, index) => `text ${index}`);
  const long = await planEmbedding(setup, inputs, vectors);
  const short = await planEmbedding({ ...setup, dimensions: 8 }, inputs, vectors);
  expect(short.requests.min).toBeLessThan(long.requests.min);
  expect(sumPlansByGateway([long, short])).toEqual([
    {
      inputCount: 6000,
      storedCount: 0,
      sendCount: 6000,
      tokens: long.tokens + short.tokens,
      requests: {
        min: long.requests.min + short.requests.min,
        max: long.requests.max + short.requests.max,
      },
    },
  ]);
  const otherGateway = await planEmbedding({ ...setup, gateway: 'second' }, inputs, vectors);
  expect(sumPlansByGateway([long, otherGateway])).toEqual([long, { ...long, gateway: 'second' }]);
});
