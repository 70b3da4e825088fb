/** Compares the formulas of rules 2 with values computed independently, and the error with exact walks. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { getCaseCount } from '../../testing/seeds.ts';
import { walkEvidence, type WalkStep } from './evidence-walk.ts';
import { computeFixedSampleInterval, estimateRate, type Interval } from './intervals.ts';
import { computeCasePercentile, computeCaseRatio } from './percentiles.ts';
import {
  computeDecisionInterval,
  computeLookInterval,
  decideComparisons,
  getHighestThreshold,
  listDecidingLeads,
  type DecisionReason,
  type RulesVersion,
} from './planned-end.ts';
import {
  computeDetectableDifference,
  computePower,
  estimateDecidingUnits,
  estimateRequiredCases,
  type TrialDesign,
} from './planning.ts';
import { computeNormalQuantile, computeStudentQuantile95 } from './quantiles.ts';
import {
  applyHolm,
  computeLogEvidence,
  createSequentialTest,
  getIntervalThreshold,
  type Direction,
  type ResultCounts,
  type SequentialTest,
} from './sequential-test.ts';

type PowerFixture = Omit<TrialDesign, 'rules'> & {
  cases: number;
  better: number;
  worse: number;
  power: number;
};

interface Fixtures {
  normalQuantiles: { p: number; value: number }[];
  studentQuantiles: { degrees: number; value: number }[];
  rates: {
    groups: number[][];
    repeats: number;
    weighsGroupsEqually?: true;
    rate: number;
    effective: number;
    range: Interval | null;
  }[];
  logEvidence: { better: number; worse: number; value: number }[];
  leads: { discordant: number; comparisons: number; reached: number; lead: number }[];
  looks: { differences: number[]; comparisons: number; range: Interval }[];
  power: PowerFixture[];
  layoutPower: PowerFixture[];
  deciding: { better: number; worse: number; cases: number; threshold: number; units: number }[];
  ratio: {
    column: (number | null)[];
    baseline: (number | null)[];
    repeats: number;
    value: number;
    range: Interval;
  };
  quantiles: { values: (number | null)[]; repeats: number; q: number; value: number; range: Interval }[];
  narrowRange: { wins: number[]; losses: number[]; cases: number; threshold: number; range: Interval };
  ended: {
    differences: number[];
    end: number;
    comparisons: number;
    isBinary: boolean;
    reason: DecisionReason | null;
    range: Interval;
  }[];
}

const fixtures: Fixtures = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../__fixtures__/planned-end.json'), 'utf8'),
);

/** Expects each value within 1e-9. */
const closeToAll = (values: readonly number[]): unknown[] => values.map((value) => expect.closeTo(value, 9));

const toTimes = (values: readonly (number | null)[]): number[] => values.map((value) => value ?? Number.NaN);

/** Creates a test of these differences, of which the first `end` belong to the plan. */
function createEndedTest(differences: readonly number[], end?: number, highestThreshold = 0): SequentialTest {
  const test = createSequentialTest(highestThreshold);
  if (end === 0) test.markPlannedEnd();
  for (const [index, difference] of differences.entries()) {
    test.add(difference);
    if (index + 1 === end) test.markPlannedEnd();
  }
  return test;
}

/** Walks this many discordant cases without a difference. */
function walkTo(discordant: number, threshold: number, start?: ResultCounts): WalkStep {
  const walk = walkEvidence(0.5, threshold, start);
  for (;;) {
    const step = walk.next().value;
    if (step.count === discordant) return step;
  }
}

/** Creates a test whose results are given directly. */
const createFakeTest = (evidence: number, direction: Direction = 1) => ({
  getEvidence: () => evidence,
  getDirection: () => direction,
  getPlannedEnd: () => undefined,
});

describe('distributions', () => {
  it('computes quantiles of the normal distribution', () => {
    expect(fixtures.normalQuantiles.map(({ p }) => computeNormalQuantile(p))).toEqual(
      closeToAll(fixtures.normalQuantiles.map(({ value }) => value)),
    );
  });
  it("computes quantiles of Student's t distribution", () => {
    expect(fixtures.studentQuantiles.map(({ degrees }) => computeStudentQuantile95(degrees))).toEqual(
      closeToAll(fixtures.studentQuantiles.map(({ value }) => value)),
    );
  });
});

