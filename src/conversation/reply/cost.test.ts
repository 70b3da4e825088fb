import { describe, expect, it } from 'vitest';

import type { OwnPrice } from '../../gateway/models/model-price.ts';
import { parseModelRecord } from '../../gateway/models/model-record.ts';
import type { Usage } from '../../gateway/wire.ts';
import { createTestSetup } from '../../testing/builders.ts';
import type { Choice, Run } from '../session/types.ts';
import {
  addCosts,
  computeRunsCost,
  describeCost,
  formatModelPrice,
  formatTotalCost,
  getPriceLookup,
  type PriceSource,
} from './cost.ts';
import { createRun } from './run.ts';

const pricing = { prompt: '0.000003', completion: '0.000015' };
const listedModels = [
  { id: 'listed', pricing },
  { id: 'listed/cache', pricing: { ...pricing, input_cache_read: '0.0000003' } },
  { id: 'listed/reasoning', pricing: { ...pricing, internal_reasoning: '0.00002' } },
  { id: 'listed/free', pricing: { prompt: '0', completion: '0' } },
  { id: 'listed/half', pricing: { prompt: '0.000003' } },
  { id: 'unpriced' },
].flatMap((item) => parseModelRecord(item) ?? []);

const createOwnPrice = (model: string, otherFields: Partial<OwnPrice> = {}): OwnPrice => ({
  model,
  inputPerMillion: 2,
  outputPerMillion: 8,
  currency: 'USD',
  ...otherFields,
});

const sources: readonly PriceSource[] = [
  {
    gateway: 'production',
    models: listedModels,
    ownPrices: [
      createOwnPrice('listed'),
      createOwnPrice('listed/half'),
      createOwnPrice('own'),
      createOwnPrice('own/all', { cachedInputPerMillion: 0.5, reasoningPerMillion: 20 }),
      createOwnPrice('own/cache-free', { cachedInputPerMillion: 0 }),
      createOwnPrice('own/free', { inputPerMillion: 0, outputPerMillion: 0 }),
      createOwnPrice('own/euro', { currency: 'EUR' }),
    ],
  },
  { gateway: 'staging', models: [], ownPrices: [createOwnPrice('listed', { inputPerMillion: 1 })] },
];
const getModelPrice = getPriceLookup(sources);

const createChoice = (...parts: Choice['parts']): Choice => ({ parts });

function createEndedRun(model: string, usage: Usage | undefined, fields: Partial<Run> = {}): Run {
  return {
    ...createRun('run', 'session', { ...createTestSetup(), model }),
    phase: { name: 'complete' },
    choices: [createChoice({ type: 'text', text: 'Hello there.' })],
    deltas: 3,
    ...(usage ? { usage } : {}),
    ...fields,
  };
}

const computeRunCost = (...args: Parameters<typeof createEndedRun>) =>
  computeRunsCost([createEndedRun(...args)], getModelPrice);
const tokens = (promptTokens: number, completionTokens: number, otherFields: Usage = {}): Usage => ({
  promptTokens,
  completionTokens,
  ...otherFields,
});

const rows: [what: string, model: string, usage: Usage, cost: number, source: string, currency?: string][] = [
  [
    'a reported cost before a listed price',
    'listed',
    tokens(1000, 200, { costUsd: 0.0016 }),
    0.0016,
    'reported',
  ],
  ['a reported cost of an unknown model', 'other', tokens(1000, 200, { costUsd: 0.5 }), 0.5, 'reported'],
  ['a reported cost of 0', 'listed', tokens(1000, 200, { costUsd: 0 }), 0, 'reported'],
  // 1,000 × 3 + 200 × 15
  ['a listed price before that of the file', 'listed', tokens(1000, 200), 0.006, 'listed'],
  ['one token in and out', 'listed', tokens(1, 1), 0.000018, 'listed'],
  ['many tokens', 'listed', tokens(1_234_567, 9_100_001), 140.203716, 'listed'],
  // 1,000 × 2 + 200 × 8
  ['the price of the file for an unlisted model', 'own', tokens(1000, 200), 0.0036, 'file'],
  ['the price of the file if only one price is listed', 'listed/half', tokens(1000, 200), 0.0036, 'file'],
  // 872 × 3 + 128 × 0.3 + 200 × 15
  [
    'cached tokens at their own price',
    'listed/cache',
    tokens(1000, 200, { cachedTokens: 128 }),
    0.0056544,
    'listed',
  ],
  [
    'cached tokens without their own price',
    'listed',
    tokens(1000, 200, { cachedTokens: 128 }),
    0.006,
    'listed',
  ],
  [
    'cached tokens that are free',
    'own/cache-free',
    tokens(1000, 200, { cachedTokens: 1000 }),
    0.0016,
    'file',
  ],
  // 1,000 × 3 + 4,000 × 0.3 + 200 × 15
  [
    'more cached than prompt tokens',
    'listed/cache',
    tokens(1000, 200, { cachedTokens: 4000 }),
    0.0072,
    'listed',
  ],
  // 1,000 × 3 + 128 × 0.3 + 200 × 15
  [
    'cached tokens that only the total contains',
    'listed/cache',
    tokens(1000, 200, { cachedTokens: 128, totalTokens: 1328 }),
    0.0060384,
    'listed',
  ],
  // 1,000 × 3 + 8 × 15 + 192 × 20
  ['hidden reasoning', 'listed/reasoning', tokens(1000, 200, { reasoningTokens: 192 }), 0.00696, 'listed'],
  ['reasoning without its own price', 'listed', tokens(1000, 200, { reasoningTokens: 192 }), 0.006, 'listed'],
  // 1,000 × 3 + 20 × 15 + 192 × 20
  [
    'reasoning that is not part of the completion tokens',
    'listed/reasoning',
    tokens(1000, 20, { reasoningTokens: 192 }),
    0.00714,
    'listed',
  ],
  // 1,000 × 3 + 200 × 15 + 300 × 20
  [
    'reasoning that only the total contains',
    'listed/reasoning',
    tokens(1000, 200, { totalTokens: 1500 }),
    0.012,
    'listed',
  ],
  // 500 × 2 + 500 × 0.5 + 8 × 8 + 192 × 20
  [
    'cached and reasoning tokens at the prices of the file',
    'own/all',
    tokens(1000, 200, { cachedTokens: 500, reasoningTokens: 192 }),
    0.005154,
    'file',
  ],
  ['a listed price of 0', 'listed/free', tokens(1000, 200), 0, 'listed'],
  ['a price of 0 in the file', 'own/free', tokens(1000, 200), 0, 'file'],
  ['another currency', 'own/euro', tokens(1000, 200), 0.0036, 'file', 'EUR'],
];

