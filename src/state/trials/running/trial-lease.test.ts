import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { aBrowser } from '../../../testing/browser.ts';
import { until } from '../../../testing/wait-until.ts';
import type { AliveRecord } from '../../../trials/trial-schemas.ts';
import { createTrialLock } from '../../tabs/trial-lock.ts';
import { createHold } from './trial-lease.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const alive: AliveRecord = { id: 'trial/alive', at: 1, runs: [] };

/** The holds of two tabs on one trial, and what each of them does in order. */
function twoHolds(reload: () => Promise<AliveRecord | undefined> = async () => alive) {
  const browser = aBrowser();
  return [1, 2].map(() => {
    const { page } = browser.openTab({ origin: 'http://localhost' });
    const done: string[] = [];
    const hold = createHold({
      lock: createTrialLock(page.locks, 'trial'),
      putAlive: () => void done.push('says that it is alive'),
      reload: async () => {
        done.push('reads again');
        return reload();
      },
      recover: async (left) => void done.push(`takes in what was alive at ${left.at}`),
    });
    return { hold, done };
  });
}

it('a tab that holds a trial says that it is alive, now and every ten seconds, until it lets go', async () => {
  const [mine, theirs] = twoHolds();
  if (!mine || !theirs) throw new Error('There are two');
  expect(mine.hold.isHeld()).toBe(false);
  expect([await mine.hold.take(), await theirs.hold.take()]).toEqual([true, false]);
  expect([mine.hold.isHeld(), theirs.hold.isHeld()]).toEqual([true, false]);
  mine.hold.beat();
  expect(mine.done).toHaveLength(1);
  vi.advanceTimersByTime(10_000);
  expect(mine.done).toHaveLength(2);
  // Begun again, it beats once and not twice in ten seconds.
  mine.hold.beat();
  vi.advanceTimersByTime(10_000);
  expect(mine.done).toHaveLength(4);

  let isFree = false;
  theirs.hold.whenFree(() => (isFree = true));
  const waiting = theirs.hold.wait();
  mine.hold.letGo();
  expect(mine.hold.isHeld()).toBe(false);
  vi.advanceTimersByTime(60_000);
  expect(mine.done).toHaveLength(4);
  await waiting;
  expect([theirs.hold.isHeld(), isFree], 'who waits for it is not told as well').toEqual([true, false]);
  mine.hold.whenFree(() => (isFree = true));
  theirs.hold.letGo();
  await until(() => isFree);
});

it('what another tab left is read and taken in before this tab says that it is alive', async () => {
  const [mine] = twoHolds();
  await mine?.hold.take();
  expect(await mine?.hold.takeIn()).toBe(alive);
  expect(mine?.done).toEqual(['reads again', 'takes in what was alive at 1', 'says that it is alive']);
  vi.advanceTimersByTime(10_000);
  expect(mine?.done).toHaveLength(4);

  const [other] = twoHolds(async () => undefined);
  await other?.hold.take();
  expect(await other?.hold.takeIn()).toBeUndefined();
  expect(other?.done).toEqual(['reads again', 'says that it is alive']);
});

it('a tab that cannot read what is stored lets go, and never says that it is alive', async () => {
  const [mine, theirs] = twoHolds(() => Promise.reject(new Error('The disk is gone.')));
  await mine?.hold.take();
  await expect(mine?.hold.takeIn()).rejects.toThrow('The disk is gone.');
  vi.advanceTimersByTime(60_000);
  expect(mine?.done).toEqual(['reads again']);
  expect([mine?.hold.isHeld(), await theirs?.hold.take()]).toEqual([false, true]);
});
