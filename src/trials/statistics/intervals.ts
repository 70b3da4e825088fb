/** Fixed-sample confidence intervals for a rate and a paired difference. */
import { computeStudentQuantile95 } from './quantiles.ts';

/** Quantile of the normal distribution with 2.5% on each side. */
export const z95 = 1.959963984540054;

export type Interval = readonly [low: number, high: number];

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Returns the Wilson interval for a rate; n may be fractional (an effective count). */
export function computeWilsonInterval(p: number, n: number, z = z95): Interval {
  if (n === 0) return [0, 1];
  const z2 = z * z;
  const middle = (p + z2 / (2 * n)) / (1 + z2 / n);
  const halfWidth = (z / (1 + z2 / n)) * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n));
  return [Math.max(0, middle - halfWidth), Math.min(1, middle + halfWidth)];
}

export interface RateEstimate {
  rate: number;
  /** Number of independent cases with the same information. */
  effectiveCount: number;
  /** Absent for a single group of several cases, which does not show how far groups differ. */
  interval?: Interval;
}

/** A smaller spread is a rounding error. */
const negligibleSpread = 1e-12;

/**
 * Returns the mean of the values with its interval; `undefined` without values. `groups` contain values in [0, 1]; a
 * case without a group forms a separate group. The spread of G groups is corrected by G ÷ (G − 1) and the interval uses
 * Student's t with G − 1 degrees of freedom, as usual for cluster-robust errors, because few groups spread less than
 * many. With `weighsGroupsEqually`, the rate is the mean over groups instead of values.
 */
export function estimateRate(
  groups: readonly (readonly number[])[],
  repeats: number,
  weighsGroupsEqually = false,
): RateEstimate | undefined {
  const n = groups.flat().length;
  if (n === 0) return undefined;
  const weighedGroups = weighsGroupsEqually ? groups.map((group) => [sum(group) / group.length]) : groups;
  const weighedCount = weighedGroups.flat().length;
  const rate = sum(weighedGroups.flat()) / weighedCount;
  const isGrouped = n > groups.length;
  if (isGrouped && groups.length === 1) return { rate, effectiveCount: 1 };
  const correction = isGrouped ? groups.length / (groups.length - 1) : 1;
  const spread =
    (correction * sum(weighedGroups.map((group) => sum(group.map((value) => value - rate)) ** 2))) /
    weighedCount ** 2;
  const effectiveCount =
    spread < negligibleSpread ? groups.length : Math.min((rate * (1 - rate)) / spread, n * repeats);
  const z = isGrouped ? computeStudentQuantile95(groups.length - 1) : z95;
  return { rate, effectiveCount, interval: computeWilsonInterval(rate, effectiveCount, z) };
}

/**
 * Returns the Bonett-Price interval for a mean difference in a fixed sample. `groups` contain differences in [−1, 1],
 * and `z` is the normal quantile of the confidence level.
 */
export function computeFixedSampleInterval(
  groups: readonly (readonly number[])[],
  z = z95,
): Interval | undefined {
  const n = groups.flat().length;
  if (n === 0) return undefined;
  const size = n / groups.length;
  const total = n + 2 * size;
  const middle = sum(groups.flat()) / total;
  const spread =
    sum(groups.map((group) => (sum(group) - group.length * middle) ** 2)) +
    (size * (1 - middle)) ** 2 +
    (size * (1 + middle)) ** 2;
  const halfWidth = (z * Math.sqrt(spread)) / total;
  return [Math.max(-1, middle - halfWidth), Math.min(1, middle + halfWidth)];
}
