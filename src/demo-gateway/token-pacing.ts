/** How fast ticks are handed out. `wait` ends early, with an error, when the signal aborts. */
interface Pace {
  /** 0: as fast as they are taken, without timers. */
  ticksPerSecond: number;
  /** How long the first tick takes; as of a model that reads its prompt where it is not given. */
  firstWaitMs?: number;
  random: () => number;
  now: () => number;
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  signal: AbortSignal;
}

const minFirstWaitMs = 250;
const firstWaitSpreadMs = 200;
/** Part of the distance between two ticks by which each may be late. Under 1, or they would change order. */
const jitter = 0.4;
/** So many ticks at most between two looks at the event loop. */
const maxBatchTicks = 500;

/**
 * Ticks in batches, each when it is due: a first wait as of a model that reads its prompt, then at the
 * pace. Due times are counted from the start, so that late timers do not add up: ticks that a late timer
 * has missed come together in one batch.
 */
export async function* scheduleTicks<Tick>(ticks: Iterable<Tick>, pace: Pace): AsyncGenerator<Tick[]> {
  const intervalMs = pace.ticksPerSecond === 0 ? 0 : 1000 / pace.ticksPerSecond;
  const firstWaitMs = pace.firstWaitMs ?? minFirstWaitMs + firstWaitSpreadMs * pace.random();
  let firstDueMs = pace.now() + (intervalMs === 0 ? 0 : firstWaitMs);
  let count = 0;
  let batch: Tick[] = [];
  pace.signal.throwIfAborted();
  for (const tick of ticks) {
    // A model that thinks about its first word for longer says it later; what follows comes at its pace all the same.
    if (count === 0) firstDueMs = Math.max(firstDueMs, pace.now());
    const dueMs = firstDueMs + (count === 0 ? 0 : count + jitter * pace.random()) * intervalMs;
    const isDue = intervalMs === 0 || dueMs <= pace.now();
    if (batch.length > 0 && (!isDue || batch.length === maxBatchTicks)) {
      yield batch;
      batch = [];
    }
    if (batch.length === 0) {
      pace.signal.throwIfAborted();
      await pace.wait(isDue ? 0 : dueMs - pace.now(), pace.signal);
    }
    batch.push(tick);
    count += 1;
  }
  if (batch.length > 0) yield batch;
}
