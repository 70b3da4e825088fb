/** Gathers what the report of a trial says, for HTML and Markdown. It contains no recordings and no keys. */
import { demoNote } from '../../../conversation/files/session-export.ts';
import { formatTotalCost } from '../../../conversation/reply/cost.ts';
import { formatCount } from '../../../lib/format.ts';
import type { OpenTrialState } from '../../../state/trials/store/trial-store.ts';
import { getCellId } from '../../../trials/case-order.ts';
import { findSentFields } from '../../../trials/cases.ts';
import { getExpectedText } from '../../../trials/checks/score-answer.ts';
import { getCellIndex, resultCodes } from '../../../trials/result-table.ts';
import { describeSetupChanges } from '../../../trials/setup-changes.ts';
import { getColumnLetter, type Case } from '../../../trials/trial.ts';
import type { Comparison } from '../../../trials/verdict.ts';
import {
  buildBreakdown,
  describeBreakdownRanges,
  describeContradictions,
  formatFieldValue,
  formatPartRate,
  getWholePart,
} from '../breakdown/format-breakdown.ts';
import { getColumnNames, type ColumnName } from '../format-columns.ts';
import { findDecidingTable, listAllRows } from '../grid/case-rows.ts';
import { formatLatency, formatPassedCount } from '../grid/format-header.ts';
import { formatSignedPoints } from '../verdict/difference-plot.tsx';
import { formatEvidence } from '../verdict/format-method.ts';
import { formatFactor } from '../verdict/format-trade-offs.ts';
import { describeVerdict } from '../verdict/format-verdict.ts';
import { formatPercent, formatPoints, formatPointsRange, toPlainText } from '../verdict/rich-text.ts';

/** Number of cases that the report shows by default; the rest is in the other exports. */
const defaultMaxCases = 50;

export type ReportState = Pick<
  OpenTrialState,
  | 'trial'
  | 'cases'
  | 'order'
  | 'cells'
  | 'liveCells'
  | 'tables'
  | 'verdict'
  | 'verdictContext'
  | 'columnStats'
  | 'costs'
> & {
  /** Field of the breakdown, or empty for the first one; undefined without a breakdown. */
  breakdownField?: string | undefined;
};

export interface ReportColumn {
  letter: string;
  name: string;
  /** Model, and differences from the baseline. */
  setup: string;
  /** Pass rate from 0 to 1; absent without answers. */
  rate: number | undefined;
  rateText: string;
  rangeText: string;
  passedText: string;
  answeredText: string;
  medianText: string;
  costText: string;
}

export interface ReportComparison {
  letter: string;
  outcome: string;
  difference: string;
  range: string;
  evidence: string;
  /** Ratios of time, tokens and cost to the baseline. */
  time: string;
  tokens: string;
  cost: string;
}

/** Case that exactly one column passed. */
export interface ReportCase {
  number: number;
  letter: string;
  input: string;
  expected: string;
  /** Answers in column order. */
  answers: string[];
}

/** Rates and differences for each value of a field. */
export interface ReportBreakdown {
  field: string;
  warnings: string[];
  header: string[];
  rows: string[][];
  note: string;
}

export interface TrialReport {
  title: string;
  /** Day of the last change, in ISO 8601. */
  day: string;
  note: string | undefined;
  headline: string;
  sentences: string[];
  tradeOffs: string[];
  method: string;
  baseline: string;
  columns: ReportColumn[];
  comparisons: ReportComparison[];
  /** Present if a field was chosen. */
  breakdown?: ReportBreakdown;
  cases: ReportCase[];
  /** Number of all cases that only one column passed. */
  caseCount: number;
}

/** Returns the report of a trial as it stands, with at most `maxCases` cases. */
export function buildTrialReport(state: ReportState, maxCases = defaultMaxCases): TrialReport {
  const { trial, verdict, verdictContext, columnStats, costs } = state;
  const { first, details, tradeOffs, method } = describeVerdict(state);
  const names = getColumnNames(trial.columns, verdictContext.limits);
  const baseline = trial.columns.find(({ id }) => id === trial.baseline);
  const cases = listSingleWinCases(state);
  const breakdown = describeBreakdown(state, names);
  return {
    title: trial.title,
    day: new Date(trial.updatedAt).toISOString().slice(0, 10),
    note: trial.columns.some(({ setup }) => setup.model.startsWith('demo/')) ? demoNote : undefined,
    headline: toPlainText(first),
    sentences: details.map(toPlainText),
    tradeOffs: tradeOffs.map(toPlainText),
    method,
    baseline: getColumnLetter(verdict?.baseline ?? 0),
    columns: trial.columns.map((column, index): ReportColumn => {
      const counts = verdict?.columns[index];
      const stats = columnStats[index];
      const cost = costs.byColumn[index];
      const interval = counts?.rate?.interval;
      const changes = baseline && column !== baseline ? describeSetupChanges(column, baseline) : [];
      return {
        letter: getColumnLetter(index),
        name: names[index]?.name ?? getColumnLetter(index),
        setup: [column.setup.model, ...changes].join(', '),
        rate: counts?.rate?.rate,
        rateText: counts?.rate ? `${formatPercent(counts.rate.rate)} %` : '–',
        rangeText: interval ? `${formatPercent(interval[0])} to ${formatPercent(interval[1])} %` : '–',
        passedText: counts && counts.answers.count > 0 ? formatPassedCount(counts) : '–',
        answeredText: stats ? `${formatCount(stats.answered)} of ${formatCount(stats.cells)}` : '–',
        medianText: (stats && formatLatency(stats).median) || '–',
        costText: cost ? formatTotalCost(cost) : '–',
      };
    }),
    comparisons: (verdict?.comparisons ?? []).map((comparison) => describeComparison(comparison, state)),
    ...(breakdown ? { breakdown } : {}),
    cases: cases.slice(0, maxCases),
    caseCount: cases.length,
  };
}

