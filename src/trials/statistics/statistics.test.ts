/** Compares the formulas with values computed independently by scipy, statsmodels and exact fractions. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { getCaseCount } from '../../testing/seeds.ts';
import {
  computeFixedSampleInterval,
  estimateRate,
  computeWilsonInterval,
  type Interval,
} from './intervals.ts';
import { computeMedianRatio, computePercentile, findQuantileRanks, getMinSampleSize } from './percentiles.ts';
import {
  estimateRequiredCases,
  computeDetectableDifference,
  estimateReverseShare,
  computePower,
  projectRequiredCases,
  type TrialDesign,
} from './planning.ts';
import {
  createSequentialTest,
  applyHolm,
  computeLogEvidence,
  getIntervalThreshold,
} from './sequential-test.ts';

interface Fixtures {
  wilson: { k: number; n: number; range: Interval }[];
  rates: { groups: number[][]; repeats: number; p: number; effective: number; range: Interval }[];
  paired: {
    both: number;
    onlyA: number;
    onlyB: number;
    neither: number;
    bonettPrice: Interval;
    newcombe: Interval;
  }[];
  pairedMeans: { d: number[]; range: Interval };
  evidence: { b: number; c: number; E: number }[];
  bets: { d: number[]; m: number; worth: number; best: number }[];
  watched: { b: number; c: number; n: number; threshold: number; d: string; range: Interval }[];
  holm: { E: number[]; decided: boolean[]; rangeThreshold: number }[];
  ranks: { n: number; q: number; ranks: { l: number; u: number; covered: number } | null }[];
  power: { n: number; better: number; worse: number; threshold: number; power: number }[];
  oneLook: { better: number; worse: number; n: number }[];
  projected: { b: number; c: number; n: number; threshold: number; at: number | null }[];
}

const fixtures: Fixtures = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../__fixtures__/statistics.json'), 'utf8'),
);

/** Expects each value within 1e-6. */
const closeToAll = (values: readonly number[]): unknown[] => values.map((value) => expect.closeTo(value, 6));

/** Returns the design of the first rules with this threshold. */
const getDesign = (threshold: number): TrialDesign => ({ rules: 1, comparisons: threshold / 20 });

/** Parses differences in the notation of the fixtures. */
const parseDifferences = (signs: string): number[] =>
  Array.from(signs, (sign) => (sign === '+' ? 1 : sign === '-' ? -1 : 0));

function createFilledTest(differences: readonly number[], highestThreshold?: number) {
  const test = createSequentialTest(highestThreshold);
  for (const difference of differences) test.add(difference);
  return test;
}

/** Computes the wealth of the bet against one difference after each case. */
function computeBetWealth(differences: readonly number[], m: number): number[] {
  let [pull, spread, worth] = [0, 0, 1];
  return differences.map((difference, count) => {
    const x = difference - m;
    const limit = count / (count + 2) / (1 + Math.abs(m));
    worth *= 1 + Math.max(-limit, Math.min(limit, pull / (spread + 2))) * x;
    pull += x;
    spread += x * x;
    return worth;
  });
}

/** Recomputes the confidence interval independently for every m. */
function computeInterval(differences: readonly number[], threshold: number): Interval | undefined {
  const isOpen = (thousandths: number): boolean =>
    Math.max(1, ...computeBetWealth(differences, thousandths / 1000)) < threshold;
  const openPlaces = Array.from({ length: 2001 }, (_, index) => index - 1000).filter(isOpen);
  const [low, high] = [openPlaces[0], openPlaces.at(-1)];
  return low === undefined || high === undefined ? undefined : [low / 1000, high / 1000];
}

/** Newcombe's method 10, the reference for the fixed-sample interval. */
function computeNewcombeInterval({ both, onlyA, onlyB, neither }: Fixtures['paired'][number]): Interval {
  const n = both + onlyA + onlyB + neither;
  const [p1, p2] = [(both + onlyA) / n, (both + onlyB) / n];
  const [[l1, u1], [l2, u2]] = [computeWilsonInterval(p1, n), computeWilsonInterval(p2, n)];
  const product = (both + onlyA) * (onlyB + neither) * (both + onlyB) * (onlyA + neither);
  const excess = both * neither - onlyA * onlyB;
  const corrected = excess > n / 2 ? excess - n / 2 : Math.min(excess, 0);
  const phi = product === 0 ? 0 : corrected / Math.sqrt(product);
  const computeRoot = (x: number, y: number) => Math.sqrt(x * x - 2 * phi * x * y + y * y);
  return [p1 - p2 - computeRoot(p1 - l1, u2 - p2), p1 - p2 + computeRoot(u1 - p1, p2 - l2)];
}

const createPairs = ({ onlyA, onlyB, both, neither }: Fixtures['paired'][number]): number[][] => [
  ...Array.from({ length: onlyA }, () => [1]),
  ...Array.from({ length: onlyB }, () => [-1]),
  ...Array.from({ length: both + neither }, () => [0]),
];

