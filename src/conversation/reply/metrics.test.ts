import { describe, expect, it } from 'vitest';

import type { StreamEvent } from '../../gateway/stream/stream-events.ts';
import { aSetup } from '../../testing/builders.ts';
import type { Run } from '../session/types.ts';
import { metricsOf } from './metrics.ts';
import { applyEvents, interruptRun, newRun, sendRun, stopQueuedRun } from './run.ts';

function sent(): Run {
  return sendRun(newRun('a', 'b', aSetup()), { sentAt: 1, requestId: 'r', estimatedPromptTokens: 12 });
}

function play(...events: [number, StreamEvent][]): Run {
  return applyEvents(
    sent(),
    events.map(([atMs, event]) => ({ atMs, event })),
  );
}

const text = (piece: string): StreamEvent => ({ type: 'text-delta', choice: 0, text: piece });
const thinking = (piece: string): StreamEvent => ({ type: 'thinking-delta', choice: 0, text: piece });
const finish: StreamEvent = { type: 'choice-end', choice: 0, reason: 'stop' };
const closed: StreamEvent = { type: 'end', end: 'closed' };

it('an answer that came in one moment has no speed', () => {
  const run = play([500, text('a')], [500, text('b')], [500, finish], [500, closed]);
  expect(metricsOf(run).tokensPerSecond).toEqual({ kind: 'none', why: 'Not streamed.' });
});

describe('the numbers of a streamed answer', () => {
  const run = play(
    [500, thinking('hm')],
    [900, text('a')],
    [1300, text('b')],
    [1500, finish],
    [1500, closed],
  );

  it('are estimated from its deltas where no usage was reported', () => {
    expect(metricsOf(run)).toEqual({
      timeToFirstToken: { kind: 'exact', value: 500 },
      timeToFirstText: 900,
      tokensPerSecond: { kind: 'estimated', value: 3 },
      tokensIn: { kind: 'estimated', value: 12 },
      tokensOut: { kind: 'estimated', value: 3 },
      duration: { kind: 'exact', value: 1500 },
    });
  });

  it('are exact where usage was reported: output tokens between the first token and the end', () => {
    const usage = { promptTokens: 9, completionTokens: 50, reasoningTokens: 20 };
    expect(metricsOf({ ...run, usage })).toMatchObject({
      tokensPerSecond: { kind: 'exact', value: 50 },
      tokensIn: { kind: 'exact', value: 9 },
      tokensOut: { kind: 'exact', value: 50 },
      reasoningTokens: 20,
    });
  });

  it('go on while it streams: what cannot be known yet is not yet', () => {
    const live = play([500, text('a')], [700, text('b')]);
    expect(metricsOf(live)).toMatchObject({
      timeToFirstToken: { kind: 'exact', value: 500 },
      tokensPerSecond: { kind: 'estimated', value: 10 },
      duration: { kind: 'not yet' },
    });
    expect(metricsOf(sent())).toMatchObject({
      timeToFirstToken: { kind: 'not yet' },
      tokensPerSecond: { kind: 'not yet' },
      tokensOut: { kind: 'not yet' },
    });
  });
});

describe('the numbers of an answer in one piece', () => {
  it('have no speed, and its length stands for its tokens, reasoning and calls counted', () => {
    const call: StreamEvent = {
      type: 'tool-call-delta',
      choice: 0,
      slot: 0,
      name: 'add!',
      arguments: '{"a": 1}',
    };
    const whole = play(
      [800, thinking('x'.repeat(40))],
      [800, text('y'.repeat(20))],
      [800, call],
      [800, finish],
      [801, closed],
    );
    expect(metricsOf(whole)).toMatchObject({
      timeToFirstToken: { kind: 'exact', value: 800 },
      tokensPerSecond: { kind: 'none', why: 'Not streamed.' },
      tokensOut: { kind: 'estimated', value: 18 },
    });
  });
});

describe('numbers that cannot exist', () => {
  it('say why, and are never 0', () => {
    const stopped = play([700, { type: 'end', end: 'aborted' }]);
    expect(metricsOf(stopped)).toMatchObject({
      timeToFirstToken: { kind: 'none', why: 'No tokens received.' },
      tokensOut: { kind: 'none' },
      duration: { kind: 'exact', value: 700 },
    });
    expect(metricsOf(stopQueuedRun(newRun('a', 'b', aSetup()))).duration).toEqual({
      kind: 'none',
      why: 'Not sent.',
    });
    expect(metricsOf(stopQueuedRun(newRun('a', 'b', aSetup()))).tokensIn).toEqual({
      kind: 'none',
      why: 'Not sent.',
    });
    expect(metricsOf(interruptRun(sent())).duration).toEqual({ kind: 'none', why: 'End not received.' });
  });

  it('take a reported 0 for what it is', () => {
    expect(metricsOf({ ...play([5, closed]), usage: { completionTokens: 0 } }).tokensOut).toEqual({
      kind: 'exact',
      value: 0,
    });
  });
});
