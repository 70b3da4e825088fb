import { afterEach, expect, it, vi } from 'vitest';

import { createBench } from '../../testing/bench.ts';
import { createTestBrowser } from '../../testing/browser.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { createTrialLock } from '../tabs/trial-lock.ts';
import { createLazyTrials } from './lazy-trials.ts';
import type { Trials } from './trials-store.ts';

afterEach(() => {
  vi.useRealTimers();
});

const emptyTabChannel = { send: () => undefined };

it('retries loading after a failure and then returns the same trials each time', async () => {
  const trials = await (await createBench()).lazyTrials.load();
  const loads: (() => Promise<Trials>)[] = [() => Promise.reject(new Error('Offline')), async () => trials];
  let tries = 0;
  const load = () => loads[(tries += 1) - 1]?.() ?? Promise.reject(new Error('Loaded once more'));
  const lazyTrials = createLazyTrials({ load, tabChannel: emptyTabChannel, locks: undefined });
  await Promise.all(
    [lazyTrials.load(), lazyTrials.load()].map((opening) =>
      expect(opening).rejects.toThrow('Could not load part of the app'),
    ),
  );
  expect([tries, lazyTrials.getTrials()]).toEqual([1, undefined]);
  const opening = lazyTrials.load();
  expect(lazyTrials.load()).toBe(opening);
  expect([await opening, await lazyTrials.load(), lazyTrials.getTrials()]).toEqual([trials, trials, trials]);
  expect(tries).toBe(2);
});

it('resolves stopAll when no tab runs a trial any more, at most after five seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { page } = createTestBrowser().openTab({ origin: 'http://localhost' });
  const lock = createTrialLock(page.locks, 'trial');
  const sent: unknown[] = [];
  const lazyTrials = createLazyTrials({
    load: () => Promise.reject(new Error('No trial is open')),
    tabChannel: { send: (message) => sent.push(message) },
    locks: page.locks,
  });
  await lazyTrials.stopAll();
  expect(sent).toEqual([{ asks: 'stop trials' }]);
  for (const isReleased of [true, false]) {
    await lock.acquire();
    let hasStopped = false;
    void lazyTrials.stopAll().then(() => (hasStopped = true));
    await vi.advanceTimersByTimeAsync(4900);
    expect(hasStopped).toBe(false);
    if (isReleased) lock.release();
    else await vi.advanceTimersByTimeAsync(100);
    await vi.advanceTimersByTimeAsync(50);
    await waitUntil(() => hasStopped);
    lock.release();
  }
});
