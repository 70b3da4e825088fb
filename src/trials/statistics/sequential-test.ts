/**
 * What may be watched while it grows: a bet against each difference that could be the true one.
 * Its worth starts at 1 and stays 1 on average where that difference is true, so it ever reaches 20 with a chance of at
 * most 5 %, however often one looks.
 */
import { computeLogGamma } from './binomial.ts';
import type { Interval } from './intervals.ts';

/** A bet that has reached this worth has ruled its difference out. */
export const evidenceThreshold = 20;

/** The differences that are bet against: −1 to 1 in steps of 0.001. */
const stepsPerUnit = 1000;
const hypothesisCount = 2 * stepsPerUnit + 1;
/** Steps of 0.001 in one of 0.01. */
const coarseStep = 10;
/** The words and the ranges must agree on what has just been reached. */
const toleranceFactor = 1 - 1e-12;

/** The logarithm of the evidence for plain right and wrong: 2^(b+c) b! c! ÷ (b+c+1)!, also between whole numbers. */
export function computeLogEvidence(better: number, worse: number): number {
  const total = better + worse;
  return (
    total * Math.LN2 + computeLogGamma(better + 1) + computeLogGamma(worse + 1) - computeLogGamma(total + 2)
  );
}

/** All bets on one list of differences. Only what is added moves them: a history that was watched never changes. */
export interface SequentialTest {
  /** The next difference of the list, in [−1, 1]. */
  add: (difference: number) => void;
  /** The best worth so far of the bet against “no difference”, at least 1. */
  getEvidence: () => number;
  /** The differences that no bet has ruled out at any moment; undefined where none is left. It only shrinks. */
  getInterval: (threshold: number) => Interval | undefined;
}

/** No range is ever asked for at more than `highestThreshold`: a bet that has reached it is over. */
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
      // The one against no difference goes on: its worth is shown.
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
  /** What this comparison's evidence has to reach. */
  requiredEvidence: number;
  decided: boolean;
  /** From 1: which of the comparisons it is, by evidence. */
  rank: number;
}

/** Several comparisons at once: the largest evidence must reach 20 k, the next 20 (k − 1), until one does not. */
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

/** The one threshold of all ranges: it only falls, and agrees with the words. */
export function getIntervalThreshold(steps: readonly HolmStep[]): number {
  return evidenceThreshold * Math.max(1, steps.filter(({ decided }) => !decided).length);
}
