/** Writes the report of a trial as Markdown. */
import { toFileName } from '../../../conversation/files/session-export.ts';
import { buildMarkdownTable, toMarkdownLine } from '../../../lib/report/report-markdown.ts';
import type { TrialFile } from '../../../state/trials/repository/trial-files.ts';
import { buildReportTables, type ReportTextTable } from './report-tables.ts';
import { buildTrialReport, type ReportState } from './trial-report.ts';

/** Returns the report as Markdown, with at most `maxCases` cases. */
export function buildMarkdownReport(state: ReportState, maxCases?: number): TrialFile {
  const report = buildTrialReport(state, maxCases);
  const { breakdown } = report;
  const [rates, differences, cases] = buildReportTables(report);
  const toBlocks = ({ title, header, rows }: ReportTextTable): string[] => [
    `## ${toMarkdownLine(title)}`,
    ...(rows.length === 0 ? [] : [buildMarkdownTable(header, rows)]),
  ];
  const blocks = [
    `# ${toMarkdownLine(report.title)}`,
    `Bench trial, ${report.day}.${report.note === undefined ? '' : ` ${report.note}`}`,
    `**${toMarkdownLine(report.headline)}**`,
    [...report.sentences, ...report.tradeOffs].map(toMarkdownLine).join(' '),
    toMarkdownLine(report.method),
    ...toBlocks(rates),
    ...toBlocks(differences),
    ...(breakdown
      ? [
          ...toBlocks({ title: `By ${breakdown.field}`, ...breakdown }),
          [...breakdown.warnings, breakdown.note].map(toMarkdownLine).join(' '),
        ]
      : []),
    ...toBlocks(cases),
  ];
  return {
    name: toFileName(report.title, 'md'),
    type: 'text/markdown',
    pieces: [`${blocks.filter((block) => block !== '').join('\n\n')}\n`],
  };
}
