import { expect, it, vi } from 'vitest';

import { createTestBrowser } from '../../testing/browser.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { createTrialLock, isAnyTrialLocked } from './trial-lock.ts';

/** Returns the locks of one trial in two tabs of one browser. */
function openTwoTabs() {
  const browser = createTestBrowser();
  const [firstTab, secondTab] = [1, 2].map(() => browser.openTab({ origin: 'http://localhost' }));
  if (!firstTab || !secondTab) throw new Error('No tabs');
  return { firstTab, secondTab, locks: firstTab.page.locks, otherLocks: secondTab.page.locks };
}

it('locks a trial for one tab at a time, independently of other trials', async () => {
  const { locks, otherLocks } = openTwoTabs();
  const [firstLock, secondLock] = [createTrialLock(locks, 't'), createTrialLock(otherLocks, 't')];
  expect(await isAnyTrialLocked(locks)).toBe(false);
  expect(await firstLock.acquire()).toBe(true);
  expect(await firstLock.acquire(), 'the lock is already held').toBe(true);
  expect(await secondLock.acquire()).toBe(false);
  expect(await createTrialLock(otherLocks, 'another').acquire()).toBe(true);
  expect(await isAnyTrialLocked(otherLocks)).toBe(true);
  firstLock.release();
  await waitUntil(() => secondLock.acquire());
  firstLock.release();
  expect(await firstLock.acquire()).toBe(false);
});

it('grants the lock after it was released or its tab was closed, and notifies watchers', async () => {
  const { firstTab, locks, otherLocks } = openTwoTabs();
  const [firstLock, secondLock] = [createTrialLock(locks, 't'), createTrialLock(otherLocks, 't')];
  await firstLock.acquire();
  const listener = vi.fn<() => void>();
  const watching = secondLock.onFree(listener);
  expect(listener).not.toHaveBeenCalled();
  firstTab.kill();
  await watching;
  expect(listener).toHaveBeenCalledTimes(1);
  await secondLock.acquireWhenFree();
  expect(await createTrialLock(otherLocks, 't').acquire()).toBe(false);
});

it('does not notify a watcher that was cancelled or is waiting for the lock', async () => {
  const { locks, otherLocks } = openTwoTabs();
  const [firstLock, secondLock] = [createTrialLock(locks, 't'), createTrialLock(otherLocks, 't')];
  await firstLock.acquire();
  const listener = vi.fn<() => void>();
  const cancelled = secondLock.onFree(listener).catch(() => undefined);
  secondLock.cancelOnFree();
  await cancelled;
  const replaced = secondLock.onFree(listener).catch(() => undefined);
  const waited = secondLock.acquireWhenFree();
  await replaced;
  firstLock.release();
  await waited;
  expect(listener).not.toHaveBeenCalled();
});

it('locks nothing without Web Locks', async () => {
  const lock = createTrialLock(undefined, 't');
  expect(await lock.acquire()).toBe(true);
  await lock.acquireWhenFree();
  const listener = vi.fn<() => void>();
  await lock.onFree(listener);
  expect(listener).toHaveBeenCalledTimes(1);
  lock.release();
  expect(await isAnyTrialLocked(undefined)).toBe(false);
});
