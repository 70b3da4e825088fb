/** Long work asks between two steps whether others wait. */
export interface TimeSlices {
  /** Undefined while the slice may go on; else to be awaited. Throws the signal's reason when aborted. */
  yieldIfDue(fraction: number): Promise<void> | undefined;
}

export interface TimeSliceOptions {
  /** Milliseconds of any clock. */
  now: () => number;
  /** Resolves when whatever else waits has had its turn. */
  pause: () => Promise<void>;
}

/** How long a slice lasts: a frame's time. */
const maxSliceMs = 12;
/** Who paused and goes on sooner than this had nobody to wait for. */
const minPauseMs = 4;

/**
 * Turns of one task; `onProgress` hears of each pause, and nothing when nothing had to wait. Others have up to
 * `yieldsPerSlice` turns for each of its own.
 */
export function createTimeSlices(
  { now, pause }: TimeSliceOptions,
  task: { signal?: AbortSignal; onProgress?: (fraction: number) => void } = {},
  yieldsPerSlice = 1,
): TimeSlices {
  const { signal, onProgress } = task;
  let sliceStartMs = now();
  const yieldToOthers = async () => {
    for (let yieldIndex = 0; yieldIndex < yieldsPerSlice; yieldIndex++) {
      const pauseStartMs = now();
      await pause();
      sliceStartMs = now();
      if (sliceStartMs - pauseStartMs < minPauseMs) break;
    }
    signal?.throwIfAborted();
  };
  return {
    yieldIfDue(fraction) {
      signal?.throwIfAborted();
      if (now() - sliceStartMs < maxSliceMs) return undefined;
      onProgress?.(Math.min(1, fraction));
      return yieldToOthers();
    },
  };
}

/** The same turns for a part of the work: 0 to 1 of it is `from` to `to` of the whole. */
export function createSubSlices(slices: TimeSlices, from: number, to: number): TimeSlices {
  return { yieldIfDue: (fraction) => slices.yieldIfDue(from + fraction * (to - from)) };
}
