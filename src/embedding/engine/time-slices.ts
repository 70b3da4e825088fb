/** Long work asks between two steps whether others wait. */
export interface TimeSlices {
  /** Undefined while the slice may go on; else to be awaited. Throws the signal's reason when aborted. */
  yieldIfDue(done: number): Promise<void> | undefined;
}

export interface TimeSliceOptions {
  /** Milliseconds of any clock. */
  now: () => number;
  /** Resolves when whatever else waits has had its turn. */
  pause: () => Promise<void>;
}

/** How long a slice lasts: a frame's time. */
const sliceMs = 12;
/** Who paused and goes on sooner than this had nobody to wait for. */
const minSliceMs = 4;

/**
 * Turns of one task; `onProgress` hears of each pause, and nothing when nothing had to wait. Others have up to
 * `behind` turns for each of its own.
 */
export function createTimeSlices(
  { now, pause }: TimeSliceOptions,
  task: { signal?: AbortSignal; onProgress?: (done: number) => void } = {},
  yieldsPerSlice = 1,
): TimeSlices {
  const { signal, onProgress } = task;
  let sliceStart = now();
  const yieldToOthers = async () => {
    for (let yieldIndex = 0; yieldIndex < yieldsPerSlice; yieldIndex++) {
      const pauseStart = now();
      await pause();
      sliceStart = now();
      if (sliceStart - pauseStart < minSliceMs) break;
    }
    signal?.throwIfAborted();
  };
  return {
    yieldIfDue(done) {
      signal?.throwIfAborted();
      if (now() - sliceStart < sliceMs) return undefined;
      onProgress?.(Math.min(1, done));
      return yieldToOthers();
    },
  };
}

/** The same turns for a part of the work: 0 to 1 of it is `from` to `to` of the whole. */
export function createSubSlices(slices: TimeSlices, from: number, to: number): TimeSlices {
  return { yieldIfDue: (done) => slices.yieldIfDue(from + done * (to - from)) };
}
