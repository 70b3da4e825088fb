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
/** Number of steps of 0.001 in a step of 0.01. */
const coarseStep = 10;
/** Sentences and intervals must agree at the exact threshold despite rounding errors. */
const toleranceFactor = 1 - 1e-12;

/** Returns the logarithm of the evidence for binary results: 2^(b+c) b! c! ÷ (b+c+1)!. Accepts fractional counts. */
export function computeLogEvidence(better: number, worse: number): number {
  const total = better + worse;
  return (
    total * Math.LN2 + computeLogGamma(better + 1) + computeLogGamma(worse + 1) - computeLogGamma(total + 2)
  );
}

/** All bets on one sequence of differences. Only new differences change the bets; earlier results stay unchanged. */
export interface SequentialTest {
  /** Adds the next difference, in [−1, 1]. */
  add: (difference: number) => void;
  /** Returns the highest wealth so far of the bet against "no difference", at least 1. */
  getEvidence: () => number;
  /**
   * Returns the range of differences that no bet has ever ruled out; `undefined` if none is left. The interval only
   * shrinks.
   */
  getInterval: (threshold: number) => Interval | undefined;
}

/** Creates a test for intervals with thresholds up to `highestThreshold`. Bets that reach it are no longer updated. */
export function createSequentialTest(highestThreshold = evidenceThreshold): SequentialTest {
  const wealth = new Float64Array(hypothesisCount).fill(1);
  const maxWealth = new Float64Array(hypothesisCount).fill(1);
  const openIndexes = Int32Array.from({ length: hypothesisCount }, (_, index) => index);
  let openCount = hypothesisCount;
  let [count, total, squares] = [0, 0, 0];

  function add(difference: number): void {
    const reach = count / (count + 2);
    let acceptedCount = 0;
    for (let position = 0; position < openCount; position += 1) {
      const index = openIndexes[position] ?? 0;
      const m = (index - stepsPerUnit) / stepsPerUnit;
      const pull = total - count * m;
      const spread = squares - 2 * m * total + count * m * m;
      const limit = reach / (1 + Math.abs(m));
      const stake = Math.max(-limit, Math.min(limit, pull / (spread + 2)));
      const newWealth = (wealth[index] ?? 0) * (1 + stake * (difference - m));
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
  }

  function getInterval(threshold: number): Interval | undefined {
    const limit = threshold * toleranceFactor;
    const isOpen = (index: number): boolean =>
      index >= 0 && index < hypothesisCount && (maxWealth[index] ?? 0) < limit;
    let low = 0;
    let high = hypothesisCount - 1;
    while (low < hypothesisCount && !isOpen(low)) low += coarseStep;
    if (low >= hypothesisCount) return undefined;
    while (!isOpen(high)) high -= coarseStep;
    for (let step = 1; step < coarseStep && isOpen(low - 1); step += 1) low -= 1;
    for (let step = 1; step < coarseStep && isOpen(high + 1); step += 1) high += 1;
    return [(low - stepsPerUnit) / stepsPerUnit, (high - stepsPerUnit) / stepsPerUnit];
  }

  return { add, getEvidence: () => maxWealth[stepsPerUnit] ?? 1, getInterval };
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
