/** Exports a session as Markdown for reading: the shown path, with model, parameters and metrics per answer. */
import type { Source } from '../../gateway/media/sources.ts';
import { formatBytes } from '../../lib/format.ts';
import { buildMarkdownTable, neutralizeMarkup, toMarkdownLine } from '../../lib/report/report-markdown.ts';
import {
  summarizeSession,
  buildLaneTable,
  buildTurnTable,
  type SessionSummary,
  type SummaryOptions,
  type SummaryTableData,
} from '../comparison/summary.ts';
import type { SessionData } from '../session/types.ts';
import {
  buildReadableExport,
  type ReadableAnswer,
  type ReadableTurn,
  type ReadableMessage,
} from './readable-export.ts';
import { demoNote, hasDemoAnswers } from './session-export.ts';
import { toWebAddress } from './web-address.ts';

/**
 * Returns Markdown that is safe in any viewer: HTML is shown as text and images become links, so nothing is run or
 * fetched.
 */
export function buildSessionMarkdown(data: SessionData, options: SummaryOptions = {}): string {
  const { title, variables, day, turns } = buildReadableExport(data, options);
  const hasSummary = data.session.laneIds.length > 1 && turns.length > 0;
  const blocks = [
    `# ${toMarkdownLine(title)}`,
    [`Bench session${day === '' ? '' : ` of ${day}`}.`, ...(hasDemoAnswers(data) ? [demoNote] : [])].join(
      ' ',
    ),
    ...(variables.length === 0 ? [] : [`Variables: ${formatCodeSpan(variables.join(', '))}`]),
    ...(hasSummary ? buildSummaryBlocks(summarizeSession(data, options)) : []),
    ...turns.flatMap(buildTurnBlocks),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** Returns only the summary, for the clipboard. */
export function buildSummaryMarkdown(summary: SessionSummary): string {
  return `${[`# ${toMarkdownLine(summary.title)}`, `${summary.extent}.`, ...buildSummaryBlocks(summary)].join('\n\n')}\n`;
}

function buildSummaryBlocks(summary: SessionSummary): string[] {
  return [
    '## Summary',
    formatTable(buildLaneTable(summary)),
    ...(summary.notes.length === 0 ? [] : [summary.notes.map(toMarkdownLine).join(' ')]),
    formatTable(buildTurnTable(summary)),
  ];
}

const formatTable = ({ header, rows }: SummaryTableData): string => buildMarkdownTable(header, rows);

function buildTurnBlocks(turn: ReadableTurn): string[] {
  const version = turn.version === undefined ? '' : `, version ${turn.version}`;
  return [
    `## Turn ${turn.number}${version}`,
    ...turn.messages.flatMap(buildMessageBlocks),
    ...turn.answers.flatMap(buildAnswerBlocks),
  ];
}

function buildMessageBlocks({ author, text, files, images }: ReadableMessage): string[] {
  return [
    `**${toMarkdownLine(author)}**`,
    ...(text === '' ? [] : [formatQuote(text)]),
    ...files.flatMap((file) =>
      'text' in file
        ? [`> File: ${toMarkdownLine(file.name)}`, formatFence(file.text.trimEnd(), '')]
        : [`> File: ${toMarkdownLine(file.name)}, not included in this file.`],
    ),
    ...images.map((url) => `> Image: ${formatImage(url, 'attached')}`),
  ];
}

/** Returns the URL of a web image, or a note that the file does not contain the stored image. */
function formatImage(url: string, fallback = 'not included in this file.'): string {
  return url.startsWith('data:') || url.startsWith('bench-image:') ? fallback : toMarkdownLine(url);
}

/** Formats a source as a link if it has a web address. Brackets are escaped, because they would end the link text. */
function formatSource({ url, title }: Source): string {
  const href = toWebAddress(url);
  const label = toMarkdownLine(title ?? url).replaceAll(/[\\[\]]/g, String.raw`\$&`);
  if (href === undefined) return title === undefined ? label : `${label}, ${toMarkdownLine(url)}`;
  return `[${label}](<${href}>)`;
}

function buildAnswerBlocks(answer: ReadableAnswer): string[] {
  const name = answer.name === undefined ? '' : `, ${answer.name}`;
  const heading = answer.letter === '' ? answer.model : `Lane ${answer.letter}${name}: ${answer.model}`;
  const version = answer.version === undefined ? '' : ` (version ${answer.version})`;
  return [
    `### ${toMarkdownLine(heading)}${version}`,
    ...(answer.parameters.length === 0
      ? []
      : [`Parameters: ${formatCodeSpan(answer.parameters.join(', '))}`]),
    ...(answer.system === undefined
      ? []
      : [
          answer.system === '' ? 'No system prompt.' : 'System prompt:',
          ...(answer.system === '' ? [] : [formatQuote(answer.system)]),
        ]),
    ...(answer.reasoning === '' ? [] : ['Reasoning:', formatQuote(answer.reasoning)]),
    ...(answer.text === '' ? [] : [neutralizeMarkup(answer.text)]),
    ...answer.images.map((url) => `Image: ${formatImage(url)}`),
    ...(answer.speechBytes === undefined
      ? []
      : [`Speech: ${formatBytes(answer.speechBytes)}, not included in this file.`]),
    ...(answer.sources.length === 0
      ? []
      : [
          'Sources:',
          answer.sources.map((source, index) => `${index + 1}. ${formatSource(source)}`).join('\n'),
        ]),
    ...answer.calls.flatMap((call) => [
      `Tool call ${formatCodeSpan(call.name)}:`,
      formatFence(call.arguments, 'json'),
    ]),
    ...(answer.ending === undefined ? [] : [`*${neutralizeMarkup(toMarkdownLine(answer.ending))}*`]),
    ...(answer.remark === undefined ? [] : [`Note: ${neutralizeMarkup(toMarkdownLine(answer.remark))}`]),
    ...(answer.metrics.length === 0 ? [] : [toMarkdownLine(answer.metrics.join(' · '))]),
  ];
}

function formatQuote(text: string): string {
  return neutralizeMarkup(text)
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

/** Fences the text with more backticks than it contains. */
function formatFence(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, countLongestBackticks(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

function formatCodeSpan(text: string): string {
  const ticks = '`'.repeat(countLongestBackticks(text) + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${text.replaceAll('\n', ' ')}${pad}${ticks}`;
}

function countLongestBackticks(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((backticks) => backticks.length));
}
