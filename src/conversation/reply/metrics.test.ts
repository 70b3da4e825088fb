import { describe, expect, it } from 'vitest';

import type { StreamEvent } from '../../gateway/stream/stream-events.ts';
import { createTestSetup } from '../../testing/builders.ts';
import type { Run } from '../session/types.ts';
import { describeFirstToken, describeSpeed, describeTokens, computeMetrics } from './metrics.ts';
import { applyEvents, interruptRun, createRun, markRunSent, stopQueuedRun } from './run.ts';

function createSentRun(): Run {
  return markRunSent(createRun('a', 'b', createTestSetup()), {
    sentAt: 1,
    requestId: 'r',
    estimatedPromptTokens: 12,
  });
}

function foldEvents(...events: [number, StreamEvent][]): Run {
  return applyEvents(
    createSentRun(),
    events.map(([atMs, event]) => ({ atMs, event })),
  );
}

const createText = (piece: string): StreamEvent => ({ type: 'text-delta', choice: 0, text: piece });
const createThinking = (piece: string): StreamEvent => ({ type: 'thinking-delta', choice: 0, text: piece });
const finish: StreamEvent = { type: 'choice-end', choice: 0, reason: 'stop' };
const closed: StreamEvent = { type: 'end', end: 'closed' };

it('reports no speed if the whole answer arrived at the same time', () => {
  const run = foldEvents([500, createText('a')], [500, createText('b')], [500, finish], [500, closed]);
  expect(computeMetrics(run).tokensPerSecond).toEqual({ kind: 'none', why: 'Not streamed.' });
});

describe('metrics of a streamed answer', () => {
  const run = foldEvents(
    [500, createThinking('hm')],
    [900, createText('a')],
    [1300, createText('b')],
    [1500, finish],
    [1500, closed],
  );

  it('estimates token counts from deltas if no usage is reported', () => {
    expect(computeMetrics(run)).toEqual({
      timeToFirstToken: { kind: 'exact', value: 500 },
      timeToFirstText: 900,
      tokensPerSecond: { kind: 'estimated', value: 3 },
      tokensIn: { kind: 'estimated', value: 12 },
      tokensOut: { kind: 'estimated', value: 3 },
      duration: { kind: 'exact', value: 1500 },
    });
  });

  it('uses reported usage for tokens and speed', () => {
    const usage = { promptTokens: 9, completionTokens: 50, reasoningTokens: 20 };
    expect(computeMetrics({ ...run, usage })).toMatchObject({
      tokensPerSecond: { kind: 'exact', value: 50 },
      tokensIn: { kind: 'exact', value: 9 },
      tokensOut: { kind: 'exact', value: 50 },
      reasoningTokens: 20,
    });
  });

  it('updates during streaming and reports metrics that are still unknown as "not yet"', () => {
    const liveRun = foldEvents([500, createText('a')], [700, createText('b')]);
    expect(computeMetrics(liveRun)).toMatchObject({
      timeToFirstToken: { kind: 'exact', value: 500 },
      tokensPerSecond: { kind: 'estimated', value: 10 },
      duration: { kind: 'not yet' },
    });
    expect(computeMetrics(createSentRun())).toMatchObject({
      timeToFirstToken: { kind: 'not yet' },
      tokensPerSecond: { kind: 'not yet' },
      tokensOut: { kind: 'not yet' },
    });
  });
});

