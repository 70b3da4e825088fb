/** Writes the report of a trial as an HTML file and as Markdown. Loaded on the first report. */
import { toFileName } from '../../../conversation/files/session-export.ts';
import { formatCount } from '../../../lib/format.ts';
import { buildMarkdownTable, toMarkdownLine } from '../../../lib/report/report-markdown.ts';
import { buildReportPage } from '../../../lib/report/report-page.ts';
import {
  buildLetterTile,
  buildQuietLine,
  buildReportBar,
  buildReportTable,
  type ReportCell,
} from '../../../lib/report/report-parts.ts';
import { escapeHtml } from '../../../lib/text/safe-text.ts';
import type { TrialFile } from '../../../state/trials/repository/trial-files.ts';
import { reportFontFaces } from '../../../ui/report-fonts.ts';
import { buildTrialReport, type ReportState, type TrialReport } from './trial-report.ts';

/** Returns the report as one HTML page without scripts. */
export function buildHtmlReport(state: ReportState): TrialFile {
  const report = buildTrialReport(state);
  const { headline, sentences, tradeOffs, method, note } = report;
  const [rates, differences, cases] = buildTables(report);
  const main = [
    `<section aria-label="Verdict"><p class="verdict" dir="auto">${escapeHtml(headline)}</p>
${[...sentences, ...tradeOffs].map((sentence) => `<p dir="auto">${escapeHtml(sentence)}</p>`).join('\n')}
${buildQuietLine(method)}</section>`,
    `<section><h2>Columns</h2>${buildReportTable('Columns', rates.header, toRateRows(report, rates))}</section>`,
    `<section><h2>Differences from ${escapeHtml(report.baseline)}</h2>${buildReportTable('Differences', differences.header, toTileRows(differences))}</section>`,
    `<section><h2>${escapeHtml(cases.title)}</h2>${cases.rows.length === 0 ? '' : buildReportTable('Cases that only one column passed', cases.header, cases.rows)}</section>`,
  ];
  const html = buildReportPage({
    title: report.title,
    intro: [
      buildQuietLine(`Bench trial, ${report.day}`),
      ...(note === undefined ? [] : [buildQuietLine(note)]),
    ],
    main: main.join('\n'),
    style: '.verdict{font-size:22px;line-height:31px}section{margin-bottom:24px}',
    fontFaces: reportFontFaces,
  });
  return { name: toFileName(report.title, 'html'), type: 'text/html', pieces: [html] };
}

/** Returns the report as Markdown. */
export function buildMarkdownReport(state: ReportState): TrialFile {
  const report = buildTrialReport(state);
  const tables = buildTables(report);
  const blocks = [
    `# ${toMarkdownLine(report.title)}`,
    `Bench trial, ${report.day}.${report.note === undefined ? '' : ` ${report.note}`}`,
    `**${toMarkdownLine(report.headline)}**`,
    [...report.sentences, ...report.tradeOffs].map(toMarkdownLine).join(' '),
    toMarkdownLine(report.method),
    ...tables.flatMap(({ title, header, rows }) => [
      `## ${title}`,
      ...(rows.length === 0 ? [] : [buildMarkdownTable(header, rows)]),
    ]),
  ];
  return {
    name: toFileName(report.title, 'md'),
    type: 'text/markdown',
    pieces: [`${blocks.filter((block) => block !== '').join('\n\n')}\n`],
  };
}

interface TextTable {
  title: string;
  header: string[];
  rows: string[][];
}

/** Returns the tables of the report as text: columns, differences and cases. */
function buildTables({
  columns,
  comparisons,
  cases,
  caseCount,
  baseline,
}: TrialReport): [rates: TextTable, differences: TextTable, cases: TextTable] {
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

/** Puts the tile of the column into the first cell of each row. */
function toTileRows({ rows }: TextTable): ReportCell[][] {
  return rows.map(([letter = '', ...cells]) => [{ html: buildLetterTile(letter) }, ...cells]);
}

/** Adds a bar to the rate of each column. */
function toRateRows({ columns }: TrialReport, table: TextTable): ReportCell[][] {
  return toTileRows(table).map((cells, index) => {
    const column = columns[index];
    if (!column || column.rate === undefined) return cells;
    const bar = { html: `${buildReportBar(column.rate, column.letter)}${escapeHtml(column.rateText)}` };
    return cells.map((cell, cellIndex) => (cellIndex === 3 ? bar : cell));
  });
}