describe('rates with few groups or without a spread', () => {
  it.each(fixtures.rates)(
    'estimates an effective count of $effective',
    ({ groups, repeats, weighsGroupsEqually, rate, effective, range }) => {
      const estimate = estimateRate(groups, repeats, weighsGroupsEqually);
      expect([estimate?.rate, estimate?.effectiveCount, ...(estimate?.interval ?? [])]).toEqual(
        closeToAll([rate, effective, ...(range ?? [])]),
      );
    },
  );
});

describe('times with repeats', () => {
  it('compares columns by the median ratio of the medians of each case', () => {
    const { column, baseline, repeats, value, range } = fixtures.ratio;
    const ratio = computeCaseRatio(toTimes(column), toTimes(baseline), repeats);
    expect([ratio?.value, ...(ratio?.interval ?? [])]).toEqual(closeToAll([value, ...range]));
  });
  it.each(fixtures.quantiles)('computes quantile $q of $repeats repeats', (fixture) => {
    const { repeats, q, value, range } = fixture;
    const estimate = computeCasePercentile(toTimes(fixture.values), repeats, q);
    expect([estimate?.value, ...(estimate?.interval ?? [])]).toEqual(closeToAll([value, ...range]));
  });
  it('requires as many cases as without repeats', () => {
    const values = Array.from({ length: 2 * 58 }, (_, index) => index);
    expect(computeCasePercentile(values, 2, 0.95)).toBeUndefined();
    expect(computeCasePercentile([...values, 1000, Number.NaN], 2, 0.95)).toBeDefined();
  });
});

describe('evidence of sequential tests', () => {
  it.each(fixtures.logEvidence)(
    'computes the logarithm of the evidence of $better wins and $worse losses',
    ({ better, worse, value }) => {
      expect([computeLogEvidence(better, worse)]).toEqual(closeToAll([value]));
      const test = createEndedTest([...Array<number>(worse).fill(-1), ...Array<number>(better).fill(1)]);
      expect([test.getLogEvidence()]).toEqual(closeToAll([value]));
      expect(test.getDirection()).toBe(better === 0 ? 0 : 1);
    },
  );
  it('finds an interval that lies between two whole points', () => {
    const { wins, losses, cases, threshold, range } = fixtures.narrowRange;
    const differences = Array.from({ length: cases }, (_, index) =>
      wins.includes(index) ? 1 : losses.includes(index) ? -1 : 0,
    );
    expect(createEndedTest(differences, undefined, threshold).getInterval(threshold)).toEqual(range);
  });
});

describe('look at the planned end', () => {
  it.each(fixtures.leads)(
    'requires a lead of $lead after $discordant discordant cases for $comparisons comparisons',
    ({ discordant, comparisons, reached, lead }) => {
      expect(listDecidingLeads(discordant, comparisons)[discordant]).toBe(lead);
      const { better, worse } = walkTo(discordant, 40 * comparisons);
      expect([better + worse]).toEqual(closeToAll([reached]));
    },
  );
  it('never requires a smaller lead for more comparisons, so that deciding step by step is valid', () => {
    const leads = Array.from({ length: 11 }, (_, index) => listDecidingLeads(600, index + 1));
    for (let count = 0; count <= 600; count += 1) {
      const leadsAtCount = leads.map((list) => list[count] ?? 0);
      expect(leadsAtCount).toEqual(leadsAtCount.toSorted((a, b) => a - b));
    }
  });
  it.each([1, 2, 5])(
    'decides wrongly in at most 5% of trials in all, divided by %i comparisons, if 1,000 discordant cases follow',
    (comparisons) => {
      for (const end of [0, 5, 20, 60, 150]) {
        const lead = listDecidingLeads(end, comparisons)[end] ?? 0;
        const atEnd = walkTo(end, 40 * comparisons);
        let error = atEnd.better + atEnd.worse;
        // Continues from each result without a decision, with the threshold for cases added later.
        atEnd.openProbabilities.forEach((chance, index) => {
          const wins = atEnd.firstWins + index;
          const start = { better: wins, worse: end - wins };
          const later = walkTo(1000, 100 * comparisons, start);
          error += chance * (Math.abs(2 * wins - end) >= lead ? 1 : later.better + later.worse);
        });
        expect(error).toBeLessThanOrEqual(0.05 / comparisons);
      }
    },
  );
  it.each(fixtures.looks)(
    'computes its interval for $comparisons comparisons',
    ({ differences, comparisons, range }) => {
      const end = createEndedTest(differences, differences.length).getPlannedEnd();
      expect(end && computeLookInterval(end, comparisons)).toEqual(closeToAll(range));
      const z = computeNormalQuantile(1 - 0.0075 / comparisons);
      const fixedInterval = computeFixedSampleInterval(
        differences.map((difference) => [difference]),
        z,
      );
      if (fixedInterval) expect(fixedInterval).toEqual(closeToAll(range));
    },
  );
});

