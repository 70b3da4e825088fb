import type { TimeSliceOptions } from '../embedding/engine/time-slices.ts';
import { createSeededRandom } from '../lib/random.ts';

/** Returns vectors around a few centres, row-major: row i belongs to group i modulo the number of groups. */
export function createGroupedVectors(
  rowCount: number,
  dimensions: number,
  groupCount: number,
  spread: number,
): Float32Array<ArrayBuffer> {
  const random = createSeededRandom(rowCount + dimensions);
  const centres = Array.from({ length: groupCount * dimensions }, () => random() - 0.5);
  return Float32Array.from(
    { length: rowCount * dimensions },
    (_, index) =>
      (centres[(Math.floor(index / dimensions) % groupCount) * dimensions + (index % dimensions)] ?? 0) +
      spread * (random() - 0.5),
  );
}

let clockMs = 0;
/** Slices that yield as often as possible on any machine, since their clock advances quickly. */
export const testTimeSlices: TimeSliceOptions = {
  now: () => (clockMs += 20),
  pause: () => new Promise((resolve) => setImmediate(resolve)),
};

/** Returns the bits of each number: −0 differs from 0, and every digit counts. */
export function toBits(numbers: Float32Array): number[] {
  return [...new Uint32Array(numbers.slice().buffer)];
}
