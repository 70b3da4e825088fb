/** Percentiles of times with ranges from order statistics. */
import { binomialChances } from './binomial.ts';
import type { Range } from './intervals.ts';

const level = 0.95;
const tolerance = 1e-12;

export interface Ranks {
  /** From 1. */
  low: number;
  high: number;
  /** The chance that the range holds the percentile. */
  covered: number;
}

/** The shortest pair of ranks that holds the quantile of n values with 95 %; undefined where there are too few. */
export function quantileRanks(n: number, q: number): Ranks | undefined {
  const chances = binomialChances(n, q);
  /** Of fewer than so many values below the quantile. */
  const under = new Float64Array(n + 2);
  chances.forEach((chance, index) => (under[index + 1] = (under[index] ?? 0) + chance));
  let found: Ranks | undefined;
  let high = 2;
  for (let low = 1; low < n; low += 1) {
    high = Math.max(high, low + 1);
    const coveredTo = (rank: number): number => (under[rank] ?? 0) - (under[low] ?? 0);
    while (high <= n && coveredTo(high) + tolerance < level) high += 1;
    if (high > n) break;
    const covered = coveredTo(high);
    const isShorter = !found || high - low < found.high - found.low;
    const isBetter = found && high - low === found.high - found.low && covered > found.covered + tolerance;
    if (isShorter || isBetter) found = { low, high, covered };
  }
  return found;
}

/** How many values a range of this quantile takes at least: 6, 29, 59 and 299 for the median, p90, p95 and p99. */
export function valuesNeeded(q: number): number {
  // The widest pair, from the first to the last, covers all but the two ends.
  let n = 2;
  while (1 - q ** n - (1 - q) ** n + tolerance < level) n += 1;
  return n;
}

export interface Percentile {
  value: number;
  range: Range;
  ranks: Ranks;
}

/** The quantile of these values with its range. Without a pair of ranks no figure: undefined. */
export function percentile(values: ArrayLike<number>, q: number): Percentile | undefined {
  return percentileInOrder(new Float64Array(values).toSorted(), q);
}

/** The same of values that are in order already. */
export function percentileInOrder(values: ArrayLike<number>, q: number): Percentile | undefined {
  const ranks = quantileRanks(values.length, q);
  if (!ranks) return undefined;
  const at = (rank: number): number => values[rank - 1] ?? 0;
  const n = values.length;
  const value =
    q === 0.5 ? (at(Math.floor((n + 1) / 2)) + at(Math.ceil((n + 1) / 2))) / 2 : at(Math.ceil(q * n));
  return { value, range: [at(ranks.low), at(ranks.high)], ranks };
}

/** By how much the column is slower (over 1) than the baseline: the median of the ratios, case by case. */
export function medianRatio(
  pairs: readonly (readonly [column: number, baseline: number])[],
): Percentile | undefined {
  const found = percentile(
    pairs.map(([column, baseline]) => Math.log(column / baseline)),
    0.5,
  );
  if (!found) return undefined;
  const [low, high] = found.range;
  return { value: Math.exp(found.value), range: [Math.exp(low), Math.exp(high)], ranks: found.ranks };
}