const differencesArbitrary = fc.array(
  fc.oneof(fc.constantFrom(-1, 0, 0, 1), fc.double({ min: -1, max: 1, noNaN: true })),
  {
    maxLength: 150,
  },
);

describe('rate and its interval', () => {
  it.each(fixtures.wilson)('computes the Wilson interval for a rate of $k of $n', ({ k, n, range }) => {
    expect(computeWilsonInterval(k / n, n)).toEqual(closeToAll(range));
    const values = Array.from({ length: n }, (_, index) => [index < k ? 1 : 0]);
    expect(estimateRate(values, 1)?.interval).toEqual(closeToAll(range));
  });
  it.each(fixtures.rates)(
    'estimates a rate from repeats with an effective count of $effective',
    ({ groups, repeats, ...expected }) => {
      const estimate = estimateRate(groups, repeats);
      expect(estimate && [estimate.rate, estimate.effectiveCount, ...(estimate.interval ?? [])]).toEqual(
        closeToAll([expected.p, expected.effective, ...expected.range]),
      );
    },
  );
  it('returns no rate estimate without cases', () => {
    expect(estimateRate([], 1)).toBeUndefined();
    expect(computeWilsonInterval(0, 0)).toEqual([0, 1]);
  });
  it('matches the known coverage of the Wilson interval: 92.5% for n = 20 at 0.95, 95.1% for n = 50 at 0.8', () => {
    const computeCoverage = (n: number, p: number): number => {
      let [chance, covered] = [(1 - p) ** n, 0];
      for (let k = 0; k <= n; k += 1) {
        const [low, high] = computeWilsonInterval(k / n, n);
        if (low <= p && p <= high) covered += chance;
        chance *= ((n - k) / (k + 1)) * (p / (1 - p));
      }
      return Number((100 * covered).toFixed(1));
    };
    expect([computeCoverage(20, 0.95), computeCoverage(50, 0.8)]).toEqual([92.5, 95.1]);
  });
});

describe('evidence of the sequential test', () => {
  it.each(fixtures.evidence)('computes evidence $E for $b better and $c worse cases', ({ b, c, E }) => {
    expect([Math.exp(computeLogEvidence(b, c))]).toEqual(closeToAll([E]));
  });
  it.each(fixtures.bets)(
    'computes the wealth of the bet against $m for mean differences',
    ({ d, m, worth, best }) => {
      const wealthPath = computeBetWealth(d, m);
      expect([wealthPath.at(-1) ?? 0, Math.max(1, ...wealthPath)]).toEqual(closeToAll([worth, best]));
      if (m === 0) expect([createFilledTest(d).getEvidence()]).toEqual(closeToAll([best]));
    },
  );
  it('yields the same evidence for binary results in any order', () => {
    for (const { d, b, c } of fixtures.watched)
      expect([computeBetWealth(parseDifferences(d), 0).at(-1) ?? 0]).toEqual(
        closeToAll([Math.exp(computeLogEvidence(b, c))]),
      );
  });
});

describe('confidence interval of the sequential test', () => {
  it.each(fixtures.watched)(
    'computes the interval for $b better and $c worse of $n cases at threshold $threshold',
    ({ d, threshold, range }) => {
      expect(createFilledTest(parseDifferences(d), threshold).getInterval(threshold)).toEqual(range);
    },
  );
  it('agrees with the direct formula of the interval for arbitrary differences', () => {
    fc.assert(
      fc.property(differencesArbitrary, fc.constantFrom(20, 40, 60), (differences, threshold) => {
        expect(createFilledTest(differences, 60).getInterval(threshold)).toEqual(
          computeInterval(differences, threshold),
        );
      }),
      { numRuns: getCaseCount(20) },
    );
  });
  it('keeps the interval from widening, even when the threshold falls', () => {
    fc.assert(
      fc.property(differencesArbitrary, (differences) => {
        const test = createSequentialTest(60);
        let previous: Interval = [-1, 1];
        for (const [index, difference] of differences.entries()) {
          test.add(difference);
          const interval = test.getInterval(index < 60 ? 60 : 20);
          if (!interval) break;
          expect(interval[0]).toBeGreaterThanOrEqual(previous[0]);
          expect(interval[1]).toBeLessThanOrEqual(previous[1]);
          previous = interval;
        }
      }),
      { numRuns: getCaseCount(50) },
    );
  });
  it('returns no interval if earlier and later cases contradict each other', () => {
    const contradictory = [...Array(40).fill(1), ...Array(40).fill(-1), ...Array(40).fill(1)];
    expect(createFilledTest(contradictory).getInterval(20)).toBeUndefined();
  });
  it('excludes 0 from the interval only if the evidence has reached the threshold', () => {
    fc.assert(
      fc.property(differencesArbitrary, (differences) => {
        const test = createFilledTest(differences);
        const [low, high] = test.getInterval(20) ?? [0, 0];
        expect((low <= 0 && high >= 0) || test.getEvidence() >= 20 - 1e-9).toBe(true);
      }),
      { numRuns: getCaseCount(200) },
    );
  });
});

