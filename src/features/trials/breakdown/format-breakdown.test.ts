import { describe, expect, it } from 'vitest';

import {
  createColumnPair,
  createColumns,
  createCountInputs,
  createVerdictPlan,
  parseResultTable,
} from '../../../testing/trials.ts';
import { computeBreakdown } from '../../../trials/breakdown.ts';
import { computeVerdict } from '../../../trials/verdict.ts';
import { getColumnNames } from '../format-columns.ts';
import { toPlainText } from '../verdict/rich-text.ts';
import { describeBreakdownRanges, describeContradictions, getWholePart } from './format-breakdown.ts';

/** Computes the breakdown of two columns by team, in which each team has its own signs, as in `createColumnPair`. */
function breakDown(signsByTeam: Record<string, string>) {
  const table = parseResultTable(...createColumnPair(Object.values(signsByTeam).join('')));
  const verdict = computeVerdict(createCountInputs(table), createVerdictPlan(table));
  const teams = Object.entries(signsByTeam).flatMap(([team, signs]) => Array.from(signs, () => team));
  const breakdown = computeBreakdown(verdict, teams);
  const names = getColumnNames(createColumns('north/one', 'south/two'));
  return {
    ranges: describeBreakdownRanges(breakdown, verdict),
    wholeRanges: getWholePart(breakdown, verdict).differences.map(({ interval }) => interval),
    verdictRanges: verdict.comparisons.map(({ interval }) => interval),
    contradictions: describeContradictions(breakdown, verdict, 'team', names).map(toPlainText),
  };
}

const behind = '-=====';

describe('sentences about a breakdown', () => {
  it('says in how many parts a better column is behind', () => {
    expect(breakDown({ a: '+'.repeat(40), b: behind, c: behind, d: behind }).contradictions).toEqual([
      'two is better than one in all cases, but behind in 3 of 4 values of team.',
    ]);
  });

  it('names the parts in which a column is better or worse for sure', () => {
    expect(breakDown({ legal: '+'.repeat(30), '': '-'.repeat(31) }).contradictions).toEqual([
      'two is behind one in all cases, but better where team is “legal”.',
    ]);
    expect(breakDown({ legal: '+'.repeat(31), '': '-'.repeat(30) }).contradictions).toEqual([
      'two is ahead of one in all cases, but worse where team is “(empty)”.',
    ]);
  });

  it('shows for all cases the range of the verdict', () => {
    const { wholeRanges, verdictRanges } = breakDown({ a: '+=='.repeat(10), b: '===' });
    expect(wholeRanges).toEqual(verdictRanges);
  });

  it('says for how many differences the ranges are widened', () => {
    expect(breakDown({ a: behind, b: behind }).ranges).toBe(
      'Points are differences from A, with the range of one planned look, and for all cases that of the verdict. With 2 differences, the ranges of single values are wider, so that all of them together miss in at most 1 of 20 trials.',
    );
    expect(breakDown({ a: behind }).ranges).toBe(
      'Points are differences from A, with the range of one planned look, and for all cases that of the verdict.',
    );
  });
});