function describeComparison(
  { column, outcome, difference, interval, evidence }: Comparison,
  { columnStats }: ReportState,
): ReportComparison {
  const stats = columnStats[column];
  const formatRatio = (ratio: { factor: number; interval: readonly [number, number] } | undefined): string =>
    ratio
      ? `× ${formatFactor(ratio.factor)} (${formatFactor(ratio.interval[0])} to ${formatFactor(ratio.interval[1])})`
      : '–';
  return {
    letter: getColumnLetter(column),
    outcome: outcome === 'open' || outcome === 'contradictory' ? 'no verdict' : outcome,
    difference: `${difference > 0 ? '+' : ''}${formatPoints(difference)}`,
    range: interval ? `${formatPoints(interval[0])} to ${formatPoints(interval[1])}` : '–',
    evidence: `${formatEvidence(evidence)} : 1`,
    time: formatRatio(stats?.firstToken.ratio),
    tokens: formatRatio(stats?.tokensRatio),
    cost: formatRatio(stats?.costRatio),
  };
}

/** Returns the breakdown as text: a column with the rates, and one with the differences, for each column. */
function describeBreakdown(state: ReportState, names: readonly ColumnName[]): ReportBreakdown | undefined {
  const { verdict, breakdownField } = state;
  const fieldBreakdown = breakdownField === undefined ? undefined : buildBreakdown(state, breakdownField);
  if (!verdict || !fieldBreakdown) return undefined;
  const { field, breakdown } = fieldBreakdown;
  const { columns, comparisons, baseline } = verdict;
  const parts = breakdown.parts.map((part) => ({ ...part, value: formatFieldValue(part.value) }));
  return {
    field,
    warnings: describeContradictions(breakdown, verdict, field, names).map(toPlainText),
    header: [
      field,
      'Cases',
      ...columns.map((_, column) => getColumnLetter(column)),
      ...comparisons.map(({ column }) => `${getColumnLetter(column)} − ${getColumnLetter(baseline)}`),
    ],
    rows: [...parts, { ...getWholePart(breakdown, verdict), value: 'All cases' }].map(
      ({ value, cases, rates, differences }) => [
        value,
        formatCount(cases),
        ...rates.map((rate) => (rate ? Object.values(formatPartRate(rate)).join(' ').trim() : '–')),
        ...comparisons.map(({ column }) => {
          const difference = differences.find((candidate) => candidate.column === column);
          return difference
            ? `${formatSignedPoints(difference)} ${formatPointsRange(...difference.interval)}`
            : '–';
        }),
      ],
    ),
    note: describeBreakdownRanges(breakdown, verdict),
  };
}

/** Lists the cases that exactly one column passed in all repeats, while all others failed in all of them. */
function listSingleWinCases(state: ReportState): ReportCase[] {
  const { trial, cases, cells } = state;
  const table = findDecidingTable(state);
  const check = trial.checks.find(({ id }) => id === trial.decides);
  if (!table || !check || trial.columns.length < 2) return [];
  return listAllRows(state).flatMap(({ caseId, number, tableRow }): ReportCase[] => {
    const testCase = cases.get(caseId);
    const results = trial.columns.map((_, column) =>
      Array.from(
        { length: trial.repeats },
        (__, repeat) => table.bytes[getCellIndex(table, tableRow, column, repeat + 1)],
      ),
    );
    const isAll = (codes: readonly (number | undefined)[], code: number): boolean =>
      codes.every((each) => each === code);
    const winners = results.flatMap((codes, column) => (isAll(codes, resultCodes.passed) ? [column] : []));
    const failedCount = results.filter((codes) => isAll(codes, resultCodes.failed)).length;
    const [winner] = winners;
    if (!testCase || winner === undefined || winners.length > 1 || failedCount < trial.columns.length - 1)
      return [];
    return [
      {
        number,
        letter: getColumnLetter(winner),
        input: describeInput(testCase, state),
        expected: getExpectedText(check, testCase.values) ?? '',
        answers: trial.columns.map(
          ({ id }) => cells.get(getCellId({ caseId, columnId: id, repeat: 1 }))?.head ?? '',
        ),
      },
    ];
  });
}

/** Returns the values that are sent for the case, shortened. */
function describeInput({ values }: Case, { trial }: ReportState): string {
  const maxChars = 240;
  const sentFields = findSentFields(trial);
  const text = (sentFields.length > 0 ? sentFields : trial.fields)
    .flatMap((name) => (Object.hasOwn(values, name) ? [values[name]] : []))
    .join(' · ');
  return text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
}
