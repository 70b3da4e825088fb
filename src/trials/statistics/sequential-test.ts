/**
 * Sequential test by betting, valid however often results are inspected: one bet against each possible true difference.
 * The wealth of a bet starts at 1 and stays 1 on average if its difference is true, so it reaches 20 with a probability
 * of at most 5%.
 */
import { computeLogGamma } from './binomial.ts';
import type { Interval } from './intervals.ts';

/** A bet with this wealth has ruled out its difference. */
export const evidenceThreshold = 20;

/** Bets are made against the differences −1 to 1 in steps of 0.001. */
const stepsPerUnit = 1000;
const hypothesisCount = 2 * stepsPerUnit + 1;
/** Smallest difference that an interval distinguishes from 0. */
export const differenceStep = 1 / stepsPerUnit;
/** Sentences and intervals must agree at the exact threshold despite rounding errors. */
const toleranceFactor = 1 - 1e-12;

/** Numbers of results in favour of the column and of the baseline. Fractions are allowed. */
export interface ResultCounts {
  better: number;
  worse: number;
}

/** Returns the logarithm of the evidence for binary results: 2^(b+c) b! c! ÷ (b+c+1)!. Accepts fractional counts. */
export function computeLogEvidence(better: number, worse: number): number {
  const total = better + worse;
  return (
    total * Math.LN2 + computeLogGamma(better + 1) + computeLogGamma(worse + 1) - computeLogGamma(total + 2)
  );
}

/** Sign of a difference: 1 if the column is ahead, −1 if the baseline is, 0 for neither. */
export type Direction = -1 | 0 | 1;

/** Limits of an interval besides the threshold for all results. */
export interface IntervalLimits {
  /** Threshold for the results until the planned end, after which results have a higher threshold. */
  endThreshold: number;
  /** Interval of the look at the planned end. */
  look: Interval;
}

/** Results until the planned end. */
export interface PlannedEnd {
  evidence: number;
  direction: Direction;
  /** Number of differences, their sum and the sum of their squares. */
  count: number;
  total: number;
  squares: number;
}

/** All bets on one sequence of differences. Only new differences change the bets; earlier results stay unchanged. */
export interface SequentialTest {
  /** Adds the next difference, in [−1, 1]. */
  add: (difference: number) => void;
  /** Returns the highest wealth so far of the bet against "no difference", at least 1. */
  getEvidence: () => number;
  /** Returns the natural logarithm of the evidence, which stays finite where the evidence exceeds 1e308. */
  getLogEvidence: () => number;
  /** Returns the column that was ahead when the evidence was highest. */
  getDirection: () => Direction;
  /** Marks the results so far as those until the planned end. */
  markPlannedEnd: () => void;
  /** Returns the results until the planned end; `undefined` before it. */
  getPlannedEnd: () => PlannedEnd | undefined;
  /**
   * Returns the range of differences that no bet has ever ruled out; `undefined` if none is left. The interval only
   * shrinks. `limits` apply after the planned end.
   */
  getInterval: (threshold: number, limits?: IntervalLimits) => Interval | undefined;
}

