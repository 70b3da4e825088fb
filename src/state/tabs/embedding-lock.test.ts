import { expect, it, vi } from 'vitest';

import { aBrowser } from '../../testing/browser.ts';
import { until } from '../../testing/wait-until.ts';
import { holdEmbedding } from './embedding-lock.ts';

/** What two tabs of one browser share. */
function locksOfTwoTabs(): [LockManager | undefined, LockManager | undefined] {
  const browser = aBrowser();
  const openTab = () => browser.openTab({ origin: 'http://localhost' });
  return [openTab().page.locks, openTab().page.locks];
}

const never = new AbortController().signal;

it('lets one tab embed at a time, the next one when it lets go', async () => {
  const [locks, others] = locksOfTwoTabs();
  const waited = vi.fn<() => void>();
  const first = await holdEmbedding(locks, never, waited);
  expect(waited).not.toHaveBeenCalled();
  let isSecond = false;
  const second = holdEmbedding(others, never, waited).then((letGo) => {
    isSecond = true;
    return letGo;
  });
  await until(() => waited.mock.calls.length === 1);
  expect(isSecond).toBe(false);
  first();
  (await second)();
  expect(isSecond).toBe(true);
});

it('stops waiting when it is told to', async () => {
  const [locks, others] = locksOfTwoTabs();
  await holdEmbedding(locks, never, () => undefined);
  const stop = new AbortController();
  const second = holdEmbedding(others, stop.signal, () => queueMicrotask(() => stop.abort()));
  await expect(second).rejects.toThrow('aborted');
});

it('holds nothing where there are no locks', async () => {
  expect(await holdEmbedding(undefined, never, () => undefined)).toBeTypeOf('function');
});
