/** Response times of columns. They are descriptive and never part of the verdict. */
import { computeMedianRatio, computeSortedPercentile, getMinSampleSize } from './statistics/percentiles.ts';

/** Times in ms from the browser's POST. `minAnswers` is the number of answers required for an estimate. */
export type LatencyQuantile =
  | { kind: 'known'; valueMs: number; rangeMs: readonly [number, number] }
  | { kind: 'too few'; minAnswers: number };

/** Placeholder for the time of a cell without an answer or without a measured time. */
export const missingTime = Number.NaN;

/** Returns a quantile of sorted times with its confidence interval. */
export function computeLatencyQuantile(times: ArrayLike<number>, q: number): LatencyQuantile {
  const percentile = computeSortedPercentile(times, q);
  if (!percentile) return { kind: 'too few', minAnswers: getMinSampleSize(q) };
  return {
    kind: 'known',
    valueMs: percentile.value,
    rangeMs: [percentile.interval[0], percentile.interval[1]],
  };
}

/** Returns the times without missing ones. */
export function filterKnownTimes(times: Float32Array): Float32Array {
  return times.filter((ms) => !Number.isNaN(ms));
}

/** Returns the column's time relative to the baseline's, compared cell by cell: "1.7 times (1.6 to 1.8)". */
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
