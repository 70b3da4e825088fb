/** Times of answers, as descriptions: they decide nothing. */
import { computeMedianRatio, computeSortedPercentile, getMinSampleSize } from './statistics/percentiles.ts';

/** Milliseconds, from our POST. `minAnswers`: so many answers are needed before there is a figure. */
export type LatencyQuantile =
  | { kind: 'known'; valueMs: number; rangeMs: readonly [number, number] }
  | { kind: 'too few'; minAnswers: number };

/** What stands for the time of a cell that was not answered, or of which none was seen. */
export const missingTime = Number.NaN;

/** A quantile of a column's times, which are in order, with its range. */
export function computeLatencyQuantile(times: ArrayLike<number>, q: number): LatencyQuantile {
  const percentile = computeSortedPercentile(times, q);
  if (!percentile) return { kind: 'too few', minAnswers: getMinSampleSize(q) };
  return {
    kind: 'known',
    valueMs: percentile.value,
    rangeMs: [percentile.interval[0], percentile.interval[1]],
  };
}

/** The times that there are. */
export function filterKnownTimes(times: Float32Array): Float32Array {
  return times.filter((ms) => !Number.isNaN(ms));
}

/** How many times as long as the baseline the column takes, cell by cell: "1.7 times (1.6 to 1.8)". */
export function computeLatencyRatio(
  columnTimes: Float32Array,
  baselineTimes: Float32Array,
): { factor: number; interval: readonly [number, number] } | undefined {
  const pairs: [number, number][] = [];
  for (let index = 0; index < columnTimes.length; index += 1) {
    const [columnMs, baselineMs] = [columnTimes[index] ?? missingTime, baselineTimes[index] ?? missingTime];
    if (columnMs > 0 && baselineMs > 0) pairs.push([columnMs, baselineMs]);
  }
  const ratio = computeMedianRatio(pairs);
  return ratio && { factor: ratio.value, interval: [ratio.interval[0], ratio.interval[1]] };
}
