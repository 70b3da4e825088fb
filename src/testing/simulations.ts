/** Shared by simulations of many trials. */
import fc from 'fast-check';

import { createSeededRandom } from '../lib/random.ts';

/** Returns uniform numbers in [0, 1) that depend on the seed of this run and on a name. */
export function createSimulationRandom(name: string): () => number {
  const [seed = 0] = fc.sample(fc.nat(), 1);
  return createSeededRandom(`${name}/${seed}`);
}

/** Returns the share of runs for which the predicate is true. */
export function computeShare(runs: number, predicate: () => boolean): number {
  let count = 0;
  for (let run = 0; run < runs; run += 1) if (predicate()) count += 1;
  return count / runs;
}

/** Draws the difference for one case: 1 if only the column passes, −1 if only the baseline passes. */
export function drawDifference(random: () => number, better: number, worse: number): number {
  const random01 = random();
  return random01 < better ? 1 : random01 < better + worse ? -1 : 0;
}