describe('several comparisons', () => {
  it('decides comparisons in the order of their evidence, with one threshold for all intervals', () => {
    for (const { E, decided, rangeThreshold: threshold } of fixtures.holm) {
      const steps = applyHolm(E);
      expect(steps.map((step) => step.decided)).toEqual(decided);
      expect(getIntervalThreshold(steps)).toBe(threshold);
    }
  });
  it('reports required evidence and rank for each comparison', () => {
    expect(applyHolm([1.07, 59.4])).toEqual([
      { requiredEvidence: 20, decided: false, rank: 2 },
      { requiredEvidence: 40, decided: true, rank: 1 },
    ]);
  });
});

describe('fixed-sample interval', () => {
  it.each(fixtures.paired)(
    'computes the fixed-sample interval for counts $both, $onlyA, $onlyB, $neither',
    (counts) => {
      expect(computeFixedSampleInterval(createPairs(counts))).toEqual(closeToAll(counts.bonettPrice));
      expect(computeNewcombeInterval(counts)).toEqual(closeToAll(counts.newcombe));
    },
  );
  it('computes the fixed-sample interval for fractional differences', () => {
    expect(computeFixedSampleInterval(fixtures.pairedMeans.d.map((difference) => [difference]))).toEqual(
      closeToAll(fixtures.pairedMeans.range),
    );
  });
});

describe('percentiles', () => {
  it.each(fixtures.ranks)('finds the ranks of quantile $q among $n values', ({ n, q, ranks }) => {
    const foundRanks = findQuantileRanks(n, q);
    if (ranks)
      expect(foundRanks && [foundRanks.low, foundRanks.high, foundRanks.coverage]).toEqual(
        closeToAll([ranks.l, ranks.u, ranks.covered]),
      );
    else expect(foundRanks).toBeUndefined();
  });
  it('requires 6, 29, 59 and 299 values for the median, p90, p95 and p99', () => {
    expect([0.5, 0.9, 0.95, 0.99].map(getMinSampleSize)).toEqual([6, 29, 59, 299]);
    const values = Array.from({ length: 58 }, (_, index) => index + 1);
    expect(computePercentile(values, 0.95)).toBeUndefined();
    expect(computePercentile([...values, 59], 0.95)).toMatchObject({ value: 57, interval: [50, 59] });
    expect(computePercentile([...values, 59], 0.5)).toMatchObject({ value: 30 });
    expect(computePercentile(values, 0.5)).toMatchObject({ value: 29.5 });
  });
  it('compares latencies case by case as a median ratio', () => {
    const baseline = [410, 398, 402, 455, 390, 433, 420, 401, 399, 612, 405, 415];
    const column = [702, 688, 731, 690, 655, 810, 745, 698, 671, 905, 702, 733];
    const ratio = computeMedianRatio(column.map((value, index) => [value, baseline[index] ?? 0]));
    expect([ratio?.value, ...(ratio?.interval ?? [])].map((value) => value?.toFixed(3))).toEqual([
      '1.731',
      '1.679',
      '1.774',
    ]);
    expect(ratio?.ranks).toMatchObject({ low: 3, high: 10 });
  });
});

describe('planning of a trial', () => {
  it.each(fixtures.power)(
    'computes the power of $n cases at shares $better and $worse and threshold $threshold',
    ({ n, threshold, power, ...shares }) => {
      expect([computePower(n, shares, getDesign(threshold))]).toEqual(closeToAll([power]));
    },
  );
  it('estimates the number of cases required for a difference', () => {
    const listRequiredCases = (threshold: number) =>
      [30, 20, 15, 10, 5].map((points) =>
        estimateRequiredCases({ better: 0.05 + points / 100, worse: 0.05 }, getDesign(threshold)),
      );
    expect(listRequiredCases(20)).toEqual([50, 88, 135, 253, 823]);
    expect(listRequiredCases(40)).toEqual([57, 102, 154, 290, 939]);
    expect(estimateRequiredCases({ better: 0.051, worse: 0.05 })).toBeUndefined();
  });
  it('computes the smallest difference that a number of cases can detect', () => {
    const listDetectable = (threshold: number) =>
      [24, 60, 120, 400].map((n) => computeDetectableDifference(n, 0.05, getDesign(threshold)));
    expect(listDetectable(20)).toEqual([53, 27, 17, 8]);
    expect(listDetectable(40)).toEqual([57, 29, 18, 9]);
    expect(computeDetectableDifference(5, 0.05)).toBeUndefined();
  });
  it('estimates the reverse share from 30 pairs or more', () => {
    expect(estimateReverseShare({ pairs: 29, reversed: 2 })).toBeUndefined();
    expect(estimateReverseShare({ pairs: 38, reversed: 2 })).toBe(3 / 40);
  });
  it.each(fixtures.projected)(
    'projects a decision at $at cases from $b better and $c worse of $n cases',
    ({ b, c, n, threshold, at }) => {
      expect(projectRequiredCases({ better: b, worse: c }, n, threshold) ?? null).toBe(at);
    },
  );
});
