import { vi } from 'vitest';

// Taken before a test stops the clock.
const { setImmediate: realSetImmediate } = globalThis;

/** Looks again, turn by turn, until it is so; the test's own time limit ends it. */
export async function waitUntil(predicate: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await predicate())) await new Promise<void>((resolve) => void realSetImmediate(resolve));
}

/** Tries a check again until it passes. One that never does fails with what it said last. */
export async function waitForAssertion(check: () => unknown): Promise<void> {
  await vi.waitFor(check, { timeout: 30_000, interval: 5 });
}

/** What a number comes to: it has stayed the same for a thousand turns. */
export async function waitForStableNumber(read: () => number): Promise<number> {
  let [lastValue, stableTurns] = [read(), 0];
  await waitUntil(() => {
    stableTurns = read() === lastValue ? stableTurns + 1 : 0;
    lastValue = read();
    return stableTurns === 1_000;
  });
  return lastValue;
}

/**
 * Counts the timers of such a length that are set from here on and not cleared, under the clock of a test; its end puts
 * the real ones back. All timers together would say nothing: what other files of this thread have left sets some, too.
 */
export function countTimers(isCounted: (ms: number) => boolean): () => number {
  const { setTimeout: realSetTimeout, clearTimeout: realClearTimeout } = globalThis;
  const activeTimers = new Set<unknown>();
  const setCountedTimeout = (callback: () => void, ms = 0, ...args: []) => {
    const timer = realSetTimeout(callback, ms, ...args);
    if (isCounted(ms)) activeTimers.add(timer);
    return timer;
  };
  const clearCountedTimeout = (timer?: NodeJS.Timeout) => {
    activeTimers.delete(timer);
    realClearTimeout(timer);
  };
  // With what that clock has noted on its own functions, by which it knows how to put the real ones back.
  Reflect.set(globalThis, 'setTimeout', Object.assign(setCountedTimeout, realSetTimeout));
  Reflect.set(globalThis, 'clearTimeout', Object.assign(clearCountedTimeout, realClearTimeout));
  return () => activeTimers.size;
}
