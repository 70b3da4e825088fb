/** Percentiles of times with confidence intervals from order statistics. */
import { computeBinomialProbabilities } from './binomial.ts';
import type { Interval } from './intervals.ts';

const confidenceLevel = 0.95;
const tolerance = 1e-12;

export interface Ranks {
  /** Ranks count from 1. */
  low: number;
  high: number;
  /** Probability that the interval contains the percentile. */
  coverage: number;
}

/**
 * Returns the closest pair of ranks that contains the quantile of n values with 95% confidence; `undefined` for too few
 * values.
 */
export function findQuantileRanks(n: number, q: number): Ranks | undefined {
  const probabilities = computeBinomialProbabilities(n, q);
  /** Probability that fewer than `index` values are below the quantile. */
  const cumulative = new Float64Array(n + 2);
  probabilities.forEach((chance, index) => (cumulative[index + 1] = (cumulative[index] ?? 0) + chance));
  let bestRanks: Ranks | undefined;
  let high = 2;
  for (let low = 1; low < n; low += 1) {
    high = Math.max(high, low + 1);
    const getCoverage = (rank: number): number => (cumulative[rank] ?? 0) - (cumulative[low] ?? 0);
    while (high <= n && getCoverage(high) + tolerance < confidenceLevel) high += 1;
    if (high > n) break;
    const coverage = getCoverage(high);
    const isShorter = !bestRanks || high - low < bestRanks.high - bestRanks.low;
    const isBetter =
      bestRanks && high - low === bestRanks.high - bestRanks.low && coverage > bestRanks.coverage + tolerance;
    if (isShorter || isBetter) bestRanks = { low, high, coverage };
  }
  return bestRanks;
}

/**
 * Returns the minimum number of values for an interval of this quantile: 6, 29, 59 and 299 for the median, p90, p95 and
 * p99.
 */
export function getMinSampleSize(q: number): number {
  // The widest pair, from first to last value, misses only the two extremes.
  let n = 2;
  while (1 - q ** n - (1 - q) ** n + tolerance < confidenceLevel) n += 1;
  return n;
}

export interface Percentile {
  value: number;
  interval: Interval;
  ranks: Ranks;
}

/** Returns the quantile of these values with its interval; `undefined` for too few values. */
export function computePercentile(values: ArrayLike<number>, q: number): Percentile | undefined {
  return computeSortedPercentile(new Float64Array(values).toSorted(), q);
}

/** Returns the quantile of sorted values. */
export function computeSortedPercentile(values: ArrayLike<number>, q: number): Percentile | undefined {
  const ranks = findQuantileRanks(values.length, q);
  if (!ranks) return undefined;
  const getValue = (rank: number): number => values[rank - 1] ?? 0;
  const n = values.length;
  const value =
    q === 0.5
      ? (getValue(Math.floor((n + 1) / 2)) + getValue(Math.ceil((n + 1) / 2))) / 2
      : getValue(Math.ceil(q * n));
  return { value, interval: [getValue(ranks.low), getValue(ranks.high)], ranks };
}

/** Returns the median ratio of column to baseline, case by case; above 1 the column is slower. */
export function computeMedianRatio(
  pairs: readonly (readonly [column: number, baseline: number])[],
): Percentile | undefined {
  const medianOfRatios = computePercentile(
    pairs.map(([column, baseline]) => Math.log(column / baseline)),
    0.5,
  );
  if (!medianOfRatios) return undefined;
  const [low, high] = medianOfRatios.interval;
  return {
    value: Math.exp(medianOfRatios.value),
    interval: [Math.exp(low), Math.exp(high)],
    ranks: medianOfRatios.ranks,
  };
}
