import { expect, it } from 'vitest';

import type { ComparisonOutcome } from '../../trials/verdict.ts';
import { judgeComparison, judgeFloor, type Judgement } from './exit-code.ts';
import type { Expectation } from './expectations.ts';

const margin = 0.05;

it.each<[Expectation, ComparisonOutcome, [number, number], Judgement]>([
  ['better', 'better', [0.01, 0.2], 'as expected'],
  ['better', 'worse', [-0.2, -0.01], 'decided against'],
  ['better', 'about the same', [-0.04, 0.04], 'decided against'],
  ['better', 'open', [-0.1, 0.2], 'not decided'],
  ['better', 'contradictory', [-1, 1], 'not decided'],
  ['not-worse', 'better', [0.01, 0.2], 'as expected'],
  ['not-worse', 'about the same', [-0.04, 0.04], 'as expected'],
  ['not-worse', 'open', [-0.04, 0.2], 'as expected'],
  ['not-worse', 'open', [-0.06, 0.2], 'not decided'],
  ['not-worse', 'too few', [-0.04, 0.2], 'not decided'],
  ['not-worse', 'worse', [-0.04, -0.01], 'decided against'],
  ['same', 'about the same', [-0.04, 0.04], 'as expected'],
  ['same', 'better', [0.01, 0.04], 'as expected'],
  ['same', 'better', [0.01, 0.2], 'decided against'],
  ['same', 'worse', [-0.2, -0.01], 'decided against'],
  ['same', 'open', [-0.1, 0.2], 'not decided'],
])('%s: a column that is %s with the range %j is %s', (expectation, outcome, interval, judgement) => {
  const comparison = { outcome, interval, dependsOnMissing: false, missingCount: 0, counted: 100 };
  expect(judgeComparison(comparison, expectation, margin)).toBe(judgement);
});

it('does not decide by answers that are missing', () => {
  const worse = {
    outcome: 'worse' as const,
    interval: [-0.2, -0.01] as const,
    missingCount: 9,
    counted: 100,
  };
  expect(judgeComparison({ ...worse, dependsOnMissing: true }, 'not-worse', margin)).toBe('not decided');
  const open = {
    outcome: 'open' as const,
    interval: [-0.03, 0.2] as const,
    dependsOnMissing: false,
    counted: 100,
  };
  expect(judgeComparison({ ...open, missingCount: 1 }, 'not-worse', margin)).toBe('as expected');
  expect(judgeComparison({ ...open, missingCount: 2 }, 'not-worse', margin)).toBe('not decided');
});

it.each<[[number, number] | undefined, Judgement]>([
  [[0.9, 0.99], 'as expected'],
  [[0.89, 0.99], 'not decided'],
  [[0.7, 0.9], 'not decided'],
  [[0.7, 0.89], 'decided against'],
  [undefined, 'not decided'],
])('judges the range %j against a floor of 0.9 as %s', (interval, judgement) => {
  expect(judgeFloor(interval, 0.9)).toBe(judgement);
});
