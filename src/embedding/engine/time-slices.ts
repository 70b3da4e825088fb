/** Lets long computations yield to waiting tasks between steps. */
export interface TimeSlices {
  /** Returns undefined while the slice lasts, otherwise a promise to await. Throws the signal's reason when aborted. */
  yieldIfDue(fraction: number): Promise<void> | undefined;
}

export interface TimeSliceOptions {
  /** Clock in ms. */
  now: () => number;
  /** Resolves after other pending tasks have run. */
  pause: () => Promise<void>;
}

/** Length of a slice in ms, about one frame. */
const maxSliceMs = 12;
/** A shorter pause in ms means that no other task was waiting. */
const minPauseMs = 4;

/**
 * Creates the slices of one task. `onProgress` is called on each pause, so never if no pause was necessary. Other tasks
 * run up to `yieldsPerSlice` times per slice.
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

/** Returns the same slices for a part of the work, whose progress from 0 to 1 is reported as `from` to `to`. */
export function createSubSlices(slices: TimeSlices, from: number, to: number): TimeSlices {
  return { yieldIfDue: (fraction) => slices.yieldIfDue(from + fraction * (to - from)) };
}
