/** Pace at which ticks are delivered. `wait` rejects early if the signal aborts. */
interface Pace {
  /** Ticks per second; 0 delivers ticks as fast as they are read, without timers. */
  ticksPerSecond: number;
  /** Time to the first tick in ms; by default a short random delay, as if the model were reading its prompt. */
  firstWaitMs?: number;
  random: () => number;
  now: () => number;
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  signal: AbortSignal;
}

const minFirstWaitMs = 250;
const firstWaitSpreadMs = 200;
/** Maximum delay of a tick as a share of the interval. Must stay below 1 to keep the order of ticks. */
const jitter = 0.4;
/** Maximum number of ticks before yielding to the event loop. */
const maxBatchTicks = 500;

/**
 * Yields ticks in batches when they are due: an initial delay, then a steady pace. Due times are counted from the
 * start, so timer delays do not add up; ticks missed by a late timer are delivered in one batch.
 */
export async function* scheduleTicks<Tick>(ticks: Iterable<Tick>, pace: Pace): AsyncGenerator<Tick[]> {
  const intervalMs = pace.ticksPerSecond === 0 ? 0 : 1000 / pace.ticksPerSecond;
  const firstWaitMs = pace.firstWaitMs ?? minFirstWaitMs + firstWaitSpreadMs * pace.random();
  let firstDueMs = pace.now() + (intervalMs === 0 ? 0 : firstWaitMs);
  let count = 0;
  let batch: Tick[] = [];
  pace.signal.throwIfAborted();
  for (const tick of ticks) {
    // A model that needs longer for its first token delays all later ticks by the same time.
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
