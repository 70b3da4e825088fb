/** Writes the report of a trial as an HTML file. Loaded on the first report. */
import { toFileName } from '../../../conversation/files/session-export.ts';
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
import { buildReportTables, type ReportTextTable } from './report-tables.ts';
import {
  buildTrialReport,
  type ReportBreakdown,
  type ReportState,
  type TrialReport,
} from './trial-report.ts';

/** Returns the report as one HTML page without scripts. */
export function buildHtmlReport(state: ReportState): TrialFile {
  const report = buildTrialReport(state);
  const { headline, sentences, tradeOffs, method, note, breakdown } = report;
  const [rates, differences, cases] = buildReportTables(report);
  const main = [
    `<section aria-label="Verdict"><p class="verdict" dir="auto">${escapeHtml(headline)}</p>
${[...sentences, ...tradeOffs].map((sentence) => `<p dir="auto">${escapeHtml(sentence)}</p>`).join('\n')}
${buildQuietLine(method)}</section>`,
    `<section><h2>Columns</h2>${buildReportTable('Columns', rates.header, toRateRows(report, rates))}</section>`,
    `<section><h2>Differences from ${escapeHtml(report.baseline)}</h2>${buildReportTable('Differences', differences.header, toTileRows(differences))}</section>`,
    ...(breakdown ? [buildBreakdownSection(breakdown)] : []),
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

function buildBreakdownSection({ field, warnings, header, rows, note }: ReportBreakdown): string {
  const paragraphs = warnings.map((warning) => `<p dir="auto">${escapeHtml(warning)}</p>`).join('\n');
  return `<section><h2>By ${escapeHtml(field)}</h2>${paragraphs}${buildReportTable('Breakdown', header, rows)}
${buildQuietLine(note)}</section>`;
}

/** Puts the tile of the column into the first cell of each row. */
function toTileRows({ rows }: ReportTextTable): ReportCell[][] {
  return rows.map(([letter = '', ...cells]) => [{ html: buildLetterTile(letter) }, ...cells]);
}

/** Adds a bar to the rate of each column. */
function toRateRows({ columns }: TrialReport, table: ReportTextTable): ReportCell[][] {
  return toTileRows(table).map((cells, index) => {
    const column = columns[index];
    if (!column || column.rate === undefined) return cells;
    const bar = { html: `${buildReportBar(column.rate, column.letter)}${escapeHtml(column.rateText)}` };
    return cells.map((cell, cellIndex) => (cellIndex === 3 ? bar : cell));
  });
}
