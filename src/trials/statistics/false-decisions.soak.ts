/**
 * Simulates trials with the rules of version 2 that are inspected after every case, through the planned end and 1,000
 * cases beyond it. Equal columns must be called different in at most 5% of trials. Part of `npm run soak`.
 */
import { describe, expect, it } from 'vitest';

import { toShuffled } from '../../lib/random.ts';
import { computeShare, createSimulationRandom, drawDifference } from '../../testing/simulations.ts';
import {
  computeDecisionInterval,
  decideComparisons,
  getHighestThreshold,
  watchThresholds,
} from './planned-end.ts';
import { computePower, estimateRequiredCases, type TrialDesign } from './planning.ts';
import { createSequentialTest } from './sequential-test.ts';

const random = createSimulationRandom('false decisions');

const laterCases = 1000;
/** With so many runs, a rate of 4% exceeds 5% by chance in less than one of 1,000 simulations. */
const runs = 4000;

/** Results of a case or a group of cases. */
interface Unit {
  cases: number;
  /** Difference from the baseline by column; `undefined` if one of the two has no answer. */
  differences: readonly (number | undefined)[];
}

/** Returns true if any comparison is ever decided, inspected after every unit. */
function isEverDecided(columns: number, isBinary: boolean, drawUnit: (caseIndex: number) => Unit): boolean {
  const comparisons = columns - 1;
  // Only the bet against "no difference" decides, so the others end at once.
  const states = Array.from({ length: comparisons }, () => ({
    family: comparisons,
    test: createSequentialTest(0),
    isBinary,
  }));
  const plannedCases = 30 + Math.floor(random() * 370);
  let [cases, isEnded, highestEvidence] = [0, false, watchThresholds[2]];
  while (cases < plannedCases + laterCases) {
    const unit = drawUnit(cases);
    cases += unit.cases;
    unit.differences.forEach((difference, column) => {
      if (difference !== undefined) states[column]?.test.add(difference);
    });
    const evidence = Math.max(...states.map(({ test }) => test.getEvidence()));
    const endsNow = !isEnded && cases >= plannedCases;
    if (endsNow) for (const { test } of states) test.markPlannedEnd();
    isEnded ||= endsNow;
    // Without more evidence than ever before, nothing new is decided except at the planned end.
    if (evidence <= highestEvidence && !endsNow) continue;
    highestEvidence = Math.max(highestEvidence, evidence);
    if (decideComparisons(states, 2).some(({ decided }) => decided)) return true;
  }
  return false;
}

/** Draws the shares of passed answers of equal columns for a case; some cases are the same for all columns. */
function drawCase(columns: number, repeats: number, differentShare: number): number[] {
  if (random() >= differentShare) return Array.from({ length: columns }, () => 0);
  return Array.from({ length: columns }, () => {
    // Repeats of a case depend on each other: a column passes most of them or few.
    const rate = random() < 0.5 ? 0.1 : 0.9;
    let passed = 0;
    for (let repeat = 0; repeat < repeats; repeat += 1) if (random() < rate) passed += 1;
    return passed / repeats;
  });
}

const compareWithFirst = ([baseline = 0, ...values]: readonly number[]): number[] =>
  values.map((value) => value - baseline);

