import { describe, expect, it } from 'vitest';

import {
  addTestTurn,
  createTestEnvironment,
  createTestSession,
  createTestSetup,
  createTestTurn,
  createTickedParams,
  getFirstLane,
} from '../../testing/builders.ts';
import type { Setup } from '../session/types.ts';
import { estimateContext, estimateNextCost } from './cost-estimate.ts';
import { getPriceLookup } from './cost.ts';

const getModelPrice = getPriceLookup([
  {
    gateway: 'default',
    models: [],
    ownPrices: [
      { model: 'dollar', inputPerMillion: 1000, outputPerMillion: 5000, currency: 'USD' },
      { model: 'euro', inputPerMillion: 2000, outputPerMillion: 5000, currency: 'EUR' },
      { model: 'free', inputPerMillion: 0, outputPerMillion: 0, currency: 'USD' },
    ],
  },
]);
/** Message of 10 estimated tokens. */
const message = 'x'.repeat(40);

const createSetup = (model: string, fields: Record<string, string> = {}, system = '') =>
  createTestSetup({ model, system, params: createTickedParams(fields) });
const estimate = (...setups: Setup[]) => {
  const data = createTestSession(createTestEnvironment(), setups);
  return estimateNextCost(data, data.session.laneIds, message, getModelPrice);
};

describe('estimated cost of the next request', () => {
  it('counts the system prompt and the message, without an answer', () => {
    // (5 + 10) × 0.001
    expect(estimate(createSetup('dollar', {}, 'y'.repeat(20)))).toEqual({
      text: 'from ~$0.015',
      description:
        'Estimated cost of the conversation and this message, without the answer and without images.',
    });
  });

  it.each([
    // 10 × 0.001 + 100 × 0.005
    [{ max_tokens: '100' }, 'up to ~$0.51'],
    [{ max_completion_tokens: '100' }, 'up to ~$0.51'],
    [{ max_tokens: '100', n: '3' }, 'up to ~$1.51'],
  ])('includes the longest possible answer if the request limits it: %s', (fields, text) => {
    const result = estimate(createSetup('dollar', fields));
    expect(result?.text).toBe(text);
    expect(result?.description).toContain('with the longest possible answer');
  });

  it('continues from the reported tokens of the last answer, without its reasoning', () => {
    const environment = createTestEnvironment();
    const first = addTestTurn(createTestSession(environment, [createSetup('dollar')]), environment, 'Hi', {
      usage: { promptTokens: 1000, completionTokens: 200, reasoningTokens: 192 },
    });
    const { data } = addTestTurn(first.data, environment, 'z'.repeat(400));
    // (1,000 + 8 + 100 + 10) × 0.001
    expect(estimateNextCost(data, data.session.laneIds, message, getModelPrice)?.text).toBe('from ~$1.12');
  });

  it('adds lanes, keeps currencies apart, and says how many have no price', () => {
    expect(estimate(createSetup('dollar'), createSetup('euro'), createSetup('dollar'))?.text).toBe(
      'from ~$0.020 + €0.020',
    );
    const limited = { max_tokens: '100' };
    const result = estimate(createSetup('dollar', limited), createSetup('other', limited));
    expect(result?.text).toBe('from ~$0.51');
    expect(result?.description).toContain('1 lane without a price not counted.');
    expect(estimate(createSetup('dollar', limited), createSetup('dollar'))?.text).toBe('from ~$0.020');
  });

  it('does not exist without any price, but is 0 for a free model', () => {
    expect(estimate(createSetup('other'))).toBeUndefined();
    expect(estimate(createSetup('free'))?.text).toBe('from ~$0.00');
  });
});

describe('context of the next request', () => {
  const setup = createTestSetup({
    system: 'x'.repeat(40),
    params: createTickedParams({ tools: '[{"type":"function","function":{"name":"f"}}]' }),
  });

  it.each([
    ['reported usage', { usage: { promptTokens: 500, completionTokens: 100 } }, 625],
    ['an estimate without usage, plus the tools', { estimatedPromptTokens: 500 }, 537],
  ])('counts from %s', (_, runChanges, tokens) => {
    const { data } = createTestTurn(createTestEnvironment(), 'Hi', runChanges);
    const usage = estimateContext(data, { ...getFirstLane(data), setup }, 'y'.repeat(100), 1000);
    expect(usage).toMatchObject({ tokens, maxTokens: 1000 });
    expect(usage.parts).toEqual([
      ['System prompt', 10],
      ['Tools', 12],
      ['Conversation', tokens - 25 - 22],
      ['Message', 25],
    ]);
  });
});