describe('cost of an answer', () => {
  it.each(rows)('equals tokens × price: %s', (_what, model, usage, expected, source, currency = 'USD') => {
    const cost = computeRunCost(model, usage);
    expect(cost).toMatchObject({ source, pricedCount: 1, unpricedCount: 0, isEstimated: false });
    expect(Object.keys(cost?.amounts ?? {})).toEqual([currency]);
    expect(Math.abs((cost?.amounts[currency] ?? Number.NaN) - expected)).toBeLessThan(1e-9);
  });

  it.each(['unpriced', 'other'])('is unknown, not 0, without a price: %s', (model) => {
    const cost = computeRunCost(model, tokens(1000, 200));
    expect(cost).toMatchObject({ amounts: {}, source: 'unknown', pricedCount: 0, unpricedCount: 1 });
    expect(cost && formatTotalCost(cost)).toBe('no price');
  });

  it('is estimated if the usage is missing, or only one count is reported', () => {
    // 12 × 3 + 3 × 15, then 1,000 × 3 + 3 × 15
    const estimatedInput = { estimatedPromptTokens: 12, firstTokenMs: 1, lastEventMs: 2 };
    for (const [usage, expected] of [
      [undefined, 0.000081],
      [{ promptTokens: 1000 }, 0.003045],
    ] as const) {
      const cost = computeRunCost('listed', usage, estimatedInput);
      expect(cost?.isEstimated).toBe(true);
      expect(Math.abs((cost?.amounts['USD'] ?? Number.NaN) - expected)).toBeLessThan(1e-9);
    }
  });

  it('does not exist if nothing was received', () => {
    expect(computeRunCost('listed', undefined, { choices: [], deltas: 0 })).toBeUndefined();
  });
});

describe('price lookup', () => {
  it('uses the first gateway for a setup without one, and no other gateway for a setup with one', () => {
    expect(getModelPrice({ model: 'listed' })).toMatchObject({ inputPerMillion: 3, source: 'listed' });
    expect(getModelPrice({ model: 'listed', gateway: 'production' })?.inputPerMillion).toBe(3);
    expect(getModelPrice({ model: 'listed', gateway: 'staging' })).toMatchObject({
      inputPerMillion: 1,
      source: 'file',
    });
    expect(getModelPrice({ model: 'own', gateway: 'staging' })).toBeUndefined();
    expect(getModelPrice({ model: 'listed', gateway: 'removed' })).toBeUndefined();
  });

  it('formats a price of a million tokens, also if it is free or unknown', () => {
    const format = (model: string) => formatModelPrice(getModelPrice({ model }));
    expect(['listed', 'own/euro', 'own/free', 'unpriced'].map(format)).toEqual([
      '$3 / $15',
      '€2 / €8',
      'free',
      undefined,
    ]);
  });
});

describe('sum of costs', () => {
  const computeSum = (...models: string[]) =>
    computeRunsCost(
      models.map((model) => createEndedRun(model, tokens(1000, 200))),
      getModelPrice,
    );

  it('marks a sum without some answers, and says how many have no price', () => {
    const cost = computeSum('listed', 'unpriced', 'listed', 'other');
    expect(cost && [formatTotalCost(cost), describeCost(cost)]).toEqual([
      '≥ $0.012',
      'Cost at the current list price of the gateway. 2 of 4 answers have no price.',
    ]);
  });

  it('keeps currencies apart', () => {
    const cost = computeSum('own', 'own/euro', 'own');
    expect(cost && formatTotalCost(cost)).toBe('$0.0072 + €0.0036');
  });

  it('is free if all answers are, and unknown if all prices are', () => {
    const format = (...models: string[]) => {
      const cost = computeSum(...models);
      return cost && formatTotalCost(cost);
    };
    expect(format('listed/free', 'own/free')).toBe('$0.00');
    expect(format('listed/free', 'unpriced')).toBe('≥ $0.00');
    expect(format('unpriced', 'other')).toBe('no price');
    expect(addCosts([])).toBeUndefined();
  });

  it.each([
    [['own'], 'Cost at the price in the file of GATEWAY_PRICES.'],
    [['own', 'listed'], 'Cost as reported, or at the current prices.'],
    [['unpriced'], 'Neither the provider nor the price lists give a price.'],
  ])('describes the origin of the cost: %s', (models, expected) => {
    const cost = computeSum(...models);
    expect(cost && describeCost(cost)).toBe(expected);
  });
});
