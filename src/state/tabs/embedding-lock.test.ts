import { expect, it, vi } from 'vitest';

import { createTestBrowser } from '../../testing/browser.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { acquireEmbeddingLock } from './embedding-lock.ts';

/** Returns the locks of two tabs of one browser. */
function openTwoTabLocks(): [LockManager | undefined, LockManager | undefined] {
  const browser = createTestBrowser();
  const openTab = () => browser.openTab({ origin: 'http://localhost' });
  return [openTab().page.locks, openTab().page.locks];
}

const neverAborted = new AbortController().signal;

it('lets one tab embed at a time, and the next tab after the release', async () => {
  const [locks, otherLocks] = openTwoTabLocks();
  const onWait = vi.fn<() => void>();
  const releaseFirst = await acquireEmbeddingLock(locks, neverAborted, onWait);
  expect(onWait).not.toHaveBeenCalled();
  let isSecondAcquired = false;
  const secondAcquisition = acquireEmbeddingLock(otherLocks, neverAborted, onWait).then((release) => {
    isSecondAcquired = true;
    return release;
  });
  await waitUntil(() => onWait.mock.calls.length === 1);
  expect(isSecondAcquired).toBe(false);
  releaseFirst();
  (await secondAcquisition)();
  expect(isSecondAcquired).toBe(true);
});

it('stops waiting when the signal aborts', async () => {
  const [locks, otherLocks] = openTwoTabLocks();
  await acquireEmbeddingLock(locks, neverAborted, () => undefined);
  const stop = new AbortController();
  const second = acquireEmbeddingLock(otherLocks, stop.signal, () => queueMicrotask(() => stop.abort()));
  await expect(second).rejects.toThrow('aborted');
});

it('locks nothing without Web Locks', async () => {
  expect(await acquireEmbeddingLock(undefined, neverAborted, () => undefined)).toBeTypeOf('function');
});
