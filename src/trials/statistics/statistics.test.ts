/** The formulas against values that were computed independently, with scipy, statsmodels and exact fractions. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { cases } from '../../testing/seeds.ts';
import { kappa, plannedLook, rateRange, wilson, type Range } from './intervals.ts';
import { medianRatio, percentile, quantileRanks, valuesNeeded } from './percentiles.ts';
import { casesNeeded, differenceTold, otherWay, powerToDecide, projectedCases } from './planning.ts';
import { createWatch, holm, logEvidence, rangeThreshold } from './sequential-test.ts';

interface Fixtures {
  wilson: { k: number; n: number; range: Range }[];
  rates: { groups: number[][]; repeats: number; p: number; effective: number; range: Range }[];
  paired: {
    both: number;
    onlyA: number;
    onlyB: number;
    neither: number;
    bonettPrice: Range;
    newcombe: Range;
  }[];
  pairedMeans: { d: number[]; range: Range };
  evidence: { b: number; c: number; E: number }[];
  bets: { d: number[]; m: number; worth: number; best: number }[];
  watched: { b: number; c: number; n: number; threshold: number; d: string; range: Range }[];
  holm: { E: number[]; decided: boolean[]; rangeThreshold: number }[];
  ranks: { n: number; q: number; ranks: { l: number; u: number; covered: number } | null }[];
  power: { n: number; better: number; worse: number; threshold: number; power: number }[];
  oneLook: { better: number; worse: number; n: number }[];
  projected: { b: number; c: number; n: number; threshold: number; at: number | null }[];
  kappa: { table: number[][]; kappa: number; range: Range }[];
}

const fixtures: Fixtures = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../__fixtures__/statistics.json'), 'utf8'),
);

/** To 1e-6. */
const near = (values: readonly number[]): unknown[] => values.map((value) => expect.closeTo(value, 6));

/** Differences as they are written in the fixtures. */
const differencesIn = (signs: string): number[] =>
  Array.from(signs, (sign) => (sign === '+' ? 1 : sign === '-' ? -1 : 0));

function watchOf(differences: readonly number[], highest?: number) {
  const watch = createWatch(highest);
  for (const difference of differences) watch.add(difference);
  return watch;
}

/** Computes the worth of the bet against one difference after each case. */
function betAgainst(differences: readonly number[], m: number): number[] {
  let [pull, spread, worth] = [0, 0, 1];
  return differences.map((difference, before) => {
    const x = difference - m;
    const limit = before / (before + 2) / (1 + Math.abs(m));
    worth *= 1 + Math.max(-limit, Math.min(limit, pull / (spread + 2))) * x;
    pull += x;
    spread += x * x;
    return worth;
  });
}

/** Computes the watched range again for every m. */
function watchedRange(differences: readonly number[], threshold: number): Range | undefined {
  const stays = (thousandths: number): boolean =>
    Math.max(1, ...betAgainst(differences, thousandths / 1000)) < threshold;
  const kept = Array.from({ length: 201 }, (_, index) => 10 * (index - 100)).filter(stays);
  let [low, high] = [kept[0], kept.at(-1)];
  if (low === undefined || high === undefined) return undefined;
  for (let step = 1; step <= 9 && low > -1000 && stays(low - 1); step += 1) low -= 1;
  for (let step = 1; step <= 9 && high < 1000 && stays(high + 1); step += 1) high += 1;
  return [low / 1000, high / 1000];
}

/** Newcombe's method 10, the oracle of the planned look. */
function newcombe({ both, onlyA, onlyB, neither }: Fixtures['paired'][number]): Range {
  const n = both + onlyA + onlyB + neither;
  const [p1, p2] = [(both + onlyA) / n, (both + onlyB) / n];
  const [[l1, u1], [l2, u2]] = [wilson(p1, n), wilson(p2, n)];
  const product = (both + onlyA) * (onlyB + neither) * (both + onlyB) * (onlyA + neither);
  const excess = both * neither - onlyA * onlyB;
  const corrected = excess > n / 2 ? excess - n / 2 : Math.min(excess, 0);
  const phi = product === 0 ? 0 : corrected / Math.sqrt(product);
  const root = (x: number, y: number) => Math.sqrt(x * x - 2 * phi * x * y + y * y);
  return [p1 - p2 - root(p1 - l1, u2 - p2), p1 - p2 + root(u1 - p1, p2 - l2)];
}

const pairsOf = ({ onlyA, onlyB, both, neither }: Fixtures['paired'][number]): number[][] => [
  ...Array.from({ length: onlyA }, () => [1]),
  ...Array.from({ length: onlyB }, () => [-1]),
  ...Array.from({ length: both + neither }, () => [0]),
];

