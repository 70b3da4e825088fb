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
  const countColumn = createColumnCounter(countInputs);
  const countedRows = [...new Set(columns.flatMap(({ rows }) => rows))];
  const { pairs } = countResults(countInputs);
  const openParts = [...new Set(countedRows.map((row) => rowValues[row] ?? ''))]
    .map((value) => {
      const hasValue = (row: number): boolean => rowValues[row] === value;
      return {
        value,
        cases: countedRows.filter(hasValue).length,
        rates: columns.map((counts, column) => countColumn(counts.rows.filter(hasValue), column).rate),
        pairs: pairs.flatMap(({ column, units }) => {
          const partUnits = units.flatMap((unit) => selectUnitRows(unit, hasValue));
          return partUnits.length === 0 ? [] : [{ column, units: partUnits }];
        }),
      };
    })
    .toSorted((a, b) => b.cases - a.cases || (a.value < b.value ? -1 : 1));
  const comparisons = openParts.reduce((sum, part) => sum + part.pairs.length, 0);
  const z = computeNormalQuantile(1 - breakdownError / (2 * Math.max(1, comparisons)));
  const parts = openParts.map(({ pairs: partPairs, ...part }): BreakdownPart => ({
    ...part,
    differences: partPairs.flatMap(({ column, units }) => {
      const interval = computeUnitsInterval(units, rules, z);
      const difference = computeMean(units.map(({ differences }) => computeMean(differences)));
      return interval ? [{ column, difference, interval }] : [];
    }),
  }));
  return { parts, comparisons, contradictions: findContradictions(verdict, parts) };
}

/** Returns the part of a unit in these rows, or nothing. */
function selectUnitRows(
  { rows, differences }: IndependentUnit,
  hasRow: (row: number) => boolean,
): IndependentUnit[] {
  const unit = {
    rows: rows.filter(hasRow),
    differences: differences.filter((_, index) => hasRow(rows[index] ?? -1)),
  };
  return unit.rows.length === 0 ? [] : [unit];
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
