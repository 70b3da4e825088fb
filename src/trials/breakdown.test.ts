/** Compares breakdowns with values computed independently by scipy. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import {
  createColumnPair,
  createCountInputs,
  createVerdictPlan,
  parseResultTable,
} from '../testing/trials.ts';
import { computeBreakdown, listBreakdownFields } from './breakdown.ts';
import type { Case, TrialRules } from './trial.ts';
import { computeVerdict } from './verdict.ts';

interface Fixture {
  name: string;
  rules: TrialRules;
  columns: number;
  repeats: number;
  /** A digit for each cell, in the order of the result table. */
  cells: string;
  names: string[];
  /** Index of the value in `names` for each case. */
  values: string;
  groupSize: number | null;
  stopped: boolean[];
  comparisons: number;
  parts: {
    value: string;
    cases: number;
    rates: ({ rate: number; range: [number, number] | null } | null)[];
    differences: { column: number; difference: number; range: [number, number] }[];
  }[];
}

const fixtures: Fixture[] = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '__fixtures__/breakdown.json'), 'utf8'),
);

const closeTo = (value: number): unknown => expect.closeTo(value, 9);

/** Computes the breakdown of two columns, in which each value has its own signs, as in `createColumnPair`. */
function breakDownSigns(signsByValue: Record<string, string>) {
  const table = parseResultTable(...createColumnPair(Object.values(signsByValue).join('')));
  const verdict = computeVerdict(createCountInputs(table), createVerdictPlan(table));
  const values = Object.entries(signsByValue).flatMap(([value, signs]) => Array.from(signs, () => value));
  return computeBreakdown(verdict, values);
}

describe('breakdown by a field', () => {
  it.each(fixtures)(
    'computes rates, differences and widened ranges: $name',
    ({ rules, columns, repeats, cells, names, values, groupSize, stopped, comparisons, parts }) => {
      const rowValues = Array.from(values, (digit) => names[Number(digit)] ?? '');
      const table = {
        rows: rowValues.length,
        columns,
        repeats,
        bytes: Uint8Array.from(cells, Number),
      };
      const countInputs = createCountInputs(table, {
        stopped,
        ...(groupSize === null
          ? {}
          : {
              groups: rowValues.map((_, row) => `0/${Math.floor(row / groupSize)}`),
              countsRatesByGroup: rules === 2,
            }),
      });
      const breakdown = computeBreakdown(
        computeVerdict(countInputs, createVerdictPlan(table, { rules })),
        rowValues,
      );
      expect(breakdown.comparisons).toBe(comparisons);
      expect(
        breakdown.parts.map(({ rates, ...part }) => ({
          ...part,
          rates: rates.map((rate) => (rate ? { rate: rate.rate, range: rate.interval ?? null } : null)),
        })),
      ).toEqual(
        parts.map(({ value, cases, rates, differences }) => ({
          value,
          cases,
          rates: rates.map(
            (rate) => rate && { rate: closeTo(rate.rate), range: rate.range && rate.range.map(closeTo) },
          ),
          differences: differences.map(({ column, difference, range }) => ({
            column,
            difference: closeTo(difference),
            interval: range.map(closeTo),
          })),
        })),
      );
    },
  );

  it('reports a column that is better in all cases, but behind in most parts', () => {
    const { contradictions } = breakDownSigns({
      large: '+'.repeat(40),
      first: '-=====',
      second: '-=====',
      third: '-=====',
    });
    expect(contradictions).toEqual([
      { column: 1, oppositeValues: ['first', 'second', 'third'], clearValues: [], values: 4 },
    ]);
  });

  it('reports a part in which an undecided column is worse for sure', () => {
    expect(breakDownSigns({ one: '+'.repeat(31), two: '-'.repeat(30) }).contradictions).toEqual([
      { column: 1, oppositeValues: ['two'], clearValues: ['two'], values: 2 },
    ]);
  });

  it('does not warn of a few parts behind, or of parts of an undecided column', () => {
    expect(
      breakDownSigns({ one: '+'.repeat(40), two: '+'.repeat(9), three: '-=====' }).contradictions,
    ).toEqual([]);
    expect(breakDownSigns({ one: '+++++=====', two: '-=====', three: '-=====' }).contradictions).toEqual([]);
  });

  it('offers fields with several values, unless there are too many or nearly one per case', () => {
    const cases = Array.from({ length: 60 }, (_, index): Case => ({
      id: String(index),
      values: {
        text: `ticket ${index}`,
        constant: 'same',
        team: `team ${index % 4}`,
        twenty: String(index % 20),
        many: String(index % 21),
        ...(index % 3 === 0 ? { partly: 'yes' } : {}),
      },
    }));
    const fields = ['text', 'constant', 'team', 'twenty', 'many', 'partly'];
    expect(listBreakdownFields(fields, cases)).toEqual(['team', 'twenty', 'partly']);
    expect(listBreakdownFields(fields, cases.slice(0, 7))).toEqual(['partly']);
  });
});
