import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import type { ErrorReport } from '../../../gateway/errors/errors.ts';
import { timersLeft } from '../../../testing/until.ts';
import { createRunQueue } from '../../runs/run-queue.ts';
import { createPacing } from './pacing.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 1_700_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const refusal: ErrorReport = { source: 'gateway', kind: 'rate-limited', message: 'Slow down', status: 429 };

function aPacing(limit: number) {
  const now = () => Date.now();
  const queue = createRunQueue({ now, limit: () => limit });
  const rules = { mayLeave: () => true };
  const pacing = createPacing({ queue, now, mayLeave: () => rules.mayLeave() });
  const { signal: never } = new AbortController();
  const left: string[] = [];
  const enter = async (runId: string, signal = never) => {
    const leave = await pacing.enter(runId, signal);
    left.push(runId);
    leave();
  };
  return { pacing, rules, left, enter };
}

it('a refusal halves the limit until that has risen again, or what left in the last minute where there is none', async () => {
  const { pacing } = aPacing(10);
  expect(pacing.facts()).toMatchObject({ perMinute: 10, isSlowed: false, heldUntil: 0 });
  pacing.refused(refusal);
  expect(pacing.facts()).toMatchObject({ perMinute: 5, isSlowed: true, heldUntil: Date.now() + 10_000 });
  vi.setSystemTime(Date.now() + 69_999);
  expect(pacing.facts()).toMatchObject({ perMinute: 5, isSlowed: true });
  vi.setSystemTime(Date.now() + 1);
  expect(pacing.facts()).toMatchObject({ perMinute: 10, isSlowed: false });

  const unlimited = aPacing(0);
  await unlimited.enter('long ago');
  vi.setSystemTime(Date.now() + 60_000);
  for (const runId of ['1', '2', '3', '4', '5']) await unlimited.enter(runId);
  expect(unlimited.pacing.facts()).toMatchObject({ perMinute: 0, isSlowed: false });
  unlimited.pacing.refused(refusal);
  expect(unlimited.pacing.facts()).toMatchObject({ perMinute: 2, isSlowed: true });
});

it('the third refusal in a row pauses; an answer or a person who goes on begins to count again', () => {
  const { pacing } = aPacing(100);
  const refuse = (times: number) => Array.from({ length: times }, () => pacing.refused(refusal));
  expect(refuse(2)).toEqual([false, false]);
  pacing.answered();
  expect(refuse(2)).toEqual([false, false]);
  pacing.forgive();
  expect(refuse(3)).toEqual([false, false, true]);
  expect(pacing.facts().isSlowed, 'it stays slow').toBe(true);
});

it('what is held waits for its time, and what is taken out of the line makes room at once', async () => {
  const { pacing, left, enter } = aPacing(0);
  pacing.refused({ ...refusal, retryAfterMs: 5003 });
  const timers = timersLeft((ms) => ms === 5003);
  const gone = new AbortController();
  const first = pacing.enter('first', gone.signal);
  void enter('second');
  await vi.advanceTimersByTimeAsync(5002);
  expect(left).toEqual([]);
  expect(timers()).toBe(1);
  gone.abort(new Error('Stopped by a person'));
  await expect(first).rejects.toThrow('Stopped by a person');
  expect(timers(), 'the second has a timer of its own').toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(left).toEqual(['second']);
});

it('what may not leave waits until it is taken out of the line, and is not sent', async () => {
  const { pacing, rules, left, enter } = aPacing(0);
  rules.mayLeave = () => false;
  for (const reason of [new Error('Paused'), 'Paused']) {
    const stop = new AbortController();
    const waiting = pacing.enter('first', stop.signal);
    await vi.advanceTimersByTimeAsync(60_000);
    stop.abort(reason);
    await expect(waiting).rejects.toThrow(reason instanceof Error ? 'Paused' : 'Stopped');
  }
  const gone = AbortSignal.abort(new Error('Gone before its turn'));
  await expect(pacing.enter('second', gone)).rejects.toThrow('Gone before its turn');
  // Who asks whether it may leave may be who takes it out.
  const stop = new AbortController();
  rules.mayLeave = () => {
    stop.abort(new Error('The disk is full'));
    return false;
  };
  await expect(pacing.enter('third', stop.signal)).rejects.toThrow('The disk is full');
  rules.mayLeave = () => true;
  await enter('fourth');
  expect(left).toEqual(['fourth']);
});

it('what is held or stopped while it waits for its turn in the minute does not leave when that has come', async () => {
  for (const isHeld of [true, false]) {
    const { pacing, rules, left, enter } = aPacing(1);
    await enter('first');
    const stop = new AbortController();
    void enter('second', stop.signal).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1000);
    if (isHeld) pacing.refused({ ...refusal, retryAfterMs: 120_000 });
    else rules.mayLeave = () => false;
    await vi.advanceTimersByTimeAsync(90_000);
    expect(left, String(isHeld)).toEqual(['first']);
    await vi.advanceTimersByTimeAsync(90_000);
    expect(left, String(isHeld)).toEqual(isHeld ? ['first', 'second'] : ['first']);
    stop.abort();
  }
});