describe('decisions', () => {
  it.each(fixtures.ended)(
    'decides by $reason for $comparisons comparisons, with an interval that agrees',
    ({ differences, end, comparisons, isBinary, reason, range }) => {
      const test = createEndedTest(differences, end, getHighestThreshold(2, comparisons));
      const [decision] = decideComparisons([{ family: comparisons, test, isBinary }], 2);
      expect(decision?.reason ?? null).toBe(reason);
      // A decided comparison no longer shares the error. The fixture has the interval from before that.
      const openCount = reason === null ? comparisons : Math.max(1, comparisons - 1);
      expect(decision?.comparisons).toBe(openCount);
      if (!decision) return;
      const interval = computeDecisionInterval(test, { ...decision, comparisons }, 2);
      expect(interval).toEqual(closeToAll(range));
    },
  );
  it('decides with rules 1 as the method of Holm', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 1, max: 300, noNaN: true }), { maxLength: 8 }), (evidences) => {
        const states = evidences.map((evidence) => ({
          family: evidences.length,
          test: createFakeTest(evidence),
          isBinary: true,
        }));
        const decisions = decideComparisons(states, 1);
        const steps = applyHolm(evidences);
        expect(decisions).toMatchObject(
          steps.map(({ requiredEvidence, decided }) => ({ requiredEvidence, decided })),
        );
        for (const { comparisons } of decisions) expect(20 * comparisons).toBe(getIntervalThreshold(steps));
      }),
    );
  });
  it('requires more evidence of comparisons that began later, and changes nothing for earlier ones', () => {
    const states = [59.4, 79, 119, 130].map((evidence, index) => ({
      family: index < 2 ? 2 : index + 1,
      test: createFakeTest(evidence),
      isBinary: true,
    }));
    const decide = (count: number) =>
      decideComparisons(states.slice(0, count), 2).map(({ decided, comparisons }) => [decided, comparisons]);
    expect(decide(2)).toEqual([
      [false, 2],
      [false, 2],
    ]);
    expect(decide(3)).toEqual([
      [false, 2],
      [false, 2],
      [false, 3],
    ]);
    expect(decide(4)).toEqual([
      [false, 2],
      [false, 2],
      [false, 3],
      [false, 4],
    ]);
    // The retired comparison of the family has no state.
    expect(decideComparisons(states.slice(2, 3), 2)).toMatchObject([{ decided: false, comparisons: 3 }]);
  });

  const differenceArbitrary = fc.oneof(
    fc.constantFrom(-1, 0, 1, 1),
    fc.integer({ min: -5, max: 5 }).map((fifths) => fifths / 5),
  );
  const trialArbitrary = fc.record({
    columns: fc.array(fc.array(differenceArbitrary, { minLength: 90, maxLength: 90 }), {
      minLength: 1,
      maxLength: 3,
    }),
    end: fc.nat(80),
    rules: fc.constantFrom<RulesVersion>(1, 2),
  });
  it('keeps what is decided, shrinks intervals, and lets intervals agree with decisions', () => {
    fc.assert(
      fc.property(trialArbitrary, ({ columns, end, rules }) => {
        const family = columns.length;
        const states = columns.map(() => ({
          family,
          test: createSequentialTest(getHighestThreshold(rules, family)),
          isBinary: false,
        }));
        const previous = columns.map(() => ({ decided: false, interval: [-1, 1] satisfies Interval }));
        for (let index = 0; index < 90; index += 1) {
          states.forEach(({ test }, column) => {
            test.add(columns[column]?.[index] ?? 0);
            if (index === end) test.markPlannedEnd();
          });
          decideComparisons(states, rules).forEach((decision, column) => {
            const { test } = states[column] ?? {};
            const last = previous[column];
            if (!test || !last) return;
            if (last.decided) expect(decision.decided).toBe(true);
            last.decided = decision.decided;
            const interval = computeDecisionInterval(test, decision, rules);
            if (!interval) return;
            expect(interval[0]).toBeGreaterThanOrEqual(last.interval[0] ?? -1);
            expect(interval[1]).toBeLessThanOrEqual(last.interval[1] ?? 1);
            last.interval = [...interval];
            if (!decision.decided) expect(interval[0] <= 0 && interval[1] >= 0).toBe(true);
            else if (rules === 2 && index >= end)
              expect(
                Math.sign(interval[0]) === decision.direction ||
                  Math.sign(interval[1]) === decision.direction,
              ).toBe(true);
          });
        }
      }),
      { numRuns: getCaseCount(40) },
    );
  });
});

