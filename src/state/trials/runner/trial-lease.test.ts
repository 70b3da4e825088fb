import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { createTestBrowser } from '../../../testing/browser.ts';
import { waitUntil } from '../../../testing/wait-until.ts';
import type { HeartbeatRecord } from '../../../trials/trial-schemas.ts';
import { createTrialLock } from '../../tabs/trial-lock.ts';
import { createTrialLease } from './trial-runner.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const heartbeat: HeartbeatRecord = { id: 'trial/alive', at: 1, runs: [] };

/** Creates the leases of two tabs on one trial, each with a log of its actions. */
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
    return { lease, log };
  });
}

it('writes a heartbeat on acquisition and every ten seconds until the release', async () => {
  const [firstTab, secondTab] = createTwoLeases();
  if (!firstTab || !secondTab) throw new Error('Two tabs are expected');
  expect(firstTab.lease.isHeld()).toBe(false);
  expect([await firstTab.lease.acquire(), await secondTab.lease.acquire()]).toEqual([true, false]);
  expect([firstTab.lease.isHeld(), secondTab.lease.isHeld()]).toEqual([true, false]);
  firstTab.lease.startHeartbeat();
  expect(firstTab.log).toHaveLength(1);
  vi.advanceTimersByTime(10_000);
  expect(firstTab.log).toHaveLength(2);
  // A second start does not add a second heartbeat.
  firstTab.lease.startHeartbeat();
  vi.advanceTimersByTime(10_000);
  expect(firstTab.log).toHaveLength(4);

  let isFree = false;
  secondTab.lease.onFree(() => (isFree = true));
  const waiting = secondTab.lease.acquireWhenFree();
  firstTab.lease.release();
  expect(firstTab.lease.isHeld()).toBe(false);
  vi.advanceTimersByTime(60_000);
  expect(firstTab.log).toHaveLength(4);
  await waiting;
  expect([secondTab.lease.isHeld(), isFree], 'a waiting tab is not notified in addition').toEqual([
    true,
    false,
  ]);
  firstTab.lease.onFree(() => (isFree = true));
  secondTab.lease.release();
  await waitUntil(() => isFree);
});

it('recovers the runs of another tab before writing its own heartbeat', async () => {
  const [firstTab] = createTwoLeases();
  await firstTab?.lease.acquire();
  expect(await firstTab?.lease.reloadAndRecover()).toBe(heartbeat);
  expect(firstTab?.log).toEqual(['reads again', 'takes in what was alive at 1', 'says that it is alive']);
  vi.advanceTimersByTime(10_000);
  expect(firstTab?.log).toHaveLength(4);

  const [tab] = createTwoLeases(async () => undefined);
  await tab?.lease.acquire();
  expect(await tab?.lease.reloadAndRecover()).toBeUndefined();
  expect(tab?.log).toEqual(['reads again', 'says that it is alive']);
});

it('releases the lease without a heartbeat if the reload fails', async () => {
  const [firstTab, secondTab] = createTwoLeases(() => Promise.reject(new Error('The disk is gone.')));
  await firstTab?.lease.acquire();
  await expect(firstTab?.lease.reloadAndRecover()).rejects.toThrow('The disk is gone.');
  vi.advanceTimersByTime(60_000);
  expect(firstTab?.log).toEqual(['reads again']);
  expect([firstTab?.lease.isHeld(), await secondTab?.lease.acquire()]).toEqual([false, true]);
});
