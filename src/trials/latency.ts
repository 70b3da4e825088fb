/** Times, lengths and costs of the answers of a column. They are descriptive and never part of the verdict. */
import type { Interval } from './statistics/intervals.ts';
import { computeCasePercentile, computeCaseRatio, getMinSampleSize } from './statistics/percentiles.ts';

/** Times in ms from the browser's POST. `minCases` is the number of cases required for an estimate. */
export type LatencyQuantile =
  | { kind: 'known'; valueMs: number; rangeMs: readonly [number, number] }
  | { kind: 'too few'; minCases: number };

/** Column relative to the baseline, case by case: 1.7 times as much (1.6 to 1.8). */
export interface Ratio {
  factor: number;
  interval: Interval;
}

/** Placeholder for the time, length or cost of a cell without an answer, or if it is unknown. */
export const missingValue = Number.NaN;

/** Returns a quantile of a column's times with its interval. Repeats of a case are not independent. */
export function computeLatencyQuantile(
  times: ArrayLike<number>,
  repeats: number,
  q: number,
): LatencyQuantile {
  const percentile = computeCasePercentile(times, repeats, q);
  if (!percentile) return { kind: 'too few', minCases: getMinSampleSize(q) };
  return {
    kind: 'known',
    valueMs: percentile.value,
    rangeMs: [percentile.interval[0], percentile.interval[1]],
  };
}

/** Returns the values without missing ones. */
export function filterKnownValues(values: Float32Array): Float32Array {
  return values.filter((value) => !Number.isNaN(value));
}

/** Returns the column's values relative to the baseline's, compared case by case; `undefined` for too few cases. */
export function computeValueRatio(
  columnValues: ArrayLike<number>,
  baselineValues: ArrayLike<number>,
  repeats: number,
): Ratio | undefined {
  const ratio = computeCaseRatio(columnValues, baselineValues, repeats);
  return ratio && { factor: ratio.value, interval: ratio.interval };
}
