/**
 * What may be watched while it grows: a bet against each difference that could be the true one.
 * Its worth starts at 1 and stays 1 on average where that difference is true, so it ever reaches 20 with a chance of at
 * most 5 %, however often one looks.
 */
import { logGamma } from './binomial.ts';
import type { Range } from './intervals.ts';

/** A bet that has reached this worth has ruled its difference out. */
export const baseThreshold = 20;

/** The differences that are bet against: −1 to 1 in steps of 0.001. */
const perUnit = 1000;
const places = 2 * perUnit + 1;
/** Steps of 0.001 in one of 0.01. */
const fine = 10;
/** The words and the ranges must agree on what has just been reached. */
const almost = 1 - 1e-12;

/** The logarithm of the evidence for plain right and wrong: 2^(b+c) b! c! ÷ (b+c+1)!, also between whole numbers. */
export function logEvidence(better: number, worse: number): number {
  const both = better + worse;
  return both * Math.LN2 + logGamma(better + 1) + logGamma(worse + 1) - logGamma(both + 2);
}

/** All bets on one list of differences. Only what is added moves them: a history that was watched never changes. */
export interface Watch {
  /** The next difference of the list, in [−1, 1]. */
  add: (difference: number) => void;
  /** The best worth so far of the bet against “no difference”, at least 1. */
  evidence: () => number;
  /** The differences that no bet has ruled out at any moment; undefined where none is left. It only shrinks. */
  range: (threshold: number) => Range | undefined;
}

/** No range is ever asked for at more than `highestThreshold`: a bet that has reached it is over. */
export function createWatch(highestThreshold = baseThreshold): Watch {
  const worths = new Float64Array(places).fill(1);
  const best = new Float64Array(places).fill(1);
  const open = Int32Array.from({ length: places }, (_, place) => place);
  let openCount = places;
  let [count, total, squares] = [0, 0, 0];

  function add(difference: number): void {
    const reach = count / (count + 2);
    let kept = 0;
    for (let at = 0; at < openCount; at += 1) {
      const place = open[at] ?? 0;
      const m = (place - perUnit) / perUnit;
      const pull = total - count * m;
      const spread = squares - 2 * m * total + count * m * m;
      const limit = reach / (1 + Math.abs(m));
      const stake = Math.max(-limit, Math.min(limit, pull / (spread + 2)));
      const worth = (worths[place] ?? 0) * (1 + stake * (difference - m));
      const top = Math.max(best[place] ?? 0, worth);
      worths[place] = worth;
      best[place] = top;
      // The one against no difference goes on: its worth is shown.
      if (top < highestThreshold || place === perUnit) {
        open[kept] = place;
        kept += 1;
      }
    }
    openCount = kept;
    count += 1;
    total += difference;
    squares += difference * difference;
  }

  function range(threshold: number): Range | undefined {
    const limit = threshold * almost;
    const stays = (place: number): boolean => place >= 0 && place < places && (best[place] ?? 0) < limit;
    let low = 0;
    let high = places - 1;
    while (low < places && !stays(low)) low += fine;
    if (low >= places) return undefined;
    while (!stays(high)) high -= fine;
    for (let step = 1; step < fine && stays(low - 1); step += 1) low -= 1;
    for (let step = 1; step < fine && stays(high + 1); step += 1) high += 1;
    return [(low - perUnit) / perUnit, (high - perUnit) / perUnit];
  }

  return { add, evidence: () => best[perUnit] ?? 1, range };
}

export interface HolmStep {
  /** What this comparison's evidence has to reach. */
  needed: number;
  decided: boolean;
  /** From 1: which of the comparisons it is, by evidence. */
  rank: number;
}

/** Several comparisons at once: the largest evidence must reach 20 k, the next 20 (k − 1), until one does not. */
export function holm(evidences: readonly number[]): HolmStep[] {
  const inOrder = evidences
    .map((evidence, index) => ({ evidence, index }))
    .toSorted((one, other) => other.evidence - one.evidence || one.index - other.index);
  const steps: HolmStep[] = [];
  let missed: number | undefined;
  for (const [before, { evidence, index }] of inOrder.entries()) {
    const needed = missed ?? baseThreshold * (evidences.length - before);
    const decided = missed === undefined && evidence >= needed * almost;
    if (!decided) missed = needed;
    steps[index] = { needed, decided, rank: before + 1 };
  }
  return steps;
}

/** The one threshold of all ranges: it only falls, and agrees with the words. */
export function rangeThreshold(steps: readonly HolmStep[]): number {
  return baseThreshold * Math.max(1, steps.filter(({ decided }) => !decided).length);
}