const differencesOf = fc.array(
  fc.oneof(fc.constantFrom(-1, 0, 0, 1), fc.double({ min: -1, max: 1, noNaN: true })),
  {
    maxLength: 150,
  },
);

describe('a rate and its range', () => {
  it.each(fixtures.wilson)('$k of $n', ({ k, n, range }) => {
    expect(wilson(k / n, n)).toEqual(near(range));
    const values = Array.from({ length: n }, (_, index) => [index < k ? 1 : 0]);
    expect(rateRange(values, 1)?.range).toEqual(near(range));
  });
  it.each(fixtures.rates)('of groups and repeats, as if of $effective', ({ groups, repeats, ...wanted }) => {
    const found = rateRange(groups, repeats);
    expect(found && [found.rate, found.effective, ...found.range]).toEqual(
      near([wanted.p, wanted.effective, ...wanted.range]),
    );
  });
  it('is not there without a case', () => {
    expect(rateRange([], 1)).toBeUndefined();
    expect(wilson(0, 0)).toEqual([0, 1]);
  });
  it('covers what Wilson’s range covers: 92.5 % of 20 at 0.95, 95.1 % of 50 at 0.8', () => {
    const coverage = (n: number, p: number): number => {
      let [chance, covered] = [(1 - p) ** n, 0];
      for (let k = 0; k <= n; k += 1) {
        const [low, high] = wilson(k / n, n);
        if (low <= p && p <= high) covered += chance;
        chance *= ((n - k) / (k + 1)) * (p / (1 - p));
      }
      return Number((100 * covered).toFixed(1));
    };
    expect([coverage(20, 0.95), coverage(50, 0.8)]).toEqual([92.5, 95.1]);
  });
});

describe('evidence, the running bet', () => {
  it.each(fixtures.evidence)('is $E for $b better and $c worse', ({ b, c, E }) => {
    expect([Math.exp(logEvidence(b, c))]).toEqual(near([E]));
  });
  it.each(fixtures.bets)('of means, against $m', ({ d, m, worth, best }) => {
    const path = betAgainst(d, m);
    expect([path.at(-1) ?? 0, Math.max(1, ...path)]).toEqual(near([worth, best]));
    if (m === 0) expect([watchOf(d).evidence()]).toEqual(near([best]));
  });
  it('is the same in any order of plain right and wrong', () => {
    for (const { d, b, c } of fixtures.watched)
      expect([betAgainst(differencesIn(d), 0).at(-1) ?? 0]).toEqual(near([Math.exp(logEvidence(b, c))]));
  });
});

describe('the watched range', () => {
  it.each(fixtures.watched)('of $b and $c in $n under $threshold', ({ d, threshold, range }) => {
    expect(watchOf(differencesIn(d), threshold).range(threshold)).toEqual(range);
  });
  it('is that of the formula, whatever came', () => {
    fc.assert(
      fc.property(differencesOf, fc.constantFrom(20, 40, 60), (differences, threshold) => {
        expect(watchOf(differences, 60).range(threshold)).toEqual(watchedRange(differences, threshold));
      }),
      { numRuns: cases(20) },
    );
  });
  it('only ever shrinks, also when the threshold falls', () => {
    fc.assert(
      fc.property(differencesOf, (differences) => {
        const watch = createWatch(60);
        let before: Range = [-1, 1];
        for (const [index, difference] of differences.entries()) {
          watch.add(difference);
          const range = watch.range(index < 60 ? 60 : 20);
          if (!range) break;
          expect(range[0]).toBeGreaterThanOrEqual(before[0]);
          expect(range[1]).toBeLessThanOrEqual(before[1]);
          before = range;
        }
      }),
      { numRuns: cases(50) },
    );
  });
  it('has nothing left where the first cases and the later ones contradict each other', () => {
    const turned = [...Array(40).fill(1), ...Array(40).fill(-1), ...Array(40).fill(1)];
    expect(watchOf(turned).range(20)).toBeUndefined();
  });
  it('leaves 0 out only where the bet against no difference has reached the threshold', () => {
    fc.assert(
      fc.property(differencesOf, (differences) => {
        const watch = watchOf(differences);
        const [low, high] = watch.range(20) ?? [0, 0];
        expect((low <= 0 && high >= 0) || watch.evidence() >= 20 - 1e-9).toBe(true);
      }),
      { numRuns: cases(200) },
    );
  });
});

