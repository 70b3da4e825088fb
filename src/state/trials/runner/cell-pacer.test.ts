import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import type { ErrorReport } from '../../../gateway/errors/errors.ts';
import { countTimers } from '../../../testing/wait-until.ts';
import { createRunQueue } from '../../runs/run-queue.ts';
import { createGatewayPace, createCellPacer, type SendPermission } from './cell-runs.ts';

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
  const rules: { canSend: () => SendPermission } = { canSend: () => true };
  const gatewayPace = createGatewayPace({ queue, now });
  const createPacer = () =>
    createCellPacer({ queue, gatewayPace, canSend: () => rules.canSend(), onSend: () => undefined });
  const acquire = createPacer();
  const { signal: never } = new AbortController();
  const sent: string[] = [];
  const send = async (runId: string, signal = never, acquireSlot = acquire) => {
    const release = await acquireSlot(runId, signal);
    sent.push(runId);
    release();
  };
  /** Records a rejection of a request sent now. */
  const reject = (more: Partial<ErrorReport> = {}) =>
    gatewayPace.onRejected({ ...rejection, ...more }, now());
  return { gatewayPace, acquire, createPacer, rules, sent, send, reject };
}

it('halves the limit for 20 s after a rejection, or the current rate without a limit', async () => {
  const { gatewayPace, reject } = createTestPace(50);
  expect(gatewayPace.getStatus()).toMatchObject({ perMinute: 50, isSlowed: false, blockedUntil: 0 });
  reject();
  expect(gatewayPace.getStatus()).toMatchObject({
    perMinute: 25,
    isSlowed: true,
    blockedUntil: Date.now() + 10_000,
  });
  vi.setSystemTime(Date.now() + 29_999);
  expect(gatewayPace.getStatus()).toMatchObject({ perMinute: 25, isSlowed: true });
  vi.setSystemTime(Date.now() + 1);
  expect(gatewayPace.getStatus()).toMatchObject({ perMinute: 50, isSlowed: false });

  const unlimited = createTestPace(0);
  await unlimited.send('long ago');
  vi.setSystemTime(Date.now() + 60_000);
  for (const runId of ['1', '2', '3', '4', '5', '6']) await unlimited.send(runId);
  vi.setSystemTime(Date.now() + 300);
  expect(unlimited.gatewayPace.getStatus()).toMatchObject({ perMinute: 0, isSlowed: false });
  unlimited.reject();
  expect(unlimited.gatewayPace.getStatus()).toMatchObject({ perMinute: 180, isSlowed: true });
});

it('pauses after three consecutive rejections, counted anew after an answer or Resume', () => {
  const { gatewayPace, reject } = createTestPace(100);
  const rejectAfterWait = (times: number) =>
    Array.from({ length: times }, () => {
      vi.setSystemTime(Math.max(Date.now(), gatewayPace.getStatus().blockedUntil));
      return reject();
    });
  expect(rejectAfterWait(2)).toEqual([false, false]);
  gatewayPace.onAnswer();
  expect(rejectAfterWait(2)).toEqual([false, false]);
  gatewayPace.resetRejections();
  expect([rejectAfterWait(1), reject(), reject(), reject()].flat()).toEqual([false, false, false, false]);
  expect(rejectAfterWait(2)).toEqual([false, true]);
  expect(gatewayPace.getStatus().isSlowed, 'the pace remains slow').toBe(true);
});

it('delays the cells of all trials of the gateway, which share one pace', async () => {
  const { reject, send, createPacer, sent } = createTestPace(0);
  for (const runId of ['1', '2']) await send(runId);
  reject();
  const otherPacer = createPacer();
  void send('3');
  void send('4', undefined, otherPacer);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(sent).toEqual(['1', '2']);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toHaveLength(3);
  // The pace is 60 requests per minute now.
  await vi.advanceTimersByTimeAsync(1000);
  expect(sent).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(100);
  expect(sent).toHaveLength(4);
});

it('delays a cell for the requested time, and starts the next cell immediately if the first is aborted', async () => {
  const { acquire, reject, sent, send } = createTestPace(0);
  reject({ retryAfterMs: 5003 });
  const timers = countTimers((ms) => ms === 5003);
  const abortController = new AbortController();
  const first = acquire('first', abortController.signal);
  void send('second');
  await vi.advanceTimersByTimeAsync(5002);
  expect(sent).toEqual([]);
  expect(timers()).toBe(1);
  abortController.abort(new Error('Stopped by the user'));
  await expect(first).rejects.toThrow('Stopped by the user');
  expect(timers(), 'no timer remains for the stopped cell').toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toEqual(['second']);
});

it('waits while sending is not allowed, and rejects on abort without sending', async () => {
  const { acquire, rules, sent, send } = createTestPace(0);
  rules.canSend = () => false;
  for (const reason of [new Error('Paused'), 'Paused']) {
    const abortController = new AbortController();
    const pendingSlot = acquire('first', abortController.signal);
    await vi.advanceTimersByTimeAsync(60_000);
    abortController.abort(reason);
    await expect(pendingSlot).rejects.toThrow(reason instanceof Error ? 'Paused' : 'Stopped');
  }
  const stopped = AbortSignal.abort(new Error('Removed before its turn'));
  await expect(acquire('second', stopped)).rejects.toThrow('Removed before its turn');
  // The check itself may abort the request.
  const abortController = new AbortController();
  rules.canSend = () => {
    abortController.abort(new Error('The disk is full'));
    return false;
  };
  await expect(acquire('third', abortController.signal)).rejects.toThrow('The disk is full');
  rules.canSend = () => true;
  await send('fourth');
  expect(sent).toEqual(['fourth']);
});

it('sends no cell that is delayed or aborted while it waits for the rate limit', async () => {
  for (const isHeld of [true, false]) {
    const { reject, rules, sent, send } = createTestPace(1);
    await send('first');
    const abortController = new AbortController();
    void send('second', abortController.signal).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1000);
    if (isHeld) reject({ retryAfterMs: 120_000 });
    else rules.canSend = () => false;
    await vi.advanceTimersByTimeAsync(90_000);
    expect(sent, String(isHeld)).toEqual(['first']);
    await vi.advanceTimersByTimeAsync(90_000);
    expect(sent, String(isHeld)).toEqual(isHeld ? ['first', 'second'] : ['first']);
    abortController.abort();
  }
});
