/** Exports a session as Markdown for reading: the shown path, with model, parameters and metrics per answer. */
import type { Source } from '../../gateway/media/sources.ts';
import { formatBytes } from '../../lib/format.ts';
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
    `# ${toOneLine(title)}`,
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
  return `${[`# ${toOneLine(summary.title)}`, `${summary.extent}.`, ...buildSummaryBlocks(summary)].join('\n\n')}\n`;
}

function buildSummaryBlocks(summary: SessionSummary): string[] {
  return [
    '## Summary',
    buildTable(buildLaneTable(summary)),
    ...(summary.notes.length === 0 ? [] : [summary.notes.map(toOneLine).join(' ')]),
    buildTable(buildTurnTable(summary)),
  ];
}

function buildTable({ header, rows }: SummaryTableData): string {
  const formatRow = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |`;
  return [formatRow(header), formatRow(header.map(() => '---')), ...rows.map(formatRow)].join('\n');
}

/** Escapes bars, which would start a new cell, and backslashes, which would undo the escape. */
function escapeCell(text: string): string {
  return toOneLine(text).replaceAll('\\', '\\\\').replaceAll('|', '\\|');
}

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
    `**${toOneLine(author)}**`,
    ...(text === '' ? [] : [formatQuote(text)]),
    ...files.flatMap((file) =>
      'text' in file
        ? [`> File: ${toOneLine(file.name)}`, formatFence(file.text.trimEnd(), '')]
        : [`> File: ${toOneLine(file.name)}, not included in this file.`],
    ),
    ...images.map((url) => `> Image: ${formatImage(url, 'attached')}`),
  ];
}

/** Returns the URL of a web image, or a note that the file does not contain the stored image. */
function formatImage(url: string, fallback = 'not included in this file.'): string {
  return url.startsWith('data:') || url.startsWith('bench-image:') ? fallback : toOneLine(url);
}

/** Formats a source as a link if it has a web address. Brackets are escaped, because they would end the link text. */
function formatSource({ url, title }: Source): string {
  const href = toWebAddress(url);
  const label = toOneLine(title ?? url).replaceAll(/[\\[\]]/g, String.raw`\$&`);
  if (href === undefined) return title === undefined ? label : `${label}, ${toOneLine(url)}`;
  return `[${label}](<${href}>)`;
}

function buildAnswerBlocks(answer: ReadableAnswer): string[] {
  const name = answer.name === undefined ? '' : `, ${answer.name}`;
  const heading = answer.letter === '' ? answer.model : `Lane ${answer.letter}${name}: ${answer.model}`;
  const version = answer.version === undefined ? '' : ` (version ${answer.version})`;
  return [
    `### ${toOneLine(heading)}${version}`,
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
    ...(answer.ending === undefined ? [] : [`*${neutralizeMarkup(toOneLine(answer.ending))}*`]),
    ...(answer.remark === undefined ? [] : [`Note: ${neutralizeMarkup(toOneLine(answer.remark))}`]),
    ...(answer.metrics.length === 0 ? [] : [toOneLine(answer.metrics.join(' · '))]),
  ];
}

function formatQuote(text: string): string {
  return neutralizeMarkup(text)
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

function toOneLine(text: string): string {
  return neutralizeMarkup(text.replaceAll(/\s+/g, ' ').trim());
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

/**
 * Shows tags outside code as text and images as links, so that viewers neither run nor fetch anything. Text that only
 * some viewers treat as code is treated as text.
 */
function neutralizeMarkup(markdown: string): string {
  let fence: string | undefined;
  /** True after an unmatched run of backticks, which may be closed on a later line of the same paragraph. */
  let isSpanOpen = false;
  const lines = markdown.split(/\r\n|\r|\n/).map((line) => {
    if (fence !== undefined) {
      const [, ticks = ''] = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line) ?? [];
      if (ticks.startsWith(fence)) fence = undefined;
      return line;
    }
    // Only unindented fences count; an indented one belongs to a list item and may end with it.
    const ticks = /^(?:`{3,}|~{3,})/.exec(line)?.[0];
    if (ticks !== undefined && !(ticks.startsWith('`') && line.includes('`', ticks.length))) {
      fence = ticks;
      isSpanOpen = false;
      return line;
    }
    if (line.trim() === '') isSpanOpen = false;
    const { text, isBalanced } = neutralizeLine(line, isSpanOpen);
    isSpanOpen ||= !isBalanced;
    return text;
  });
  // An unclosed fence would turn the rest of the file into code and swap code and text at the next fence.
  if (fence !== undefined) lines.push(fence);
  return lines.join('\n');
}

/** Matches a code span with equal runs of backticks, or a single unmatched run. */
const codeSpans = /(?<!`)(`+)(?!`)(?:([^\n]*?)(?<!`)\1(?!`))?/g;

function neutralizeLine(line: string, isSpanOpen: boolean): { text: string; isBalanced: boolean } {
  const isDoubtful = isSpanOpen || /\\`|<[^<>\s]*`/.test(line);
  let isBalanced = !isDoubtful;
  let text = '';
  let offset = 0;
  for (const span of line.matchAll(codeSpans)) {
    const isCode = span[2] !== undefined && !isDoubtful;
    if (span[2] === undefined) isBalanced = false;
    text += neutralizeText(line.slice(offset, span.index)) + (isCode ? span[0] : neutralizeText(span[0]));
    offset = span.index + span[0].length;
  }
  return { text: text + neutralizeText(line.slice(offset)), isBalanced };
}

const targetStartPattern = /\][(:]\s*(?:<\s*)?/g;

/** Marks unsafe link targets: any (possibly hidden) scheme other than http, https and mailto. */
function neutralizeTargets(text: string): string {
  // Caches the end of the last word and its last scheme character, because one word may contain many targets.
  let wordEnd = 0;
  let lastSignOffset = -1;
  return text.replaceAll(targetStartPattern, (match, index: number) => {
    const targetOffset = index + match.length;
    if (targetOffset >= wordEnd) {
      wordEndPattern.lastIndex = targetOffset;
      wordEnd = wordEndPattern.exec(text)?.index ?? text.length;
      const word = text.slice(targetOffset, wordEnd);
      lastSignOffset =
        targetOffset + Math.max(...[':', '&', '%', '\\'].map((sign) => word.lastIndexOf(sign)));
    }
    const isUnsafe =
      targetOffset <= lastSignOffset &&
      !/^(?:https?|mailto):/i.test(text.slice(targetOffset, targetOffset + 'mailto:'.length));
    return isUnsafe ? `${match}unsafe:` : match;
  });
}

const wordEndPattern = /[)\s]/g;

function neutralizeText(text: string): string {
  return neutralizeTargets(
    text.replaceAll(/<(?!(?:https?|mailto):[^\s<>]*>)(?=[a-z/!?])/gi, '&lt;').replaceAll('![', '\\!['),
  );
}
