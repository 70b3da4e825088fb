/** Percentiles of times, tokens and costs with confidence intervals from order statistics. */
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

export interface QuantileEstimate {
  value: number;
  interval: Interval;
}

export interface Percentile extends QuantileEstimate {
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

/**
 * Returns the median of each case's values; NaN for a case without values. `values` contain the repeats of the first
 * case, then those of the second, with NaN for a missing value.
 */
export function computeCaseMedians(values: ArrayLike<number>, repeats: number): Float64Array {
  if (repeats === 1) return Float64Array.from(values);
  const medians = new Float64Array(values.length / repeats);
  const sortedValues = new Float64Array(repeats);
  const getSorted = (index: number): number => sortedValues[index] ?? Number.NaN;
  for (let caseIndex = 0; caseIndex < medians.length; caseIndex += 1) {
    let size = 0;
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const value = values[caseIndex * repeats + repeat] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      let position = size;
      // Insertion is faster than a sort for the few values of a case.
      for (; position > 0 && getSorted(position - 1) > value; position -= 1)
        sortedValues[position] = getSorted(position - 1);
      sortedValues[position] = value;
      size += 1;
    }
    medians[caseIndex] =
      size === 0
        ? Number.NaN
        : (getSorted(Math.floor((size - 1) / 2)) + getSorted(Math.ceil((size - 1) / 2))) / 2;
  }
  return medians;
}

/**
 * Returns the median ratio of column to baseline, case by case, each with the median of its repeats, for times, tokens
 * and costs. Cases without a positive value in both are left out. The values are laid out as in `computeCaseMedians`.
 */
export function computeCaseRatio(
  columnValues: ArrayLike<number>,
  baselineValues: ArrayLike<number>,
  repeats: number,
): Percentile | undefined {
  const baselineMedians = computeCaseMedians(baselineValues, repeats);
  const pairs: [number, number][] = [];
  computeCaseMedians(columnValues, repeats).forEach((columnMedian, index) => {
    const baselineMedian = baselineMedians[index] ?? Number.NaN;
    if (columnMedian > 0 && baselineMedian > 0) pairs.push([columnMedian, baselineMedian]);
  });
  return computeMedianRatio(pairs);
}

/**
 * Returns a quantile of values with repeats, with an interval that counts the repeats of a case as dependent;
 * `undefined` for too few cases. The median is that of the cases' medians. Any other quantile is that of all values. Its
 * interval (Woodruff 1952) has the ranks for the effective number of values, which follows from how the share of values
 * up to the quantile varies between cases. That number is at least the number of cases. The values are laid out as in
 * `computeCaseMedians`.
 */
export function computeCasePercentile(
  values: ArrayLike<number>,
  repeats: number,
  q: number,
): QuantileEstimate | undefined {
  const isPresent = (value: number): boolean => !Number.isNaN(value);
  if (repeats === 1 || q === 0.5)
    return computePercentile(computeCaseMedians(values, repeats).filter(isPresent), q);
  const sortedValues = Float64Array.from(values).filter(isPresent).toSorted();
  const n = sortedValues.length;
  const value = sortedValues[Math.ceil(q * n) - 1] ?? Number.NaN;
  let [cases, squares] = [0, 0];
  for (let start = 0; start < values.length; start += repeats) {
    let [size, below] = [0, 0];
    for (let index = start; index < start + repeats; index += 1) {
      const caseValue = values[index] ?? Number.NaN;
      if (isPresent(caseValue)) size += 1;
      if (caseValue <= value) below += 1;
    }
    if (size > 0) cases += 1;
    squares += (below - q * size) ** 2;
  }
  if (cases < getMinSampleSize(q)) return undefined;
  const spread = ((squares / (n * n)) * cases) / (cases - 1);
  const effectiveCount = Math.floor(Math.max(cases, Math.min(n, (q * (1 - q)) / spread)));
  const ranks = findQuantileRanks(effectiveCount, q);
  if (!ranks) return undefined;
  const scale = (n + 1) / (effectiveCount + 1);
  const lowRank = Math.floor(ranks.low * scale + tolerance);
  const highRank = Math.ceil(ranks.high * scale - tolerance);
  return {
    value,
    interval: [sortedValues[lowRank - 1] ?? Number.NaN, sortedValues[highRank - 1] ?? Number.NaN],
  };
}
