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