describe.each([2, 3, 6])('%i equal columns', (columns) => {
  it.each([
    [1, 0.12],
    [1, 0.5],
    [1, 1],
    [3, 0.5],
    [5, 0.5],
  ])(
    'are called different in at most 5% of trials with %i repeats and a share of %d of cases that differ',
    (repeats, differentShare) => {
      const decidedShare = computeShare(runs, () =>
        isEverDecided(columns, repeats === 1, () => ({
          cases: 1,
          differences: compareWithFirst(drawCase(columns, repeats, differentShare)),
        })),
      );
      expect(decidedShare).toBeLessThanOrEqual(0.05);
    },
  );

  it('are called different in at most 5% of trials if the effect depends on the size of groups', () => {
    // A column is 20 points better in groups of two, and 20 points worse in groups of eight.
    const sizes = Array.from({ length: 300 }, (_, index) => (index % 2 === 0 ? 2 : 8));
    const decidedShare = computeShare(runs, () => {
      const order = toShuffled(sizes, random);
      let group = 0;
      return isEverDecided(columns, false, () => {
        const size = order[group] ?? 2;
        group += 1;
        const [better, worse] = size === 2 ? [0.3, 0.1] : [0.1, 0.3];
        const differences = Array.from({ length: columns - 1 }, () => {
          // The cases of every second group are all alike.
          if (random() < 0.5) return drawDifference(random, better, worse);
          let sum = 0;
          for (let index = 0; index < size; index += 1) sum += drawDifference(random, better, worse);
          return sum / size;
        });
        return { cases: size, differences };
      });
    });
    expect(decidedShare).toBeLessThanOrEqual(0.05);
  });

  it('are called different in at most 5% of trials if missing answers count as failed', () => {
    const decidedShare = computeShare(runs, () =>
      isEverDecided(columns, true, () => {
        const values = Array.from({ length: columns }, (_, column) => {
          // The gateway fails at random. A failed request is not counted.
          if (random() < 0.05) return undefined;
          const hasPassed = random() < 0.7;
          // Columns except the baseline time out where a third of their answers would have failed.
          const hasAnswer = hasPassed || column === 0 || random() >= 1 / 3;
          return hasAnswer && hasPassed ? 1 : 0;
        });
        const [baseline, ...others] = values;
        return {
          cases: 1,
          differences: others.map((value) =>
            value === undefined || baseline === undefined ? undefined : value - baseline,
          ),
        };
      }),
    );
    expect(decidedShare).toBeLessThanOrEqual(0.05);
  });
});

it.each([
  ['10 points', 0.15, 0.05],
  ['20 points', 0.25, 0.05],
  ['0 points', 0.1, 0.1],
  ['28 points', 0.3, 0.02],
])('keeps a true difference of %s within the interval in at least 95% of trials', (_name, better, worse) => {
  const truth = better - worse;
  const missedShare = computeShare(1500, () => {
    const test = createSequentialTest(getHighestThreshold(2, 1));
    const plannedCases = 30 + Math.floor(random() * 270);
    for (let index = 0; index < plannedCases + 300; index += 1) {
      test.add(drawDifference(random, better, worse));
      if (index + 1 === plannedCases) test.markPlannedEnd();
    }
    const [decision] = decideComparisons([{ family: 1, test, isBinary: true }], 2);
    // The interval only shrinks, so a value inside it at the end was always inside.
    const interval = decision && computeDecisionInterval(test, decision, 2);
    return !interval || interval[0] > truth || interval[1] < truth;
  });
  expect(missedShare).toBeLessThanOrEqual(0.05);
});

it.each<[string, TrialDesign]>([
  ['a single answer', { rules: 2, comparisons: 1 }],
  ['three repeats', { rules: 2, comparisons: 1, repeats: 3, betweenShare: 0.4 }],
  ['groups of four', { rules: 2, comparisons: 1, groupSize: 4 }],
])('matches the planned power of cases with %s in simulated trials', (_name, design) => {
  const shares = { better: 0.15, worse: 0.05 };
  const { groupSize = 1, repeats = 1, betweenShare = 0 } = design;
  const cases = estimateRequiredCases(shares, design) ?? 0;
  const drawResult = () => drawDifference(random, shares.better, shares.worse);
  const decidedShare = computeShare(runs, () => {
    const test = createSequentialTest(0);
    for (let unit = 0; unit < Math.floor(cases / groupSize); unit += 1) {
      const results = Array.from({ length: repeats }, drawResult);
      const mean = results.reduce((sum, result) => sum + result, 0) / repeats;
      test.add(random() < betweenShare ? drawResult() : mean);
    }
    test.markPlannedEnd();
    const isBinary = groupSize === 1 && repeats === 1;
    return decideComparisons([{ family: 1, test, isBinary }], 2)[0]?.direction === 1;
  });
  expect(Math.abs(decidedShare - computePower(cases, shares, design))).toBeLessThanOrEqual(0.04);
});
