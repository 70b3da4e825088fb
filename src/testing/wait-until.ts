import { vi } from 'vitest';

// Captured before a test replaces the timers.
const { setImmediate: realSetImmediate, setTimeout: realSetTimeout } = globalThis;

/**
 * Polls until the condition holds: on every event loop turn at first, then every millisecond, so that a longer wait
 * leaves the processor to what it waits for. If the condition never holds, the test times out.
 */
export async function waitUntil(predicate: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; !(await predicate()); turn += 1)
    await new Promise<void>((resolve) => {
      if (turn < 20) realSetImmediate(resolve);
      else realSetTimeout(resolve, 1);
    });
}

/** Repeats a check until it passes. A check that never passes fails with its last message. */
export async function waitForAssertion(check: () => unknown): Promise<void> {
  await vi.waitFor(check, { timeout: 30_000, interval: 5 });
}

/** Returns the number once it has stayed the same for a thousand turns. */
export async function waitForStableNumber(read: () => number): Promise<number> {
  let lastValue = read();
  for (let stableTurns = 0; stableTurns < 1_000; stableTurns += 1) {
    await new Promise<void>((resolve) => void realSetImmediate(resolve));
    if (read() === lastValue) continue;
    lastValue = read();
    stableTurns = 0;
  }
  return lastValue;
}

/**
 * Counts timers of matching length that are set from now on and not cleared; the end of the test restores the real
 * functions. Counting all timers would also count those of other files in this thread.
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
  // Copies the properties of the fake clock, which identify the real functions to restore.
  Reflect.set(globalThis, 'setTimeout', Object.assign(setCountedTimeout, realSetTimeout));
  Reflect.set(globalThis, 'clearTimeout', Object.assign(clearCountedTimeout, realClearTimeout));
  return () => activeTimers.size;
}
