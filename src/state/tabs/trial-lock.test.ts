import { expect, it, vi } from 'vitest';

import { createTestBrowser } from '../../testing/browser.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { createTrialLock, isAnyTrialLocked } from './trial-lock.ts';

/** What two tabs of one browser share. */
function openTwoTabs() {
  const browser = createTestBrowser();
  const [firstTab, secondTab] = [1, 2].map(() => browser.openTab({ origin: 'http://localhost' }));
  if (!firstTab || !secondTab) throw new Error('No tabs');
  return { firstTab, secondTab, locks: firstTab.page.locks, otherLocks: secondTab.page.locks };
}

it('one tab has a trial at a time, for as long as it likes, and another trial does not wait for it', async () => {
  const { locks, otherLocks } = openTwoTabs();
  const [firstLock, secondLock] = [createTrialLock(locks, 't'), createTrialLock(otherLocks, 't')];
  expect(await isAnyTrialLocked(locks)).toBe(false);
  expect(await firstLock.acquire()).toBe(true);
  expect(await firstLock.acquire(), 'it has it already').toBe(true);
  expect(await secondLock.acquire()).toBe(false);
  expect(await createTrialLock(otherLocks, 'another').acquire()).toBe(true);
  expect(await isAnyTrialLocked(otherLocks)).toBe(true);
  firstLock.release();
  await waitUntil(() => secondLock.acquire());
  firstLock.release();
  expect(await firstLock.acquire()).toBe(false);
});

it('who waits has it when it is let go of or its tab dies, and who watches is told', async () => {
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

it('who has forgotten it, or waits for it instead, is told nothing', async () => {
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

it('without locks each tab is alone, and nothing is held', async () => {
  const lock = createTrialLock(undefined, 't');
  expect(await lock.acquire()).toBe(true);
  await lock.acquireWhenFree();
  const listener = vi.fn<() => void>();
  await lock.onFree(listener);
  expect(listener).toHaveBeenCalledTimes(1);
  lock.release();
  expect(await isAnyTrialLocked(undefined)).toBe(false);
});
