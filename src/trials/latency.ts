/** Times of answers, as descriptions: they decide nothing. */
import { medianRatio, percentileInOrder, valuesNeeded } from './statistics/percentiles.ts';

/** Milliseconds, from our POST. `from`: so many answers are needed before there is a figure. */
export type LatencyFigure =
  | { kind: 'known'; valueMs: number; rangeMs: readonly [number, number] }
  | { kind: 'too few'; from: number };

/** What stands for the time of a cell that was not answered, or of which none was seen. */
export const noTime = Number.NaN;

/** A quantile of a column's times, which are in order, with its range. */
export function latencyFigure(times: ArrayLike<number>, q: number): LatencyFigure {
  const found = percentileInOrder(times, q);
  if (!found) return { kind: 'too few', from: valuesNeeded(q) };
  return { kind: 'known', valueMs: found.value, rangeMs: [found.range[0], found.range[1]] };
}

/** The times that there are. */
export function knownTimes(times: Float32Array): Float32Array {
  return times.filter((ms) => !Number.isNaN(ms));
}

/** How many times as long as the baseline the column takes, cell by cell: "1.7 times (1.6 to 1.8)". */
export function latencyRatio(
  column: Float32Array,
  baseline: Float32Array,
): { times: number; range: readonly [number, number] } | undefined {
  const pairs: [number, number][] = [];
  for (let place = 0; place < column.length; place += 1) {
    const [own, other] = [column[place] ?? noTime, baseline[place] ?? noTime];
    if (own > 0 && other > 0) pairs.push([own, other]);
  }
  const found = medianRatio(pairs);
  return found && { times: found.value, range: [found.range[0], found.range[1]] };
}
