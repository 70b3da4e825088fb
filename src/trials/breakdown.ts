/** Breaks a verdict down by the values of a field, over the same counted cases. */
import { countResults, computeMean, createColumnCounter, type IndependentUnit } from './result-table.ts';
import type { Interval, RateEstimate } from './statistics/intervals.ts';
import { computeNormalQuantile } from './statistics/quantiles.ts';
import { getCaseValue, type Case } from './trial.ts';
import { computeUnitsInterval, type Verdict } from './verdict.ts';

/** Maximum number of values of a field, so that each has enough cases and the table stays readable. */
export const maxBreakdownValues = 20;
/** Minimum mean number of cases per value; with fewer, the field identifies cases instead of grouping them. */
const minCasesPerValue = 2;
/** Probability that any range of the table misses the difference of its cases. */
const breakdownError = 0.05;

/** Difference from the baseline in the cases with one value. */
export interface PartDifference {
  column: number;
  difference: number;
  /** Range of one planned look, widened for all differences of the breakdown. */
  interval: Interval;
}

/** The counted cases with one value of the field. */
export interface BreakdownPart {
  value: string;
  cases: number;
  /** Indexed by column; undefined without answers. */
  rates: (RateEstimate | undefined)[];
  /** Differences of the columns that were compared on these cases. */
  differences: PartDifference[];
}

/** Column whose verdict does not hold for parts of the cases. */
export interface Contradiction {
  column: number;
  /** Values for which the difference has the other sign. */
  oppositeValues: string[];
  /** Those of them for which the range excludes 0. */
  clearValues: string[];
  /** Number of values with a difference. */
  values: number;
}

export interface Breakdown {
  /** Parts with counted cases, the largest first. */
  parts: BreakdownPart[];
  /** Number of differences in all parts. */
  comparisons: number;
  contradictions: Contradiction[];
}

/** Lists the fields that have several values, but not too many for a breakdown. */
export function listBreakdownFields(fields: readonly string[], cases: readonly Case[]): string[] {
  return fields.filter((field) => {
    const count = new Set(cases.map((testCase) => getCaseValue(testCase, field))).size;
    return count > 1 && count <= maxBreakdownValues && count * minCasesPerValue <= cases.length;
  });
}

/** Returns the breakdown by a field; `rowValues` has its value in each row of the results. */
export function computeBreakdown(verdict: Verdict, rowValues: readonly string[]): Breakdown {
  const { countInputs, columns, rules } = verdict;
  const getValue = (row: number): string => rowValues[row] ?? '';
  const countColumn = createColumnCounter(countInputs);
  const rowsByValue = groupByValue(new Set(columns.flatMap(({ rows }) => rows)), getValue);
  const columnRows = columns.map(({ rows }) => groupByValue(rows, getValue));
  const pairs = countResults(countInputs).pairs.map(({ column, units }) => ({
    column,
    unitsByValue: groupByValue(
      units.flatMap((unit) => splitUnit(unit, getValue)),
      ({ value }) => value,
    ),
  }));
  const comparisons = pairs.reduce((sum, { unitsByValue }) => sum + unitsByValue.size, 0);
  const z = computeNormalQuantile(1 - breakdownError / (2 * Math.max(1, comparisons)));
  const parts = [...rowsByValue]
    .map(([value, rows]): BreakdownPart => ({
      value,
      cases: rows.length,
      rates: columnRows.map((byValue, column) => countColumn(byValue.get(value) ?? [], column).rate),
      differences: pairs.flatMap(({ column, unitsByValue }) => {
        const units = unitsByValue.get(value) ?? [];
        const interval = computeUnitsInterval(units, rules, z);
        const difference = computeMean(units.map(({ differences }) => computeMean(differences)));
        return interval ? [{ column, difference, interval }] : [];
      }),
    }))
    .toSorted((a, b) => b.cases - a.cases || (a.value < b.value ? -1 : 1));
  return { parts, comparisons, contradictions: findContradictions(verdict, parts) };
}

function groupByValue<T>(items: Iterable<T>, getValue: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const value = getValue(item);
    const group = groups.get(value);
    if (group) group.push(item);
    else groups.set(value, [item]);
  }
  return groups;
}

/** Differences of a unit in the cases with one value. */
interface UnitPart {
  value: string;
  differences: number[];
}

/** Splits a unit into its parts, because the cases of a group may have several values. */
function splitUnit({ rows, differences }: IndependentUnit, getValue: (row: number) => string): UnitPart[] {
  const parts = new Map<string, UnitPart>();
  for (const [index, row] of rows.entries()) {
    const value = getValue(row);
    const part = parts.get(value) ?? { value, differences: [] };
    part.differences.push(differences[index] ?? 0);
    parts.set(value, part);
  }
  return [...parts.values()];
}

/**
 * Finds columns that are better or worse in all cases, but not in most parts, and columns whose difference has the other
 * sign in a part for sure.
 */
function findContradictions({ comparisons }: Verdict, parts: readonly BreakdownPart[]): Contradiction[] {
  return comparisons.flatMap(({ column, outcome, difference }) => {
    const partDifferences = parts.flatMap(({ value, differences }) =>
      differences.flatMap((part) => (part.column === column ? [{ ...part, value }] : [])),
    );
    const opposite = partDifferences.filter((part) => part.difference * difference < 0);
    const clear = opposite.filter(({ interval: [low, high] }) => low > 0 || high < 0);
    const isDecided = outcome === 'better' || outcome === 'worse';
    if (clear.length === 0 && !(isDecided && 2 * opposite.length > partDifferences.length)) return [];
    return [
      {
        column,
        oppositeValues: opposite.map(({ value }) => value),
        clearValues: clear.map(({ value }) => value),
        values: partDifferences.length,
      },
    ];
  });
}