/** Creates a test for intervals with thresholds up to `highestThreshold`. Bets that reach it are no longer updated. */
export function createSequentialTest(highestThreshold = evidenceThreshold): SequentialTest {
  const wealth = new Float64Array(hypothesisCount).fill(1);
  const maxWealth = new Float64Array(hypothesisCount).fill(1);
  const openIndexes = new Int32Array(hypothesisCount).map((_, index) => index);
  let openCount = hypothesisCount;
  let [count, total, squares] = [0, 0, 0];
  let [logWealth, maxLogWealth] = [0, 0];
  let direction: Direction = 0;
  let [endWealth, plannedEnd]: [Float64Array?, PlannedEnd?] = [];

  /** Returns the share of the wealth that the bet against the difference m stakes on the next result. */
  function computeStake(m: number): number {
    const pull = total - count * m;
    const spread = squares - 2 * m * total + count * m * m;
    const limit = count / (count + 2) / (1 + Math.abs(m));
    return Math.max(-limit, Math.min(limit, pull / (spread + 2)));
  }

  function add(difference: number): void {
    let acceptedCount = 0;
    logWealth += Math.log1p(computeStake(0) * difference);
    for (let position = 0; position < openCount; position += 1) {
      const index = openIndexes[position] ?? 0;
      const m = (index - stepsPerUnit) / stepsPerUnit;
      const newWealth = (wealth[index] ?? 0) * (1 + computeStake(m) * (difference - m));
      const newMaxWealth = Math.max(maxWealth[index] ?? 0, newWealth);
      wealth[index] = newWealth;
      maxWealth[index] = newMaxWealth;
      // The bet against "no difference" continues, because its wealth is displayed.
      if (newMaxWealth < highestThreshold || index === stepsPerUnit) {
        openIndexes[acceptedCount] = index;
        acceptedCount += 1;
      }
    }
    openCount = acceptedCount;
    count += 1;
    total += difference;
    squares += difference * difference;
    if (logWealth <= maxLogWealth) return;
    maxLogWealth = logWealth;
    direction = total > 0 ? 1 : total < 0 ? -1 : 0;
  }

  function getInterval(threshold: number, limits?: IntervalLimits): Interval | undefined {
    const isOpen = (index: number): boolean => {
      if ((maxWealth[index] ?? 0) >= threshold * toleranceFactor) return false;
      if (!limits) return true;
      const m = (index - stepsPerUnit) / stepsPerUnit;
      const [low, high] = limits.look;
      return (endWealth?.[index] ?? 0) < limits.endThreshold * toleranceFactor && m >= low && m <= high;
    };
    let [low, high] = [0, hypothesisCount - 1];
    while (low < hypothesisCount && !isOpen(low)) low += 1;
    if (low === hypothesisCount) return undefined;
    while (!isOpen(high)) high -= 1;
    return [(low - stepsPerUnit) / stepsPerUnit, (high - stepsPerUnit) / stepsPerUnit];
  }

  return {
    add,
    getEvidence: () => maxWealth[stepsPerUnit] ?? 1,
    getLogEvidence: () => maxLogWealth,
    getDirection: () => direction,
    markPlannedEnd: () => {
      endWealth = maxWealth.slice();
      plannedEnd = { evidence: maxWealth[stepsPerUnit] ?? 1, direction, count, total, squares };
    },
    getPlannedEnd: () => plannedEnd,
    getInterval,
  };
}

export interface HolmStep {
  /** Evidence required to decide this comparison. */
  requiredEvidence: number;
  decided: boolean;
  /** Rank of the comparison by evidence, from 1. */
  rank: number;
}

/**
 * Applies Holm's method to k comparisons: the largest evidence must reach 20 k, the next 20 (k − 1), and so on until
 * one does not.
 */
export function applyHolm(evidences: readonly number[]): HolmStep[] {
  const rankedEvidences = evidences
    .map((evidence, index) => ({ evidence, index }))
    .toSorted((a, b) => b.evidence - a.evidence || a.index - b.index);
  const steps: HolmStep[] = [];
  let missedThreshold: number | undefined;
  for (const [rankIndex, { evidence, index }] of rankedEvidences.entries()) {
    const requiredEvidence = missedThreshold ?? evidenceThreshold * (evidences.length - rankIndex);
    const decided = missedThreshold === undefined && evidence >= requiredEvidence * toleranceFactor;
    if (!decided) missedThreshold = requiredEvidence;
    steps[index] = { requiredEvidence, decided, rank: rankIndex + 1 };
  }
  return steps;
}

/** Returns the common threshold of all intervals. It never rises, and it agrees with the sentences of the verdict. */
export function getIntervalThreshold(steps: readonly HolmStep[]): number {
  return evidenceThreshold * Math.max(1, steps.filter(({ decided }) => !decided).length);
}