describe('planning with a planned end', () => {
  it.each([...fixtures.power, ...fixtures.layoutPower])(
    'computes a power of $power for $cases cases',
    ({ cases, better, worse, power, ...design }) => {
      expect([computePower(cases, { better, worse }, { rules: 2, ...design })]).toEqual(closeToAll([power]));
    },
  );
  it('requires 26 to 35% fewer cases than without it', () => {
    const listRequiredCases = (rules: RulesVersion) =>
      [
        [0.25, 0.05],
        [0.15, 0.05],
        [0.1, 0.05],
        [0.25, 0.15],
      ].map(([better = 0, worse = 0]) => estimateRequiredCases({ better, worse }, { rules, comparisons: 1 }));
    expect(listRequiredCases(1)).toEqual([88, 253, 823, 579]);
    expect(listRequiredCases(2)).toEqual([65, 180, 556, 375]);
  });
  it('detects less if more cases go the other way, and if cases form groups; more with repeats', () => {
    const detect = (worse: number, design: Partial<TrialDesign> = {}) =>
      computeDetectableDifference(120, worse, { rules: 2, comparisons: 1, ...design });
    expect([0.05, 0.1, 0.2].map((worse) => detect(worse))).toEqual([13, 17, 22]);
    expect(detect(0.05, { groupSize: 3 })).toBeGreaterThan(detect(0.05) ?? 1);
    expect(detect(0.05, { repeats: 5 })).toBeLessThan(detect(0.05) ?? 1);
  });
  it('returns the smallest number of cases with the required power for every design', () => {
    for (const design of [
      { rules: 2, comparisons: 3 },
      { rules: 2, comparisons: 1, repeats: 5 },
      { rules: 2, comparisons: 2, groupSize: 3 },
    ] satisfies TrialDesign[]) {
      const shares = { better: 0.2, worse: 0.05 };
      const required = estimateRequiredCases(shares, design) ?? 0;
      expect(computePower(required, shares, design)).toBeGreaterThanOrEqual(0.8);
      expect(computePower(required - 1, shares, design)).toBeLessThan(0.8);
    }
    expect(
      estimateRequiredCases({ better: 0.051, worse: 0.05 }, { rules: 2, comparisons: 1 }),
    ).toBeUndefined();
  });
  it.each(fixtures.deciding)(
    'estimates that 4 of 5 trials have decided after $units more cases',
    ({ better, worse, cases, threshold, units }) => {
      const differences = Array.from({ length: cases }, (_, index) =>
        index < better ? 1 : index < better + worse ? -1 : 0,
      );
      expect(estimateDecidingUnits(differences, threshold)).toBe(units);
      expect(
        estimateDecidingUnits(
          differences.map((difference) => -difference),
          threshold,
        ),
      ).toBe(units);
      // Halved differences say as much, since the bets depend on their size relative to their spread.
      expect(
        estimateDecidingUnits(
          differences.map((difference) => difference / 2),
          threshold,
        ),
      ).toBe(units);
    },
  );
  it('distinguishes level columns from those that would take more than 10,000 cases', () => {
    expect(estimateDecidingUnits([1, -1, 0, 0], 20)).toBeUndefined();
    expect(estimateDecidingUnits([], 20)).toBeUndefined();
    expect(estimateDecidingUnits([...Array<number>(51).fill(1), ...Array<number>(50).fill(-1)], 20)).toBe(
      Number.POSITIVE_INFINITY,
    );
  });
});
