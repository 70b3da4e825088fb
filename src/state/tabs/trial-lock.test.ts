import { expect, it, vi } from 'vitest';

import { aBrowser } from '../../testing/browser.ts';
import { until } from '../../testing/wait-until.ts';
import { createTrialLock, isAnyTrialHeld } from './trial-lock.ts';

/** What two tabs of one browser share. */
function twoTabs() {
  const browser = aBrowser();
  const [one, other] = [1, 2].map(() => browser.openTab({ origin: 'http://localhost' }));
  if (!one || !other) throw new Error('No tabs');
  return { one, other, locks: one.page.locks, others: other.page.locks };
}

it('one tab has a trial at a time, for as long as it likes, and another trial does not wait for it', async () => {
  const { locks, others } = twoTabs();
  const [mine, theirs] = [createTrialLock(locks, 't'), createTrialLock(others, 't')];
  expect(await isAnyTrialHeld(locks)).toBe(false);
  expect(await mine.take()).toBe(true);
  expect(await mine.take(), 'it has it already').toBe(true);
  expect(await theirs.take()).toBe(false);
  expect(await createTrialLock(others, 'another').take()).toBe(true);
  expect(await isAnyTrialHeld(others)).toBe(true);
  mine.release();
  await until(() => theirs.take());
  mine.release();
  expect(await mine.take()).toBe(false);
});

it('who waits has it when it is let go of or its tab dies, and who watches is told', async () => {
  const { one, locks, others } = twoTabs();
  const [mine, theirs] = [createTrialLock(locks, 't'), createTrialLock(others, 't')];
  await mine.take();
  const told = vi.fn<() => void>();
  const watching = theirs.whenFree(told);
  expect(told).not.toHaveBeenCalled();
  one.kill();
  await watching;
  expect(told).toHaveBeenCalledTimes(1);
  await theirs.wait();
  expect(await createTrialLock(others, 't').take()).toBe(false);
});

it('who has forgotten it, or waits for it instead, is told nothing', async () => {
  const { locks, others } = twoTabs();
  const [mine, theirs] = [createTrialLock(locks, 't'), createTrialLock(others, 't')];
  await mine.take();
  const told = vi.fn<() => void>();
  const forgotten = theirs.whenFree(told).catch(() => undefined);
  theirs.forget();
  await forgotten;
  const replaced = theirs.whenFree(told).catch(() => undefined);
  const waited = theirs.wait();
  await replaced;
  mine.release();
  await waited;
  expect(told).not.toHaveBeenCalled();
});

it('without locks each tab is alone, and nothing is held', async () => {
  const lock = createTrialLock(undefined, 't');
  expect(await lock.take()).toBe(true);
  await lock.wait();
  const told = vi.fn<() => void>();
  await lock.whenFree(told);
  expect(told).toHaveBeenCalledTimes(1);
  lock.release();
  expect(await isAnyTrialHeld(undefined)).toBe(false);
});
