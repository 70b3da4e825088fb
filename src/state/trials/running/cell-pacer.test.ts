import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import type { ErrorReport } from '../../../gateway/errors/errors.ts';
import { countTimers } from '../../../testing/wait-until.ts';
import { createRunQueue } from '../../runs/run-queue.ts';
import { createGatewayPace, createCellPacer } from './cell-pacer.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 1_700_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const rejection: ErrorReport = { source: 'gateway', kind: 'rate-limited', message: 'Slow down', status: 429 };

function createTestPace(limit: number) {
  const now = () => Date.now();
  const queue = createRunQueue({ now, getLimit: () => limit });
  const rules = { mayLeave: () => true };
  const gatewayPace = createGatewayPace({ queue, now });
  const createPacer = () => createCellPacer({ queue, gateway: gatewayPace, canSend: () => rules.mayLeave() });
  const acquire = createPacer();
  const { signal: never } = new AbortController();
  const sent: string[] = [];
  const enter = async (runId: string, signal = never, acquireSlot = acquire) => {
    const release = await acquireSlot(runId, signal);
    sent.push(runId);
    release();
  };
  /** Records a refusal of a request that is sent now. */
  const reject = (more: Partial<ErrorReport> = {}) =>
    gatewayPace.onRejected({ ...rejection, ...more }, now());
  return { pacing: gatewayPace, line: acquire, aLine: createPacer, rules, left: sent, enter, refuse: reject };
}

it('a refusal halves the limit for 20 s, or the rate so far where there is no limit', async () => {
  const { pacing, refuse } = createTestPace(50);
  expect(pacing.getStatus()).toMatchObject({ perMinute: 50, isSlowed: false, heldUntil: 0 });
  refuse();
  expect(pacing.getStatus()).toMatchObject({ perMinute: 25, isSlowed: true, heldUntil: Date.now() + 10_000 });
  vi.setSystemTime(Date.now() + 29_999);
  expect(pacing.getStatus()).toMatchObject({ perMinute: 25, isSlowed: true });
  vi.setSystemTime(Date.now() + 1);
  expect(pacing.getStatus()).toMatchObject({ perMinute: 50, isSlowed: false });

  const unlimited = createTestPace(0);
  await unlimited.enter('long ago');
  vi.setSystemTime(Date.now() + 60_000);
  for (const runId of ['1', '2', '3', '4', '5', '6']) await unlimited.enter(runId);
  vi.setSystemTime(Date.now() + 300);
  expect(unlimited.pacing.getStatus()).toMatchObject({ perMinute: 0, isSlowed: false });
  unlimited.refuse();
  expect(unlimited.pacing.getStatus()).toMatchObject({ perMinute: 180, isSlowed: true });
});

it('pauses at the third refusal in a row, each after its wait; an answer or a person begins the count again', () => {
  const { pacing, refuse } = createTestPace(100);
  const rejectAfterWait = (times: number) =>
    Array.from({ length: times }, () => {
      vi.setSystemTime(Math.max(Date.now(), pacing.getStatus().heldUntil));
      return refuse();
    });
  expect(rejectAfterWait(2)).toEqual([false, false]);
  pacing.onAnswer();
  expect(rejectAfterWait(2)).toEqual([false, false]);
  pacing.resetRejections();
  expect([rejectAfterWait(1), refuse(), refuse(), refuse()].flat()).toEqual([false, false, false, false]);
  expect(rejectAfterWait(2)).toEqual([false, true]);
  expect(pacing.getStatus().isSlowed, 'it stays slow').toBe(true);
});

it('holds the cells of every trial of the gateway, which then share one pace', async () => {
  const { refuse, enter, aLine, left } = createTestPace(0);
  for (const runId of ['1', '2']) await enter(runId);
  refuse();
  const otherPacer = aLine();
  void enter('3');
  void enter('4', undefined, otherPacer);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(left).toEqual(['1', '2']);
  await vi.advanceTimersByTimeAsync(1);
  expect(left).toHaveLength(3);
  // 60 a minute.
  await vi.advanceTimersByTimeAsync(1000);
  expect(left).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(100);
  expect(left).toHaveLength(4);
});

it('what is held waits for its time, and what is taken out of the line makes room at once', async () => {
  const { line, refuse, left, enter } = createTestPace(0);
  refuse({ retryAfterMs: 5003 });
  const timers = countTimers((ms) => ms === 5003);
  const stopped = new AbortController();
  const first = line('first', stopped.signal);
  void enter('second');
  await vi.advanceTimersByTimeAsync(5002);
  expect(left).toEqual([]);
  expect(timers()).toBe(1);
  stopped.abort(new Error('Stopped by a person'));
  await expect(first).rejects.toThrow('Stopped by a person');
  expect(timers(), 'the second has a timer of its own').toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(left).toEqual(['second']);
});

it('what may not leave waits until it is taken out of the line, and is not sent', async () => {
  const { line, rules, left, enter } = createTestPace(0);
  rules.mayLeave = () => false;
  for (const reason of [new Error('Paused'), 'Paused']) {
    const stop = new AbortController();
    const waiting = line('first', stop.signal);
    await vi.advanceTimersByTimeAsync(60_000);
    stop.abort(reason);
    await expect(waiting).rejects.toThrow(reason instanceof Error ? 'Paused' : 'Stopped');
  }
  const stopped = AbortSignal.abort(new Error('Gone before its turn'));
  await expect(line('second', stopped)).rejects.toThrow('Gone before its turn');
  // Who asks whether it may leave may be who takes it out.
  const stop = new AbortController();
  rules.mayLeave = () => {
    stop.abort(new Error('The disk is full'));
    return false;
  };
  await expect(line('third', stop.signal)).rejects.toThrow('The disk is full');
  rules.mayLeave = () => true;
  await enter('fourth');
  expect(left).toEqual(['fourth']);
});

it('what is held or stopped while it waits for its turn in the minute does not leave when that has come', async () => {
  for (const isHeld of [true, false]) {
    const { refuse, rules, left, enter } = createTestPace(1);
    await enter('first');
    const stop = new AbortController();
    void enter('second', stop.signal).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1000);
    if (isHeld) refuse({ retryAfterMs: 120_000 });
    else rules.mayLeave = () => false;
    await vi.advanceTimersByTimeAsync(90_000);
    expect(left, String(isHeld)).toEqual(['first']);
    await vi.advanceTimersByTimeAsync(90_000);
    expect(left, String(isHeld)).toEqual(isHeld ? ['first', 'second'] : ['first']);
    stop.abort();
  }
});