describe('metrics with hidden reasoning', () => {
  const createPiece = (atMs: number): [number, StreamEvent] => [atMs, createText('word ')];
  const answer = foldEvents(
    createPiece(1510),
    createPiece(1800),
    createPiece(2340),
    [2340, finish],
    [2340, closed],
  );
  const usage = { promptTokens: 20, completionTokens: 269, totalTokens: 289, reasoningTokens: 192 };

  it('excludes hidden reasoning from the speed but not from the time to first token', () => {
    const metrics = computeMetrics({ ...answer, usage: { ...usage, cachedTokens: 128 } });
    expect(metrics.tokensPerSecond).toEqual({ kind: 'exact', value: 77 / 0.83 });
    expect(metrics.tokensOut).toEqual({ kind: 'exact', value: 269 });
    expect(describeSpeed(metrics)).toBe('192 hidden reasoning tokens not counted');
    expect(describeFirstToken(metrics)).toBe('reasoning included');
    expect(describeTokens(metrics)).toBe('192 reasoning, 128 cached');
  });

  it('includes streamed reasoning in the speed', () => {
    const streamedRun = foldEvents(
      [1000, createThinking('hm')],
      createPiece(1800),
      createPiece(2000),
      [2000, finish],
      [2000, closed],
    );
    const metrics = computeMetrics({ ...streamedRun, usage });
    expect(metrics.tokensPerSecond).toEqual({ kind: 'exact', value: 269 });
    expect([describeSpeed(metrics), describeFirstToken(metrics)]).toEqual([undefined, undefined]);
  });

  it('estimates the speed from deltas if all reported tokens are reasoning', () => {
    const metrics = computeMetrics({ ...answer, usage: { ...usage, completionTokens: 192 } });
    expect(metrics.tokensPerSecond).toEqual({ kind: 'estimated', value: 3 / 0.83 });
  });

  it.each([
    ['in the total only', { promptTokens: 10, completionTokens: 5, totalTokens: 115 }, 105, 100],
    [
      'in the total only, with a reasoning count of 0',
      { promptTokens: 10, completionTokens: 0, totalTokens: 115 },
      105,
      undefined,
    ],
    ['in the total only, without a reasoning count', { promptTokens: 10, totalTokens: 115 }, 105, undefined],
    [
      'separately from the output',
      { promptTokens: 12, completionTokens: 9, totalTokens: 400, reasoningTokens: 379 },
      388,
      379,
    ],
    ['separately from the output, without a total', { completionTokens: 9, reasoningTokens: 379 }, 388, 379],
    ['within the output', usage, 269, 192],
  ])('counts reasoning in the output if it was reported %s', (_, reportedUsage, value, reasoningTokens) => {
    const metrics = computeMetrics({ ...answer, usage: reportedUsage });
    expect(metrics.tokensOut).toEqual({ kind: 'exact', value });
    expect(metrics.reasoningTokens).toBe(reasoningTokens);
    expect(metrics.isInconsistent).toBeUndefined();
  });

  it('does not count cached tokens in the total as reasoning', () => {
    const reportedUsage = { promptTokens: 10, completionTokens: 5, totalTokens: 143, cachedTokens: 128 };
    expect(computeMetrics({ ...answer, usage: reportedUsage }).tokensOut).toEqual({
      kind: 'exact',
      value: 5,
    });
  });

  it('never reports 0 output tokens if text arrived', () => {
    for (const reportedUsage of [
      { promptTokens: 10, completionTokens: 0, totalTokens: 10 },
      { completionTokens: 0 },
      { promptTokens: 0, completionTokens: 0, totalTokens: 0 },
    ]) {
      const metrics = computeMetrics({ ...answer, usage: reportedUsage });
      expect(metrics.tokensOut).toEqual({ kind: 'estimated', value: 3 });
      expect(describeTokens(metrics)).toBe('reported inconsistently');
    }
    const contradiction = { promptTokens: 10, completionTokens: 5, totalTokens: 15, reasoningTokens: 100 };
    const metrics = computeMetrics({ ...answer, usage: contradiction });
    expect(metrics.tokensOut).toEqual({ kind: 'exact', value: 105 });
    expect(describeTokens(metrics)).toBe('100 reasoning, reported inconsistently');
  });
});

describe('metrics of a complete response', () => {
  it('reports no speed and estimates tokens by length, including reasoning and calls', () => {
    const call: StreamEvent = {
      type: 'tool-call-delta',
      choice: 0,
      slot: 0,
      name: 'add!',
      arguments: '{"a": 1}',
    };
    const unstreamedRun = foldEvents(
      [800, createThinking('x'.repeat(40))],
      [800, createText('y'.repeat(20))],
      [800, call],
      [800, finish],
      [801, closed],
    );
    expect(computeMetrics(unstreamedRun)).toMatchObject({
      timeToFirstToken: { kind: 'exact', value: 800 },
      tokensPerSecond: { kind: 'none', why: 'Not streamed.' },
      tokensOut: { kind: 'estimated', value: 18 },
    });
  });
});

describe('unavailable metrics', () => {
  it('explains why a metric is missing instead of reporting 0', () => {
    const stoppedRun = foldEvents([700, { type: 'end', end: 'aborted' }]);
    expect(computeMetrics(stoppedRun)).toMatchObject({
      timeToFirstToken: { kind: 'none', why: 'No tokens received.' },
      tokensOut: { kind: 'none' },
      duration: { kind: 'exact', value: 700 },
    });
    expect(computeMetrics(stopQueuedRun(createRun('a', 'b', createTestSetup()))).duration).toEqual({
      kind: 'none',
      why: 'Not sent.',
    });
    expect(computeMetrics(stopQueuedRun(createRun('a', 'b', createTestSetup()))).tokensIn).toEqual({
      kind: 'none',
      why: 'Not sent.',
    });
    expect(computeMetrics(interruptRun(createSentRun())).duration).toEqual({
      kind: 'none',
      why: 'End not received.',
    });
  });

  it('keeps a reported 0 if no text arrived', () => {
    expect(computeMetrics({ ...foldEvents([5, closed]), usage: { completionTokens: 0 } }).tokensOut).toEqual({
      kind: 'exact',
      value: 0,
    });
  });
});
