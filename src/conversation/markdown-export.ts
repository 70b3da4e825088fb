import { readingOf, type ReadingAnswer, type ReadingRow, type SaidMessage } from './export-reading.ts';
/** A session as Markdown for reading: the shown path, with model, parameters and numbers per answer. */
import { demoNote, hasDemoAnswers } from './export.ts';
import type { SessionData } from './types.ts';

/** Markdown that no viewer runs or fetches anything for: HTML is shown as text and images are links (T25). */
export function sessionMarkdown(data: SessionData): string {
  const { title, day, rows } = readingOf(data);
  const blocks = [
    `# ${oneLine(title)}`,
    [`Session in Bench${day === '' ? '' : ` of ${day}`}.`, ...(hasDemoAnswers(data) ? [demoNote] : [])].join(
      ' ',
    ),
    ...rows.flatMap(rowBlocks),
  ];
  return `${blocks.join('\n\n')}\n`;
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
    ...images.map(
      (url) =>
        `> Image: ${url.startsWith('data:') || url.startsWith('bench-image:') ? 'attached' : oneLine(url)}`,
    ),
  ];
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
    ...answer.calls.flatMap((call) => [`Calls ${codeSpan(call.name)} with:`, fenced(call.arguments, 'json')]),
    ...(answer.ending === undefined ? [] : [`*${inert(oneLine(answer.ending))}*`]),
    ...(answer.remark === undefined ? [] : [`Note: ${inert(oneLine(answer.remark))}`]),
    ...(answer.numbers.length === 0 ? [] : [answer.numbers.join(' · ')]),
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

/** Outside code: tags as text, and images as links, so that a viewer neither runs nor fetches anything. */
function inert(markdown: string): string {
  let fence: string | undefined;
  return markdown
    .split('\n')
    .map((line) => {
      const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
      const [, ticks = '', rest = ''] = mark ?? [];
      if (fence !== undefined) {
        if (mark && ticks.startsWith(fence) && rest.trim() === '') fence = undefined;
        return line;
      }
      if (mark && !(ticks.startsWith('`') && rest.includes('`'))) {
        fence = ticks;
        return line;
      }
      return inertLine(line);
    })
    .join('\n');
}

function inertLine(line: string): string {
  return line
    .split(/(`+[^`]+`+)/)
    .map((part, index) => (index % 2 === 1 ? part : inertText(part)))
    .join('');
}

function inertText(text: string): string {
  return text
    .replaceAll(/<(?!(?:https?|mailto):[^\s<>]*>)(?=[a-z/!?])/gi, '&lt;')
    .replaceAll('![', '\\![')
    .replaceAll(/\]\(\s*<?\s*(?:javascript|vbscript|data):/gi, '](unsafe:');
}
