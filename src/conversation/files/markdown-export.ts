import type { Source } from '../../gateway/media/sources.ts';
import { formatBytes } from '../../lib/format.ts';
import {
  comparisonOf,
  laneTable,
  turnTable,
  type Summary,
  type SummaryOptions,
  type SummaryTable,
} from '../comparison/summary.ts';
import type { SessionData } from '../session/types.ts';
import { readingOf, type ReadingAnswer, type ReadingRow, type SaidMessage } from './readable-export.ts';
/** A session as Markdown for reading: the shown path, with model, parameters and numbers per answer. */
import { demoNote, hasDemoAnswers } from './session-export.ts';
import { toWebAddress } from './web-address.ts';

/** Markdown that no viewer runs or fetches anything for: HTML is shown as text and images are links. */
export function sessionMarkdown(data: SessionData, options: SummaryOptions = {}): string {
  const { title, day, rows } = readingOf(data);
  const isCompared = data.session.laneIds.length > 1 && rows.length > 0;
  const blocks = [
    `# ${oneLine(title)}`,
    [`Bench session${day === '' ? '' : ` of ${day}`}.`, ...(hasDemoAnswers(data) ? [demoNote] : [])].join(
      ' ',
    ),
    ...(isCompared ? summaryBlocks(comparisonOf(data, options)) : []),
    ...rows.flatMap(rowBlocks),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** The summary alone, for the clipboard. */
export function summaryMarkdown(summary: Summary): string {
  return `${[`# ${oneLine(summary.title)}`, `${summary.extent}.`, ...summaryBlocks(summary)].join('\n\n')}\n`;
}

function summaryBlocks(summary: Summary): string[] {
  return [
    '## Summary',
    tableBlock(laneTable(summary)),
    ...(summary.notes.length === 0 ? [] : [summary.notes.map(oneLine).join(' ')]),
    tableBlock(turnTable(summary)),
  ];
}

function tableBlock({ head, rows }: SummaryTable): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A bar would begin another cell, a backslash before it would undo the mark. */
function cell(text: string): string {
  return oneLine(text).replaceAll('\\', '\\\\').replaceAll('|', '\\|');
}

function rowBlocks(row: ReadingRow): string[] {
  const version = row.version === undefined ? '' : `, version ${row.version}`;
  return [
    `## Turn ${row.number}${version}`,
    ...row.said.flatMap(saidBlocks),
    ...row.answers.flatMap(answerBlocks),
  ];
}

function saidBlocks({ who, text, images }: SaidMessage): string[] {
  return [
    `**${oneLine(who)}**`,
    ...(text === '' ? [] : [quoted(text)]),
    ...images.map((url) => `> Image: ${formatImage(url, 'attached')}`),
  ];
}

/** Returns the address of an image on the web; for a stored one, a note that the file lacks it. */
function formatImage(url: string, words = 'not part of this file.'): string {
  return url.startsWith('data:') || url.startsWith('bench-image:') ? words : oneLine(url);
}

/** Links web addresses only, and escapes brackets, which would end the text of the link. */
function formatSource({ url, title }: Source): string {
  const href = toWebAddress(url);
  const words = oneLine(title ?? url).replaceAll(/[\\[\]]/g, String.raw`\$&`);
  if (href === undefined) return title === undefined ? words : `${words}, ${oneLine(url)}`;
  return `[${words}](<${href}>)`;
}

function answerBlocks(answer: ReadingAnswer): string[] {
  const heading = [answer.lane, answer.model].filter((part) => part !== '').join(': ');
  const version = answer.version === undefined ? '' : ` (version ${answer.version})`;
  return [
    `### ${oneLine(heading)}${version}`,
    ...(answer.parameters.length === 0 ? [] : [`Parameters: ${codeSpan(answer.parameters.join(', '))}`]),
    ...(answer.system === undefined
      ? []
      : [
          answer.system === '' ? 'No system prompt.' : 'System prompt:',
          ...(answer.system === '' ? [] : [quoted(answer.system)]),
        ]),
    ...(answer.reasoning === '' ? [] : ['Reasoning:', quoted(answer.reasoning)]),
    ...(answer.text === '' ? [] : [inert(answer.text)]),
    ...answer.images.map((url) => `Image: ${formatImage(url)}`),
    ...(answer.speechBytes === undefined
      ? []
      : [`Speech: ${formatBytes(answer.speechBytes)}, not part of this file.`]),
    ...(answer.sources.length === 0
      ? []
      : [
          'Sources:',
          answer.sources.map((source, index) => `${index + 1}. ${formatSource(source)}`).join('\n'),
        ]),
    ...answer.calls.flatMap((call) => [`Calls ${codeSpan(call.name)} with:`, fenced(call.arguments, 'json')]),
    ...(answer.ending === undefined ? [] : [`*${inert(oneLine(answer.ending))}*`]),
    ...(answer.remark === undefined ? [] : [`Note: ${inert(oneLine(answer.remark))}`]),
    ...(answer.numbers.length === 0 ? [] : [oneLine(answer.numbers.join(' · '))]),
  ];
}

function quoted(text: string): string {
  return inert(text)
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

function oneLine(text: string): string {
  return inert(text.replaceAll(/\s+/g, ' ').trim());
}

/** Fenced with more backticks than any inside. */
function fenced(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

function codeSpan(text: string): string {
  const ticks = '`'.repeat(longestRun(text) + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${text.replaceAll('\n', ' ')}${pad}${ticks}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

/**
 * Outside code: tags as text, and images as links, so that a viewer neither runs nor fetches anything. Where viewers
 * could differ on whether something is code, it is not taken for code.
 */
function inert(markdown: string): string {
  let fence: string | undefined;
  /** A run of backticks is open: it may end in a later line of the same paragraph. */
  let isOpen = false;
  const lines = markdown.split(/\r\n|\r|\n/).map((line) => {
    if (fence !== undefined) {
      const [, ticks = ''] = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line) ?? [];
      if (ticks.startsWith(fence)) fence = undefined;
      return line;
    }
    // Only at the margin: one that is indented belongs to a list item, and may end with it.
    const ticks = /^(?:`{3,}|~{3,})/.exec(line)?.[0];
    if (ticks !== undefined && !(ticks.startsWith('`') && line.includes('`', ticks.length))) {
      fence = ticks;
      isOpen = false;
      return line;
    }
    if (line.trim() === '') isOpen = false;
    const { text, isBalanced } = inertLine(line, isOpen);
    isOpen ||= !isBalanced;
    return text;
  });
  // Else the rest of the file would be code, and what follows the next fence in it would not be.
  if (fence !== undefined) lines.push(fence);
  return lines.join('\n');
}

/** A run of backticks, what it holds, and a run of the same length; or a run without its like. */
const codeSpans = /(?<!`)(`+)(?!`)(?:([^\n]*?)(?<!`)\1(?!`))?/g;

function inertLine(line: string, isOpen: boolean): { text: string; isBalanced: boolean } {
  const isDoubtful = isOpen || /\\`|<[^<>\s]*`/.test(line);
  let isBalanced = !isDoubtful;
  let text = '';
  let at = 0;
  for (const span of line.matchAll(codeSpans)) {
    const isCode = span[2] !== undefined && !isDoubtful;
    if (span[2] === undefined) isBalanced = false;
    text += inertText(line.slice(at, span.index)) + (isCode ? span[0] : inertText(span[0]));
    at = span.index + span[0].length;
  }
  return { text: text + inertText(line.slice(at)), isBalanced };
}

const beforeTarget = /\][(:]\s*(?:<\s*)?/g;

/** Marks each target of a link that is neither the web's nor a mail's and has a scheme, or could hide one. */
function withInertTargets(text: string): string {
  // Where the word ends that was looked at last, and its last sign of a scheme: many targets may be one word.
  let wordEnd = 0;
  let lastSign = -1;
  return text.replaceAll(beforeTarget, (found, index: number) => {
    const at = index + found.length;
    if (at >= wordEnd) {
      endOfWord.lastIndex = at;
      wordEnd = endOfWord.exec(text)?.index ?? text.length;
      const word = text.slice(at, wordEnd);
      lastSign = at + Math.max(...[':', '&', '%', '\\'].map((sign) => word.lastIndexOf(sign)));
    }
    const isOther = at <= lastSign && !/^(?:https?|mailto):/i.test(text.slice(at, at + 'mailto:'.length));
    return isOther ? `${found}unsafe:` : found;
  });
}

const endOfWord = /[)\s]/g;

function inertText(text: string): string {
  return withInertTargets(
    text.replaceAll(/<(?!(?:https?|mailto):[^\s<>]*>)(?=[a-z/!?])/gi, '&lt;').replaceAll('![', '\\!['),
  );
}
