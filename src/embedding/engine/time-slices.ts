/** Long work asks between two steps whether others wait. */
export interface Turns {
  /** Undefined while the slice may go on; else to be awaited. Throws the signal's reason when aborted. */
  rest(done: number): Promise<void> | undefined;
}

export interface TurnOptions {
  /** Milliseconds of any clock. */
  now: () => number;
  /** Resolves when whatever else waits has had its turn. */
  pause: () => Promise<void>;
}

/** How long a slice lasts: a frame's time. */
const sliceMs = 12;
/** Who paused and goes on sooner than this had nobody to wait for. */
const leastSliceMs = 4;

/**
 * Turns of one task; `onProgress` hears of each pause, and nothing when nothing had to wait. Others have up to
 * `behind` turns for each of its own.
 */
export function turnsOf(
  { now, pause }: TurnOptions,
  task: { signal?: AbortSignal; onProgress?: (done: number) => void } = {},
  behind = 1,
): Turns {
  const { signal, onProgress } = task;
  let began = now();
  const letOthers = async () => {
    for (let turn = 0; turn < behind; turn++) {
      const paused = now();
      await pause();
      began = now();
      if (began - paused < leastSliceMs) break;
    }
    signal?.throwIfAborted();
  };
  return {
    rest(done) {
      signal?.throwIfAborted();
      if (now() - began < sliceMs) return undefined;
      onProgress?.(Math.min(1, done));
      return letOthers();
    },
  };
}

/** The same turns for a part of the work: 0 to 1 of it is `from` to `to` of the whole. */
export function partOf(turns: Turns, from: number, to: number): Turns {
  return { rest: (done) => turns.rest(from + done * (to - from)) };
}
