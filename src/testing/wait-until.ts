import { vi } from 'vitest';

// Taken before a test stops the clock.
const { setImmediate: soon } = globalThis;

/** Looks again, turn by turn, until it is so; the test's own time limit ends it. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise<void>((resolve) => void soon(resolve));
}

/** Tries a check again until it passes. One that never does fails with what it said last. */
export async function eventually(check: () => unknown): Promise<void> {
  await vi.waitFor(check, { timeout: 30_000, interval: 5 });
}

/** What a number comes to: it has stayed the same for a thousand turns. */
export async function settled(read: () => number): Promise<number> {
  let [last, turns] = [read(), 0];
  await until(() => {
    turns = read() === last ? turns + 1 : 0;
    last = read();
    return turns === 1_000;
  });
  return last;
}

/**
 * Counts the timers of such a length that are set from here on and not cleared, under the clock of a test; its end puts
 * the real ones back. All timers together would say nothing: what other files of this thread have left sets some, too.
 */
export function timersLeft(isOurs: (ms: number) => boolean): () => number {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const left = new Set<unknown>();
  const counted = (run: () => void, ms = 0, ...given: []) => {
    const timer = set(run, ms, ...given);
    if (isOurs(ms)) left.add(timer);
    return timer;
  };
  const uncounted = (timer?: NodeJS.Timeout) => {
    left.delete(timer);
    clear(timer);
  };
  // With what that clock has noted on its own functions, by which it knows how to put the real ones back.
  Reflect.set(globalThis, 'setTimeout', Object.assign(counted, set));
  Reflect.set(globalThis, 'clearTimeout', Object.assign(uncounted, clear));
  return () => left.size;
}
