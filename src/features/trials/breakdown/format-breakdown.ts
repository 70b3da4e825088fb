/** Describes a breakdown, for the screen and the report. */
import { formatList } from '../../../lib/format.ts';
import type { OpenTrialState } from '../../../state/trials/store/trial-store.ts';
import {
  computeBreakdown,
  listBreakdownFields,
  maxBreakdownValues,
  type Breakdown,
  type BreakdownPart,
  type Contradiction,
} from '../../../trials/breakdown.ts';
import type { RateEstimate } from '../../../trials/statistics/intervals.ts';
import { getCaseValue, getColumnLetter } from '../../../trials/trial.ts';
import type { ComparisonOutcome, Verdict } from '../../../trials/verdict.ts';
import type { ColumnName } from '../format-columns.ts';
import { formatPercent, toColumnPart, type RichText } from '../verdict/rich-text.ts';

export type BreakdownState = Pick<OpenTrialState, 'trial' | 'cases' | 'order' | 'verdict'>;

/** A breakdown by the chosen field, or by the first one that can be chosen. */
export interface FieldBreakdown {
  field: string;
  /** All fields that can be chosen. */
  fields: string[];
  breakdown: Breakdown;
}

/** Returns the breakdown; `undefined` without a verdict or without a field that can be chosen. */
export function buildBreakdown(
  { trial, cases, order, verdict }: BreakdownState,
  chosenField: string | undefined,
): FieldBreakdown | undefined {
  const fields = listBreakdownFields(
    trial.fields,
    order.flatMap((caseId) => cases.get(caseId) ?? []),
  );
  const field = fields.find((name) => name === chosenField) ?? fields[0];
  if (field === undefined || !verdict) return undefined;
  const rowValues = order.map((caseId) => getCaseValue(cases.get(caseId), field));
  return { field, fields, breakdown: computeBreakdown(verdict, rowValues) };
}

/** Returns the rates and differences in all cases, with the ranges of the verdict, so that the two agree. */
export function getWholePart(
  { parts }: Breakdown,
  { columns, comparisons }: Verdict,
): Omit<BreakdownPart, 'value'> {
  return {
    cases: parts.reduce((sum, { cases }) => sum + cases, 0),
    rates: columns.map(({ rate }) => rate),
    differences: comparisons.flatMap(({ column, difference, interval }) =>
      interval ? [{ column, difference, interval }] : [],
    ),
  };
}

export const noFieldText = `There is no field to break down by. A field needs 2 to ${maxBreakdownValues} different values, and at least twice as many cases as values.`;

/** Returns a value as it is shown. */
export function formatFieldValue(value: string): string {
  return value === '' ? '(empty)' : value;
}

/** Formats the rate and its range, such as "86 %" and "(60 to 96)". */
export function formatPartRate({ rate, interval }: RateEstimate): { rate: string; range: string } {
  return {
    rate: `${formatPercent(rate)} %`,
    range: interval ? `(${formatPercent(interval[0])} to ${formatPercent(interval[1])})` : '',
  };
}

/** Describes how the ranges of the table were computed. */
export function describeBreakdownRanges({ comparisons }: Breakdown, { baseline }: Verdict): string {
  if (comparisons === 0) return 'Each rate has its own range.';
  const widenedText =
    comparisons === 1
      ? ''
      : ` With ${comparisons} differences, the ranges of single values are wider, so that all of them together miss in at most 1 of 20 trials.`;
  return `Points are differences from ${getColumnLetter(baseline)}, with the range of one planned look, and for all cases that of the verdict.${widenedText}`;
}

/** Describes where parts of the cases contradict all of them. */
export function describeContradictions(
  { contradictions }: Breakdown,
  { baseline, comparisons }: Verdict,
  field: string,
  names: readonly ColumnName[],
): RichText[] {
  return contradictions.flatMap((contradiction): RichText[] => {
    const comparison = comparisons.find(({ column }) => column === contradiction.column);
    if (!comparison) return [];
    const isAhead = comparison.difference > 0;
    return [
      [
        toColumnPart(names, contradiction.column),
        ` ${describeWhole(comparison.outcome, isAhead)} `,
        toColumnPart(names, baseline),
        ` in all cases, but ${describeOpposite(contradiction, isAhead, field)}.`,
      ],
    ];
  });
}

function describeWhole(outcome: ComparisonOutcome, isAhead: boolean): string {
  if (outcome === 'better' || outcome === 'worse') return `is ${outcome} than`;
  return isAhead ? 'is ahead of' : 'is behind';
}

function describeOpposite(
  { oppositeValues, clearValues, values }: Contradiction,
  isAhead: boolean,
  field: string,
): string {
  if (clearValues.length > 0)
    return `${isAhead ? 'worse' : 'better'} where ${field} is ${formatList(clearValues.map((value) => `“${formatFieldValue(value)}”`))}`;
  return `${isAhead ? 'behind' : 'ahead'} in ${oppositeValues.length} of ${values} values of ${field}`;
}
