import type { TimeSliceOptions } from './engine/time-slices.ts';
import { createSeededRandom } from './maps/seeded-sample.ts';

/** Vectors about a few middles, row-major: row i belongs to group i modulo groups. */
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
/** Turns that let others in as often as they may, however fast the machine is: for their clock all takes long. */
export const testTimeSlices: TimeSliceOptions = {
  now: () => (clockMs += 20),
  pause: () => new Promise((resolve) => setImmediate(resolve)),
};

/** The bits of each number: −0 is not 0, and a last digit counts. */
export function toBits(numbers: Float32Array): number[] {
  return [...new Uint32Array(numbers.slice().buffer)];
}
