import { expect, it } from 'vitest';

import { parsePrice, type Price } from './model-price.ts';

const createPrice = (promptUsd: number, completionUsd: number): Price => ({ promptUsd, completionUsd });

const rows: [string, unknown, Price | undefined][] = [
  [
    'OpenRouter: quoted, per token',
    { pricing: { prompt: '0.000003', completion: '0.000015', request: '0', image: '0.0048' } },
    createPrice(3, 15),
  ],
  ['one that is free there', { pricing: { prompt: '0', completion: '0' } }, createPrice(0, 0)],
  [
    'one whose price depends on the model that answers',
    { pricing: { prompt: '-1', completion: '-1' } },
    undefined,
  ],
  [
    'one that also charges for each request',
    { pricing: { prompt: '0.000001', completion: '0.000001', request: '0.005' } },
    undefined,
  ],
  [
    'Vercel: quoted, per token, under other names',
    { pricing: { input: '0.00000125', output: '0.00001', input_cache_read: '0.000000125' } },
    createPrice(1.25, 10),
  ],
  [
    'Together: numbers, per million',
    { pricing: { hourly: 0, input: 0.88, output: 0.88, base: 0, finetune: 0 } },
    createPrice(0.88, 0.88),
  ],
  [
    'one that Together rents out by the hour',
    { pricing: { hourly: 2.5, input: 0, output: 0, base: 0, finetune: 0 } },
    undefined,
  ],
  [
    'LiteLLM: the unit is in the name',
    { model_info: { input_cost_per_token: 3e-7, output_cost_per_token: 6e-7 } },
    createPrice(0.3, 0.6),
  ],
  [
    'the same at the top',
    { input_cost_per_token: '1.5e-7', output_cost_per_token: 0.0000006 },
    createPrice(0.15, 0.6),
  ],
  [
    'zeros of LiteLLM, which it writes where it knows no price',
    { model_info: { input_cost_per_token: 0, output_cost_per_token: 0 } },
    undefined,
  ],
  [
    'a price per million under the name of one per token',
    { input_cost_per_token: 0.15, output_cost_per_token: 0.6 },
    undefined,
  ],
  [
    'DeepInfra: per million, in the metadata',
    { metadata: { pricing: { input_tokens: 0.075, output_tokens: 0.3 } } },
    createPrice(0.075, 0.3),
  ],
  [
    'a unit in words',
    { pricing: { prompt: 2.5, completion: 10, currency: 'USD', unit: 'per_million_tokens' } },
    createPrice(2.5, 10),
  ],
  ['another unit in words', { pricing: { prompt: 2.5, completion: 10, unit: 'per_1k_tokens' } }, undefined],
  [
    'another currency',
    { pricing: { prompt: '0.000003', completion: '0.000015', currency: 'EUR' } },
    undefined,
  ],
  ['numbers per token, thousand or million', { pricing: { prompt: 0.0005, completion: 0.0015 } }, undefined],
  ['numbers per thousand or million', { pricing: { input: 0.5, output: 1.5 } }, undefined],
  ['quoted numbers that no token costs', { pricing: { prompt: '0.5', completion: '1.5' } }, undefined],
  ['words', { pricing: { prompt: '$0.50', completion: 'ask us' } }, undefined],
  ['one price of two', { pricing: { prompt: '0.000003' } }, undefined],
  ['no numbers', { pricing: { prompt: null, completion: {} } }, undefined],
  ['a price that is not an object', { pricing: 'free' }, undefined],
  ['a record without one', { id: 'a', object: 'model' }, undefined],
  ['a name', 'a/b', undefined],
];

it.each(rows)('reads the price of %s', (_what, record, expected) => {
  expect(parsePrice(record)).toEqual(expected);
});
