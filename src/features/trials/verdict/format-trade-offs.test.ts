import { describe, expect, it } from 'vitest';

import type { ColumnStats, LatencyStats } from '../../../state/trials/results/trial-results.ts';
import {
  createColumnPair,
  createCountInputs,
  createVerdictPlan,
  parseResultTable,
} from '../../../testing/trials.ts';
import type { Ratio } from '../../../trials/latency.ts';
import { computeVerdict } from '../../../trials/verdict.ts';
import { describeTradeOffs } from './format-trade-offs.ts';
import { toPlainText } from './rich-text.ts';

const tooFew = { kind: 'too few', minCases: 6 } as const;

const createLatency = (ratio?: Ratio): LatencyStats => ({
  median: tooFew,
  p90: tooFew,
  p95: tooFew,
  ...(ratio ? { ratio } : {}),
});

const createStats = (changes: Partial<ColumnStats> = {}): ColumnStats => ({
  cells: 80,
  answered: 80,
  missing: 0,
  firstToken: createLatency(),
  total: createLatency(),
  ...changes,
});

/** Describes two columns of which B is right more often, if B has these statistics. */
function describeColumnB(stats: Partial<ColumnStats>): string[] {
  const table = parseResultTable(...createColumnPair('+00'.repeat(28)));
  const verdict = computeVerdict(createCountInputs(table), createVerdictPlan(table));
  return describeTradeOffs(verdict, [createStats(), createStats(stats)], []).map(toPlainText);
}

describe('time, length and cost beside a verdict', () => {
  it('states the choice in one sentence and each factor with its range in the next one', () => {
    expect(
      describeColumnB({
        firstToken: createLatency({ factor: 1.674, interval: [1.48, 1.952] }),
        total: createLatency({ factor: 12.4, interval: [11, 13.6] }),
        tokensRatio: { factor: 2.3, interval: [2.1, 2.6] },
        costRatio: { factor: 0.5, interval: [0.4, 0.6] },
      }),
    ).toEqual([
      'B is better by 33 points, takes 12 times as long, writes 2.3 times as much and costs 0.5 times as much.',
      'B takes 1.67 times as long to the first token (1.48 to 1.95), takes 12 times as long for the whole answer (11 to 14), writes 2.3 times as many tokens (2.1 to 2.6) and costs 0.5 times as much (0.4 to 0.6).',
    ]);
  });

  it('leaves out factors whose range contains 1, and rounds no range to 1 that excludes it', () => {
    expect(
      describeColumnB({
        firstToken: createLatency({ factor: 1.1, interval: [1, 1.2] }),
        total: createLatency({ factor: 1.05, interval: [1.0013, 1.11] }),
      }),
    ).toEqual([
      'B is better by 33 points and takes 1.05 times as long.',
      'B takes 1.05 times as long for the whole answer (1.0013 to 1.11).',
    ]);
  });

  it('states no range that has only one value', () => {
    expect(describeColumnB({ tokensRatio: { factor: 1.8, interval: [1.799, 1.801] } }).at(-1)).toBe(
      'B writes 1.8 times as many tokens.',
    );
  });

  it('states how many answers each column gave if one of them is missing', () => {
    expect(describeColumnB({ answered: 75, missing: 5 })).toEqual([
      'A gave an answer in 80 of 80 and B in 75 of 80.',
    ]);
  });
});
