/** Tables of a trial's report, for HTML and Markdown. */
import { formatCount } from '../../../lib/format.ts';
import type { TrialReport } from './trial-report.ts';

/** A table of the report as text. */
export interface ReportTextTable {
  title: string;
  header: string[];
  rows: string[][];
}

/** Returns the tables of the report as text: columns, differences and cases. */
export function buildReportTables({
  columns,
  comparisons,
  cases,
  caseCount,
  baseline,
}: TrialReport): [rates: ReportTextTable, differences: ReportTextTable, cases: ReportTextTable] {
  const letters = columns.map(({ letter }) => letter);
  return [
    {
      title: 'Columns',
      header: ['', 'Column', 'Setup', 'Passed', 'Range', 'Count', 'Answers', 'First token', 'Cost'],
      rows: columns.map((column) => [
        column.letter,
        column.name,
        column.setup,
        column.rateText,
        column.rangeText,
        column.passedText,
        column.answeredText,
        column.medianText,
        column.costText,
      ]),
    },
    {
      title: `Differences from ${baseline}`,
      header: ['', 'Outcome', 'Points', 'Range', 'Evidence', 'Time', 'Tokens', 'Cost'],
      rows: comparisons.map(({ letter, outcome, difference, range, evidence, time, tokens, cost }) => [
        letter,
        outcome,
        difference,
        range,
        evidence,
        time,
        tokens,
        cost,
      ]),
    },
    {
      title:
        caseCount > cases.length
          ? `Cases that only one column passed, the first ${formatCount(cases.length)} of ${formatCount(caseCount)}`
          : `Cases that only one column passed: ${formatCount(caseCount)}`,
      header: ['Case', 'Passed', 'Sent', 'Expected', ...letters],
      rows: cases.map(({ number, letter, input, expected, answers }) => [
        String(number),
        letter,
        input,
        expected,
        ...answers,
      ]),
    },
  ];
}
