import { afterEach, expect, it, vi } from 'vitest';

import { aBench } from '../../testing/bench.ts';
import { aBrowser } from '../../testing/browser.ts';
import { until } from '../../testing/wait-until.ts';
import { createTrialLock } from '../tabs/trial-lock.ts';
import { createTrialsDoor } from './lazy-trials.ts';
import type { Trials } from './trials-store.ts';

afterEach(() => {
  vi.useRealTimers();
});

const nobody = { send: () => undefined };

it('trials that could not be loaded are loaded again the next time, and are then the same each time', async () => {
  const trials = await (await aBench()).trials.open();
  const loads: (() => Promise<Trials>)[] = [() => Promise.reject(new Error('Offline')), async () => trials];
  let tries = 0;
  const load = () => loads[(tries += 1) - 1]?.() ?? Promise.reject(new Error('Loaded once more'));
  const door = createTrialsDoor({ load, link: nobody, locks: undefined });
  await Promise.all(
    [door.open(), door.open()].map((opening) => expect(opening).rejects.toThrow('could not be loaded')),
  );
  expect([tries, door.trials()]).toEqual([1, undefined]);
  const opening = door.open();
  expect(door.open()).toBe(opening);
  expect([await opening, await door.open(), door.trials()]).toEqual([trials, trials, trials]);
  expect(tries).toBe(2);
});

it('everything is erased only when no tab asks any more, or after five seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { page } = aBrowser().openTab({ origin: 'http://localhost' });
  const lock = createTrialLock(page.locks, 'trial');
  const sent: unknown[] = [];
  const door = createTrialsDoor({
    load: () => Promise.reject(new Error('Nothing is open')),
    link: { send: (message) => sent.push(message) },
    locks: page.locks,
  });
  await door.stopAll();
  expect(sent).toEqual([{ asks: 'stop trials' }]);
  for (const isLetGo of [true, false]) {
    await lock.take();
    let isOver = false;
    void door.stopAll().then(() => (isOver = true));
    await vi.advanceTimersByTimeAsync(4900);
    expect(isOver).toBe(false);
    if (isLetGo) lock.release();
    else await vi.advanceTimersByTimeAsync(100);
    await vi.advanceTimersByTimeAsync(50);
    await until(() => isOver);
    lock.release();
  }
});
