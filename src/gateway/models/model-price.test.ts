import { expect, it } from 'vitest';

import { parsePrice, type Price } from './model-price.ts';

const createPrice = (
  inputPerMillion: number,
  outputPerMillion: number,
  otherFields: Partial<Price> = {},
): Price => ({ inputPerMillion, outputPerMillion, currency: 'USD', ...otherFields });

const rows: [string, unknown, Price | undefined][] = [
  [
    'strings per token (OpenRouter)',
    { pricing: { prompt: '0.000003', completion: '0.000015', request: '0', image: '0.0048' } },
    createPrice(3, 15),
  ],
  ['zero prices (OpenRouter)', { pricing: { prompt: '0', completion: '0' } }, createPrice(0, 0)],
  ['a price that depends on the routed model', { pricing: { prompt: '-1', completion: '-1' } }, undefined],
  [
    'an additional price per request',
    { pricing: { prompt: '0.000001', completion: '0.000001', request: '0.005' } },
    undefined,
  ],
  [
    'strings per token with other names (Vercel)',
    { pricing: { input: '0.00000125', output: '0.00001', input_cache_read: '0.000000125' } },
    createPrice(1.25, 10, { cachedInputPerMillion: 0.125 }),
  ],
  [
    'numbers per million tokens (Together)',
    { pricing: { hourly: 0, input: 0.88, output: 0.88, base: 0, finetune: 0 } },
    createPrice(0.88, 0.88),
  ],
  [
    'a price per hour (Together)',
    { pricing: { hourly: 2.5, input: 0, output: 0, base: 0, finetune: 0 } },
    undefined,
  ],
  [
    'a unit in the field name (LiteLLM)',
    { model_info: { input_cost_per_token: 3e-7, output_cost_per_token: 6e-7 } },
    createPrice(0.3, 0.6),
  ],
  [
    'a unit in the field name at the top level',
    { input_cost_per_token: '1.5e-7', output_cost_per_token: 0.0000006 },
    createPrice(0.15, 0.6),
  ],
  [
    'zeros for unknown prices (LiteLLM)',
    { model_info: { input_cost_per_token: 0, output_cost_per_token: 0 } },
    undefined,
  ],
  [
    'prices per million in fields for prices per token',
    { input_cost_per_token: 0.15, output_cost_per_token: 0.6 },
    undefined,
  ],
  [
    'prices per million in metadata (DeepInfra)',
    { metadata: { pricing: { input_tokens: 0.075, output_tokens: 0.3 } } },
    createPrice(0.075, 0.3),
  ],
  [
    'a known unit',
    { pricing: { prompt: 2.5, completion: 10, currency: 'USD', unit: 'per_million_tokens' } },
    createPrice(2.5, 10),
  ],
  ['an unknown unit', { pricing: { prompt: 2.5, completion: 10, unit: 'per_1k_tokens' } }, undefined],
  [
    'another currency',
    { pricing: { prompt: '0.000003', completion: '0.000015', currency: 'eur' } },
    createPrice(3, 15, { currency: 'EUR' }),
  ],
  [
    'a unit of the provider instead of a currency',
    { pricing: { prompt: '0.000003', completion: '0.000015', currency: 'credits' } },
    undefined,
  ],
  [
    'prices of cached and reasoning tokens (OpenRouter)',
    {
      pricing: {
        prompt: '0.000003',
        completion: '0.000015',
        input_cache_read: '0.0000003',
        internal_reasoning: '0.00002',
      },
    },
    createPrice(3, 15, { cachedInputPerMillion: 0.3, reasoningPerMillion: 20 }),
  ],
  [
    'zeros for cached and reasoning tokens without a separate price (OpenRouter)',
    {
      pricing: { prompt: '0.000003', completion: '0.000015', input_cache_read: '0', internal_reasoning: '0' },
    },
    createPrice(3, 15),
  ],
  [
    'prices of cached and reasoning tokens (LiteLLM)',
    {
      model_info: {
        input_cost_per_token: 3e-6,
        output_cost_per_token: 1.5e-5,
        cache_read_input_token_cost: 3e-7,
        output_cost_per_reasoning_token: 2e-5,
      },
    },
    createPrice(3, 15, { cachedInputPerMillion: 0.3, reasoningPerMillion: 20 }),
  ],
  [
    'the price of cached tokens in metadata (DeepInfra)',
    { metadata: { pricing: { input_tokens: 0.4, output_tokens: 1.6, cache_read_tokens: 0.1 } } },
    createPrice(0.4, 1.6, { cachedInputPerMillion: 0.1 }),
  ],
  [
    'numbers that could be per token, thousand or million',
    { pricing: { prompt: 0.0005, completion: 0.0015 } },
    undefined,
  ],
  ['numbers that could be per thousand or million', { pricing: { input: 0.5, output: 1.5 } }, undefined],
  ['strings too large for a price per token', { pricing: { prompt: '0.5', completion: '1.5' } }, undefined],
  ['text instead of numbers', { pricing: { prompt: '$0.50', completion: 'ask us' } }, undefined],
  ['only one of two prices', { pricing: { prompt: '0.000003' } }, undefined],
  ['null and an object instead of numbers', { pricing: { prompt: null, completion: {} } }, undefined],
  ['a string instead of an object', { pricing: 'free' }, undefined],
  ['a record without a price', { id: 'a', object: 'model' }, undefined],
  ['a bare model name', 'a/b', undefined],
];

it.each(rows)('reads the price of a model: %s', (_what, record, expected) => {
  expect(parsePrice(record)).toEqual(expected);
});
