import { describe, expect, it } from 'vitest';

import {
  addTestReply,
  addTestTurn,
  createTestEnvironment,
  createTestSession,
  createTestSetup,
  createTestTurn,
  createTickedParams,
  getFirstLane,
} from '../../testing/builders.ts';
import { createFilePart } from '../request/file-blocks.ts';
import { addPrompt } from '../session/edit-session.ts';
import type { Run, Setup } from '../session/types.ts';
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
        'Estimated cost of the conversation and this message, without the answer and without images and files other than text.',
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
  const rules = { findGateway: () => ({ id: 'g', name: 'default' }) };
  /** Answer with a call, whose reasoning of 30 estimated tokens goes back to its model. */
  const answer = {
    gatewayId: 'g',
    choices: [
      {
        parts: [{ type: 'tool-call' as const, slot: 0, name: 'f', arguments: '{}' }],
        opaque: { reasoning_content: `"${'r'.repeat(118)}"` },
      },
    ],
  };
  const file = createFilePart('f'.repeat(63), { name: 'notes.txt', bytes: 63 });
  const content = [{ type: 'text' as const, text: 'Hi' }, file];
  const fileTokens = Math.ceil(file.text.length / 4);

  /** Returns the usage after two turns, of which the first has a file and an answer with reasoning. */
  const estimateAfterTwoTurns = (usage: Run['usage'], lastSetup = setup) => {
    const environment = createTestEnvironment();
    const runChanges = { ...answer, setup: lastSetup, ...(usage ? { usage } : {}) };
    const withPrompt = addPrompt(createTestSession(environment, [setup]), environment, {
      messages: [{ role: 'user', content }],
    });
    const first = addTestReply(withPrompt.data, environment, withPrompt.promptId, runChanges);
    const { data } = addTestTurn(first.data, environment, 'Hi', runChanges);
    return estimateContext(data, { ...getFirstLane(data), setup }, 'y'.repeat(100), 1000, rules);
  };

  it('counts from reported usage and adds the reasoning of the last answer', () => {
    const usage = estimateAfterTwoTurns({ promptTokens: 500, completionTokens: 100, reasoningTokens: 90 });
    expect(usage).toMatchObject({ tokens: 500 + 10 + 30 + 25, maxTokens: 1000 });
    expect(usage.parts).toEqual([
      ['System prompt', 10],
      ['Tools', 12],
      ['Files', fileTokens],
      ['Conversation', 540 - 10 - 12 - fileTokens - 60],
      ['Thinking', 60],
      ['Message', 25],
    ]);
  });

  it('counts an estimate without usage, plus the tools and all reasoning', () => {
    const { data } = createTestTurn(createTestEnvironment(), 'Hi', {
      estimatedPromptTokens: 500,
      ...answer,
      setup,
    });
    const usage = estimateContext(data, { ...getFirstLane(data), setup }, '', 1000, rules);
    expect(usage.tokens).toBe(500 + 12 + 30);
    expect(usage.parts.map(([name]) => name)).toEqual(['System prompt', 'Tools', 'Conversation', 'Thinking']);
  });

  it.each([
    ['another model wrote it', {}, { ...setup, model: 'demo/other' }],
    ['it is never sent back', { sendReasoning: 'never' as const }, setup],
  ])('has no thinking if %s', (_, changes, runSetup) => {
    const { data } = createTestTurn(createTestEnvironment(), 'Hi', { ...answer, setup: runSetup });
    const usage = estimateContext(
      data,
      { ...getFirstLane(data), setup: { ...setup, ...changes } },
      '',
      1000,
      rules,
    );
    expect(usage.parts.map(([name]) => name)).toEqual(['System prompt', 'Tools', 'Conversation']);
  });

  it('counts the system prompt and the tools of a lane without an answer', () => {
    const data = createTestSession(createTestEnvironment(), [setup]);
    expect(estimateContext(data, getFirstLane(data), '', 1000)).toEqual({
      tokens: 22,
      maxTokens: 1000,
      parts: [
        ['System prompt', 10],
        ['Tools', 12],
      ],
    });
  });
});
