import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { findUsage, mergeUsage, usageOf } from './parse-usage.ts';

const counts = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };
const read = { promptTokens: 9, completionTokens: 4, totalTokens: 13 };
const chunk = (more: object, inChoice: object = {}) => ({
  id: 'x',
  choices: [{ index: 0, delta: { content: 'Hi' }, ...inChoice }],
  ...more,
});

describe('usage in a chunk', () => {
  it.each([
    ['at the top', chunk({ usage: counts })],
    ['in an object of the gateway', chunk({ usage: null, x_groq: { id: 'req_1', usage: counts } })],
    ['deeper, under another name', chunk({ meta: { run: { billed_units: counts } } })],
    ['as the chunk itself', { ...counts, done: true }],
    ['in the choice of the last piece', chunk({}, { usage: counts, finish_reason: 'stop' })],
    ['in the delta', chunk({}, { delta: { content: 'Hi', usage: counts } })],
    ['in the message', chunk({}, { delta: undefined, message: { content: 'Hi', usage: counts } })],
    [
      'beside a placeholder',
      chunk({ usage: { prompt_tokens: 0, completion_tokens: 0 }, meta: { usage: counts } }),
    ],
    [
      'in camel case',
      chunk({ usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 4, totalTokenCount: 13 } }),
    ],
    ['as words', chunk({ usage: { input_tokens: '9', output_tokens: '4', total_tokens: '13' } })],
  ])('finds usage %s', (_, value) => {
    expect(findUsage(value)).toEqual(read);
  });

  it.each([
    ['arguments of a call', chunk({}, { delta: { tool_calls: [{ function: { arguments: counts } }] } })],
    ['parsed content', chunk({}, { message: { parsed: counts, content: [counts] } })],
    ['limits', chunk({ x_ratelimit: { limits: counts } })],
    ['one count under a name that says nothing', chunk({ meta: { input_tokens: 9 } })],
    ['an error', { error: { usage: counts } }],
    ['words in place of counts', chunk({ usage: { prompt_tokens: 'many', total_tokens: -1 } })],
  ])('finds no usage in %s', (_, value) => {
    expect(findUsage(value)).toBeUndefined();
  });

  it('finds reasoning and cached tokens at any place of the usage', () => {
    const details = { reasoningTokens: 192, cachedTokens: 128 };
    for (const more of [
      { prompt_tokens_details: { cached_tokens: 128 }, completion_tokens_details: { reasoning_tokens: 192 } },
      { input_tokens_details: { cached_tokens: 128 }, output_tokens_details: { reasoning_tokens: 192 } },
      {
        cache_read_input_tokens: 128,
        thoughts_token_count: 192,
        prompt_tokens_details: { cached_tokens: 0 },
      },
      { prompt_cache_hit_tokens: 128, reasoning_tokens: 192 },
    ])
      expect(usageOf({ ...counts, ...more })).toEqual({ ...read, ...details });
  });

  it('reads the cost as number, text or object, but not in another currency', () => {
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
    for (const [more, costUsd] of rows)
      expect(usageOf({ ...counts, ...more }), JSON.stringify(more)).toEqual({
        ...read,
        ...(costUsd === undefined ? {} : { costUsd }),
      });
  });

  it('reads a cost beside the counts or alone', () => {
    expect(findUsage(chunk({ x_meta: { cost: '0.5', usage: counts } }))).toEqual({ ...read, costUsd: 0.5 });
    expect(findUsage({ choices: [], cost: '0.00011540' })).toEqual({ costUsd: 0.0001154 });
  });

  it('reads the same usage at any place, with keys in any order', () => {
    const noise = fc.dictionary(fc.constantFrom('id', 'created', 'timings', 'x', 'provider'), fc.json());
    const wrapper = fc.constantFrom('x_groq', 'meta', 'usage_report', 'response', 'message', 'delta');
    const shape = fc.record({
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
      fc.property(shape, ({ path, inChoice, noise: others, isReversed, names, values }) => {
        const record = Object.fromEntries(names.map((name, index) => [name, values[index]]));
        const inner = path.reduceRight<object>((value, name) => ({ [name]: value }), { usage: record });
        const entries = Object.entries({
          choices: [inChoice ? inner : {}],
          ...others,
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

it('replaces an earlier count by a later one, unless that is 0', () => {
  expect(
    mergeUsage({ promptTokens: 9, completionTokens: 1 }, { completionTokens: 4, cachedTokens: 0 }),
  ).toEqual({
    promptTokens: 9,
    completionTokens: 4,
    cachedTokens: 0,
  });
  expect(mergeUsage(read, { promptTokens: 0, completionTokens: 0, totalTokens: 0 })).toEqual(read);
});
