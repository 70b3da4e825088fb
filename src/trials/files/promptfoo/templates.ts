/** Converts the templates of promptfoo (Nunjucks) to texts with `{{name}}`, the only template of Bench. */
import { findVariables } from '../../../conversation/session/variables.ts';

const rawStartPattern = /\{%-?\s{0,20}raw\s{0,20}-?%\}/g;
const rawEndPattern = /\{%-?\s{0,20}endraw\s{0,20}-?%\}/g;
// Longer tags are text: a search for the end of each start would take time that grows with the square of the length.
const tagPattern = /\{%[\s\S]{0,1000}?%\}|\{#[\s\S]{0,1000}?#\}/g;
const expressionPattern = /\{\{[\s\S]{0,1000}?\}\}/g;
const dumpPattern = /\{\{\s*([\p{L}_][\p{L}\p{N}_.]*)\s*\|\s*(?:dump|tojson)\s*\}\}/gu;

/** Kinds of template syntax that stay in the text as they are. */
export type ForeignTemplate = 'template tag' | 'template expression' | 'environment variable';

export interface ReadTemplate {
  /** Text without the marks of raw blocks. */
  text: string;
  /** Template syntax that stays literal. */
  foreign: ForeignTemplate[];
  hasVariables: boolean;
}

/** Splits a template at its raw blocks: templates and literal texts in turns, a template first. */
function splitRawBlocks(source: string): string[] {
  const pieces: string[] = [];
  let offset = 0;
  for (;;) {
    rawStartPattern.lastIndex = offset;
    const start = rawStartPattern.exec(source);
    rawEndPattern.lastIndex = rawStartPattern.lastIndex;
    const end = start ? rawEndPattern.exec(source) : null;
    if (!start || !end) break;
    pieces.push(source.slice(offset, start.index), source.slice(rawStartPattern.lastIndex, end.index));
    offset = rawEndPattern.lastIndex;
  }
  return [...pieces, source.slice(offset)];
}

/** Reads a template, whose raw blocks contain literal text. */
export function readTemplate(source: string): ReadTemplate {
  const foreign: ForeignTemplate[] = [];
  const pieces = splitRawBlocks(source);
  const templates = pieces.filter((_, index) => index % 2 === 0).join('');
  for (const _ of templates.matchAll(tagPattern)) foreign.push('template tag');
  for (const [expression] of templates.matchAll(expressionPattern)) {
    const [name] = findVariables([expression]);
    if (name === undefined) foreign.push('template expression');
    else if (name.startsWith('env.')) foreign.push('environment variable');
  }
  return { text: pieces.join(''), foreign, hasVariables: findVariables([templates]).length > 0 };
}

/** Fills a template outside of its raw blocks; `undefined` if `fill` returns it. */
export function fillTemplate(source: string, fill: (text: string) => string | undefined): string | undefined {
  const pieces = splitRawBlocks(source).map((piece, index) => (index % 2 === 0 ? fill(piece) : piece));
  return pieces.every((piece) => piece !== undefined) ? pieces.join('') : undefined;
}

/** Replaces `{{name | dump}}` outside of strings of a JSON prompt by a string with `{{name}}`, which is the same. */
export function withoutDumpFilters(text: string): string {
  return text.replaceAll(dumpPattern, (_, name: string) => `"{{${name}}}"`);
}

/** Returns a text that promptfoo neither fills in nor reads as the name of a file. */
export function writeLiteral(text: string): string {
  return /^(?:file|package):\/\//.test(text)
    ? `{% raw %}${text}{% endraw %}`
    : writeTemplate(text, () => false);
}

/** Returns the text as promptfoo has to write it: template syntax that Bench sends as it is becomes a raw block. */
export function writeTemplate(text: string, isVariable: (name: string) => boolean): string {
  return text.replaceAll(/\{\{[\s\S]{0,1000}?\}\}|\{\{|\{%|\{#/g, (syntax) => {
    const [name] = findVariables([syntax]);
    return name !== undefined && isVariable(name) ? syntax : `{% raw %}${syntax}{% endraw %}`;
  });
}
