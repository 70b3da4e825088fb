import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { findUsage, mergeUsage, parseUsage } from './parse-usage.ts';

const rawCounts = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };
const parsedUsage = { promptTokens: 9, completionTokens: 4, totalTokens: 13 };
const createChunk = (fields: object, choiceFields: object = {}) => ({
  id: 'x',
  choices: [{ index: 0, delta: { content: 'Hi' }, ...choiceFields }],
  ...fields,
});

describe('usage of a chunk', () => {
  it.each([
    ['at the top level', createChunk({ usage: rawCounts })],
    ['in a gateway-specific object', createChunk({ usage: null, x_groq: { id: 'req_1', usage: rawCounts } })],
    ['at a deeper level with another name', createChunk({ meta: { run: { billed_units: rawCounts } } })],
    ['as the chunk itself', { ...rawCounts, done: true }],
    ['in the choice of the last chunk', createChunk({}, { usage: rawCounts, finish_reason: 'stop' })],
    ['in the delta', createChunk({}, { delta: { content: 'Hi', usage: rawCounts } })],
    ['in the message', createChunk({}, { delta: undefined, message: { content: 'Hi', usage: rawCounts } })],
    [
      'beside a placeholder',
      createChunk({ usage: { prompt_tokens: 0, completion_tokens: 0 }, meta: { usage: rawCounts } }),
    ],
    [
      'in camel case',
      createChunk({ usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 4, totalTokenCount: 13 } }),
    ],
    ['as strings', createChunk({ usage: { input_tokens: '9', output_tokens: '4', total_tokens: '13' } })],
  ])('finds usage %s', (_, value) => {
    expect(findUsage(value)).toEqual(parsedUsage);
  });

  it.each([
    [
      'the arguments of a call',
      createChunk({}, { delta: { tool_calls: [{ function: { arguments: rawCounts } }] } }),
    ],
    ['parsed content', createChunk({}, { message: { parsed: rawCounts, content: [rawCounts] } })],
    ['rate limits', createChunk({ x_ratelimit: { limits: rawCounts } })],
    ['a single count in an unrelated object', createChunk({ meta: { input_tokens: 9 } })],
    ['an error', { error: { usage: rawCounts } }],
    ['text instead of counts', createChunk({ usage: { prompt_tokens: 'many', total_tokens: -1 } })],
  ])('finds no usage in %s', (_, value) => {
    expect(findUsage(value)).toBeUndefined();
  });

  it('finds reasoning and cached tokens anywhere in the usage', () => {
    const details = { reasoningTokens: 192, cachedTokens: 128 };
    for (const extraFields of [
      { prompt_tokens_details: { cached_tokens: 128 }, completion_tokens_details: { reasoning_tokens: 192 } },
      { input_tokens_details: { cached_tokens: 128 }, output_tokens_details: { reasoning_tokens: 192 } },
      {
        cache_read_input_tokens: 128,
        thoughts_token_count: 192,
        prompt_tokens_details: { cached_tokens: 0 },
      },
      { prompt_cache_hit_tokens: 128, reasoning_tokens: 192 },
    ])
      expect(parseUsage({ ...rawCounts, ...extraFields })).toEqual({ ...parsedUsage, ...details });
  });

  it('reads the cost as a number, text or object, but not in another currency', () => {
    const rows: [object, number | undefined][] = [
      [{ cost: 0.0016 }, 0.0016],
      [{ cost: '0.0016' }, 0.0016],
      [{ cost: 1.6e-3, cost_details: { upstream_inference_cost: 5 } }, 0.0016],
      [{ cost: { input_tokens_cost: 0.001, output_tokens_cost: 0.0006, total_cost: 0.0016 } }, 0.0016],
      [{ cost: null, cost_details: { upstream_inference_cost: '16e-4' } }, 0.0016],
      [{ cost: { prompt_cost: 0.25, completion_cost: 0.5 } }, 0.75],
      [{ estimated_cost: 0.0016, currency: 'USD' }, 0.0016],
      [{ cost: 0 }, 0],
      [{ cost: 3, currency: 'CNY' }, undefined],
      [{ cost: { total: 3, currency: 'EUR' } }, undefined],
      [{ cost: 'free' }, undefined],
      [{ cost: -1 }, undefined],
    ];
    for (const [extraFields, costUsd] of rows)
      expect(parseUsage({ ...rawCounts, ...extraFields }), JSON.stringify(extraFields)).toEqual({
        ...parsedUsage,
        ...(costUsd === undefined ? {} : { costUsd }),
      });
  });

  it('reads a cost next to the counts or alone', () => {
    expect(findUsage(createChunk({ x_meta: { cost: '0.5', usage: rawCounts } }))).toEqual({
      ...parsedUsage,
      costUsd: 0.5,
    });
    expect(findUsage({ choices: [], cost: '0.00011540' })).toEqual({ costUsd: 0.0001154 });
  });

  it('reads the same usage at any position, with keys in any order', () => {
    const noise = fc.dictionary(fc.constantFrom('id', 'created', 'timings', 'x', 'provider'), fc.json());
    const wrapper = fc.constantFrom('x_groq', 'meta', 'usage_report', 'response', 'message', 'delta');
    const usageArbitrary = fc.record({
      path: fc.array(wrapper, { maxLength: 3 }),
      inChoice: fc.boolean(),
      noise,
      isReversed: fc.boolean(),
      names: fc.constantFrom(
        ['prompt_tokens', 'completion_tokens', 'total_tokens'],
        ['inputTokens', 'outputTokens', 'totalTokens'],
        ['input-tokens', 'output-tokens', 'total-tokens'],
      ),
      values: fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 1e9 })),
    });
    fc.assert(
      fc.property(usageArbitrary, ({ path, inChoice, noise: otherFields, isReversed, names, values }) => {
        const record = Object.fromEntries(names.map((name, index) => [name, values[index]]));
        const inner = path.reduceRight<object>((value, name) => ({ [name]: value }), { usage: record });
        const entries = Object.entries({
          choices: [inChoice ? inner : {}],
          ...otherFields,
          ...(inChoice ? {} : inner),
        });
        const value = Object.fromEntries(isReversed ? entries.toReversed() : entries);
        expect(findUsage(value)).toEqual({
          promptTokens: values[0],
          completionTokens: values[1],
          totalTokens: values[2],
        });
      }),
    );
  });
});

it('replaces an earlier count with a later one, unless the later one is 0', () => {
  expect(
    mergeUsage({ promptTokens: 9, completionTokens: 1 }, { completionTokens: 4, cachedTokens: 0 }),
  ).toEqual({
    promptTokens: 9,
    completionTokens: 4,
    cachedTokens: 0,
  });
  expect(mergeUsage(parsedUsage, { promptTokens: 0, completionTokens: 0, totalTokens: 0 })).toEqual(
    parsedUsage,
  );
});
