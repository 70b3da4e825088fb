import { afterEach, expect, it, vi } from 'vitest';

import { until } from '../../testing/until.ts';
import { holdEmbedding } from './embedding-job.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

type Grant = (lock: object | null) => unknown;

/** The part of Web Locks that is used, as the standard has it: one holder, the others in line, abort leaves it. */
function aLockManager() {
  let isHeld = false;
  const line: (() => void)[] = [];
  const hold = async (grant: Grant) => {
    isHeld = true;
    await grant({});
    isHeld = false;
    line.shift()?.();
  };
  return {
    request: (_name: string, options: { ifAvailable?: boolean; signal?: AbortSignal }, grant: Grant) =>
      new Promise<void>((resolve, reject) => {
        const start = () => void hold(grant).then(resolve);
        if (!isHeld) start();
        else if (options.ifAvailable === true) resolve(void grant(null));
        else {
          line.push(start);
          options.signal?.addEventListener('abort', () => {
            line.splice(line.indexOf(start), 1);
            reject(new DOMException('aborted', 'AbortError'));
          });
        }
      }),
  };
}

it('lets one tab embed at a time, the next one when it lets go', async () => {
  vi.stubGlobal('navigator', { locks: aLockManager() });
  const waited = vi.fn<() => void>();
  const first = await holdEmbedding(new AbortController().signal, waited);
  expect(waited).not.toHaveBeenCalled();
  let isSecond = false;
  const second = holdEmbedding(new AbortController().signal, waited).then((letGo) => {
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
  vi.stubGlobal('navigator', { locks: aLockManager() });
  await holdEmbedding(new AbortController().signal, () => undefined);
  const stop = new AbortController();
  const second = holdEmbedding(stop.signal, () => queueMicrotask(() => stop.abort()));
  await expect(second).rejects.toThrow('aborted');
});

it('holds nothing where there are no locks', async () => {
  vi.stubGlobal('navigator', {});
  expect(await holdEmbedding(new AbortController().signal, () => undefined)).toBeTypeOf('function');
});
