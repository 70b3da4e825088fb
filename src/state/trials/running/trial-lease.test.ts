import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { createTestBrowser } from '../../../testing/browser.ts';
import { waitUntil } from '../../../testing/wait-until.ts';
import type { HeartbeatRecord } from '../../../trials/trial-schemas.ts';
import { createTrialLock } from '../../tabs/trial-lock.ts';
import { createTrialLease } from './trial-lease.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const heartbeat: HeartbeatRecord = { id: 'trial/alive', at: 1, runs: [] };

/** The holds of two tabs on one trial, and what each of them does in order. */
function createTwoLeases(reload: () => Promise<HeartbeatRecord | undefined> = async () => heartbeat) {
  const browser = createTestBrowser();
  return [1, 2].map(() => {
    const { page } = browser.openTab({ origin: 'http://localhost' });
    const log: string[] = [];
    const lease = createTrialLease({
      lock: createTrialLock(page.locks, 'trial'),
      writeHeartbeat: () => void log.push('says that it is alive'),
      reload: async () => {
        log.push('reads again');
        return reload();
      },
      recover: async (heartbeatRecord) => void log.push(`takes in what was alive at ${heartbeatRecord.at}`),
    });
    return { hold: lease, done: log };
  });
}

it('a tab that holds a trial says that it is alive, now and every ten seconds, until it lets go', async () => {
  const [first, second] = createTwoLeases();
  if (!first || !second) throw new Error('There are two');
  expect(first.hold.isHeld()).toBe(false);
  expect([await first.hold.acquire(), await second.hold.acquire()]).toEqual([true, false]);
  expect([first.hold.isHeld(), second.hold.isHeld()]).toEqual([true, false]);
  first.hold.startHeartbeat();
  expect(first.done).toHaveLength(1);
  vi.advanceTimersByTime(10_000);
  expect(first.done).toHaveLength(2);
  // Begun again, it beats once and not twice in ten seconds.
  first.hold.startHeartbeat();
  vi.advanceTimersByTime(10_000);
  expect(first.done).toHaveLength(4);

  let isFree = false;
  second.hold.onFree(() => (isFree = true));
  const waiting = second.hold.acquireWhenFree();
  first.hold.release();
  expect(first.hold.isHeld()).toBe(false);
  vi.advanceTimersByTime(60_000);
  expect(first.done).toHaveLength(4);
  await waiting;
  expect([second.hold.isHeld(), isFree], 'who waits for it is not told as well').toEqual([true, false]);
  first.hold.onFree(() => (isFree = true));
  second.hold.release();
  await waitUntil(() => isFree);
});

it('what another tab left is read and taken in before this tab says that it is alive', async () => {
  const [first] = createTwoLeases();
  await first?.hold.acquire();
  expect(await first?.hold.reloadAndRecover()).toBe(heartbeat);
  expect(first?.done).toEqual(['reads again', 'takes in what was alive at 1', 'says that it is alive']);
  vi.advanceTimersByTime(10_000);
  expect(first?.done).toHaveLength(4);

  const [lease] = createTwoLeases(async () => undefined);
  await lease?.hold.acquire();
  expect(await lease?.hold.reloadAndRecover()).toBeUndefined();
  expect(lease?.done).toEqual(['reads again', 'says that it is alive']);
});

it('a tab that cannot read what is stored lets go, and never says that it is alive', async () => {
  const [first, second] = createTwoLeases(() => Promise.reject(new Error('The disk is gone.')));
  await first?.hold.acquire();
  await expect(first?.hold.reloadAndRecover()).rejects.toThrow('The disk is gone.');
  vi.advanceTimersByTime(60_000);
  expect(first?.done).toEqual(['reads again']);
  expect([first?.hold.isHeld(), await second?.hold.acquire()]).toEqual([false, true]);
});