describe('several comparisons', () => {
  it('are decided one after the other, by evidence, with one threshold for all ranges', () => {
    for (const { E, decided, rangeThreshold: threshold } of fixtures.holm) {
      const steps = holm(E);
      expect(steps.map((step) => step.decided)).toEqual(decided);
      expect(rangeThreshold(steps)).toBe(threshold);
    }
  });
  it('says what each had to reach, and as the how-manieth', () => {
    expect(holm([1.07, 59.4])).toEqual([
      { needed: 20, decided: false, rank: 2 },
      { needed: 40, decided: true, rank: 1 },
    ]);
  });
});

describe('one planned look', () => {
  it.each(fixtures.paired)('of $both, $onlyA, $onlyB, $neither', (counts) => {
    expect(plannedLook(pairsOf(counts))).toEqual(near(counts.bonettPrice));
    expect(newcombe(counts)).toEqual(near(counts.newcombe));
  });
  it('takes means', () => {
    expect(plannedLook(fixtures.pairedMeans.d.map((difference) => [difference]))).toEqual(
      near(fixtures.pairedMeans.range),
    );
  });
});

describe('percentiles', () => {
  it.each(fixtures.ranks)('ranks of $q among $n', ({ n, q, ranks }) => {
    const found = quantileRanks(n, q);
    if (ranks)
      expect(found && [found.low, found.high, found.covered]).toEqual(
        near([ranks.l, ranks.u, ranks.covered]),
      );
    else expect(found).toBeUndefined();
  });
  it('are figures from 6, 29, 59 and 299 values on', () => {
    expect([0.5, 0.9, 0.95, 0.99].map(valuesNeeded)).toEqual([6, 29, 59, 299]);
    const values = Array.from({ length: 58 }, (_, index) => index + 1);
    expect(percentile(values, 0.95)).toBeUndefined();
    expect(percentile([...values, 59], 0.95)).toMatchObject({ value: 57, range: [50, 59] });
    expect(percentile([...values, 59], 0.5)).toMatchObject({ value: 30 });
    expect(percentile(values, 0.5)).toMatchObject({ value: 29.5 });
  });
  it('compare case by case', () => {
    const baseline = [410, 398, 402, 455, 390, 433, 420, 401, 399, 612, 405, 415];
    const column = [702, 688, 731, 690, 655, 810, 745, 698, 671, 905, 702, 733];
    const ratio = medianRatio(column.map((value, index) => [value, baseline[index] ?? 0]));
    expect([ratio?.value, ...(ratio?.range ?? [])].map((value) => value?.toFixed(3))).toEqual([
      '1.731',
      '1.679',
      '1.774',
    ]);
    expect(ratio?.ranks).toMatchObject({ low: 3, high: 10 });
  });
});

describe('the planner', () => {
  it.each(fixtures.power)(
    'power of $n cases at $better, $worse under $threshold',
    ({ n, threshold, power, ...shares }) => {
      expect([powerToDecide(n, shares, threshold)]).toEqual(near([power]));
    },
  );
  it('knows how many cases a difference needs', () => {
    const needed = (threshold: number) =>
      [30, 20, 15, 10, 5].map((points) =>
        casesNeeded({ better: 0.05 + points / 100, worse: 0.05 }, threshold),
      );
    expect(needed(20)).toEqual([50, 88, 135, 253, 823]);
    expect(needed(40)).toEqual([57, 102, 154, 290, 939]);
    expect(casesNeeded({ better: 0.051, worse: 0.05 })).toBeUndefined();
  });
  it('knows which difference so many cases tell', () => {
    const told = (threshold: number) => [24, 60, 120, 400].map((n) => differenceTold(n, 0.05, threshold));
    expect(told(20)).toEqual([53, 27, 17, 8]);
    expect(told(40)).toEqual([57, 29, 18, 9]);
    expect(differenceTold(5, 0.05)).toBeUndefined();
  });
  it('takes the share of the other way from what was seen, from 30 cases on', () => {
    expect([otherWay(9, 2, 29), otherWay(9, 2, 38)]).toEqual([0.05, 3 / 40]);
  });
  it.each(fixtures.projected)('$b and $c of $n would tell at $at cases', ({ b, c, n, threshold, at }) => {
    expect(projectedCases({ better: b, worse: c }, n, threshold) ?? null).toBe(at);
  });
});

it('agreement beyond chance has its range', () => {
  for (const { table, ...wanted } of fixtures.kappa) {
    const found = kappa(table);
    expect([found.kappa, ...found.range]).toEqual(near([wanted.kappa, ...wanted.range]));
  }
});
