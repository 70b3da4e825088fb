/** Simulates many trials to verify the statistical guarantees. `npm run soak` simulates far more. */
import { describe, expect, it } from 'vitest';

import { getCaseCount } from '../../testing/seeds.ts';
import { computeShare, createSimulationRandom, drawDifference } from '../../testing/simulations.ts';
import { computePower } from './planning.ts';
import {
  createSequentialTest,
  applyHolm,
  computeLogEvidence,
  getIntervalThreshold,
} from './sequential-test.ts';

const random = createSimulationRandom('simulations');

/** Returns the sampling error of a share of runs, exceeded in about four of a million cases. */
const computeNoise = (runs: number, rate: number): number => 4.5 * Math.sqrt((rate * (1 - rate)) / runs);

const runs = getCaseCount(500, 500);

describe('two equal columns, inspected after each case up to 1,000', () => {
  it.each([
    ['6 %', 0.03],
    ['20 %', 0.1],
    ['50 %', 0.25],
  ])('calls equal columns different in at most 5% of runs if %s of cases are discordant', (_name, rate) => {
    const differentShare = computeShare(runs, () => {
      let [better, worse] = [0, 0];
      for (let count = 0; count < 1000; count += 1) {
        const difference = drawDifference(random, rate, rate);
        if (difference > 0) better += 1;
        if (difference < 0) worse += 1;
        if (difference !== 0 && computeLogEvidence(better, worse) >= Math.log(20)) return true;
      }
      return false;
    });
    expect(differentShare).toBeLessThanOrEqual(0.05);
  });
});

describe('three equal columns against one baseline, inspected after each case up to 1,000', () => {
  it.each([
    ['6 %', 0.06],
    ['20 %', 0.2],
    ['50 %', 0.5],
  ])(
    'calls any of three equal columns different in at most 5% of runs if %s of cases are discordant',
    (_name, discordantRate) => {
      const wrongShare = computeShare(runs, () => {
        const counts = [0, 1, 2].map(() => ({ better: 0, worse: 0, evidence: 1 }));
        for (let index = 0; index < 1000; index += 1) {
          // Each case is drawn to be either the same in all columns or random in each column.
          if (random() >= 2 * discordantRate) continue;
          const baselineValue = random() < 0.5;
          for (const count of counts) {
            const columnValue = random() < 0.5;
            if (columnValue === baselineValue) continue;
            if (columnValue) count.better += 1;
            else count.worse += 1;
            count.evidence = Math.max(
              count.evidence,
              Math.exp(computeLogEvidence(count.better, count.worse)),
            );
          }
        }
        // Evidence that has reached the threshold once stays decided.
        return applyHolm(counts.map(({ evidence }) => evidence)).some(({ decided }) => decided);
      });
      expect(wrongShare).toBeLessThanOrEqual(0.05);
    },
  );
});

it.each([
  ['10 points', 0.15, 0.05],
  ['20 points', 0.25, 0.05],
  ['0 points', 0.1, 0.1],
  ['28 points', 0.3, 0.02],
])(
  'keeps a true difference of %s within the interval at all times in at least 95% of runs',
  (_name, better, worse) => {
    const runCount = getCaseCount(50, 50);
    const ruledOutShare = computeShare(runCount, () => {
      const test = createSequentialTest();
      for (let index = 0; index < 1000; index += 1) test.add(drawDifference(random, better, worse));
      // The interval only shrinks, so a value inside it at the end was always inside.
      const interval = test.getInterval(getIntervalThreshold([]));
      return !interval || interval[0] > better - worse || interval[1] < better - worse;
    });
    // With few runs, the observed share may exceed the true share of 3%.
    expect(ruledOutShare).toBeLessThanOrEqual(Math.max(0.05, 0.03 + computeNoise(runCount, 0.03)));
  },
);

it.each([
  [155, 0.15, 0.05, 20],
  [250, 0.15, 0.05, 20],
  [100, 0.25, 0.05, 20],
  [120, 0.15, 0.05, 40],
  [60, 0.35, 0.05, 20],
])(
  'matches the planned power of %i cases at shares %d and %d and threshold %i in simulated runs',
  (n, better, worse, threshold) => {
    const runCount = getCaseCount(1000, 1000);
    const decidedShare = computeShare(runCount, () => {
      let [wins, losses] = [0, 0];
      for (let index = 0; index < n; index += 1) {
        const difference = drawDifference(random, better, worse);
        if (difference > 0) wins += 1;
        if (difference < 0) losses += 1;
        if (difference !== 0 && computeLogEvidence(wins, losses) >= Math.log(threshold)) return wins > losses;
      }
      return false;
    });
    const plannedPower = computePower(n, { better, worse }, { rules: 1, comparisons: threshold / 20 });
    expect(Math.abs(decidedShare - plannedPower)).toBeLessThanOrEqual(
      Math.max(0.015, computeNoise(runCount, plannedPower)),
    );
  },
);
