/** Converts the templates of promptfoo (Nunjucks) to texts with `{{name}}`, the only template of Bench. */
import { findVariables } from '../../../conversation/session/variables.ts';

const rawPattern = /\{%-?\s*raw\s*-?%\}([\s\S]*?)\{%-?\s*endraw\s*-?%\}/g;
const tagPattern = /\{%[\s\S]*?%\}|\{#[\s\S]*?#\}/g;
const expressionPattern = /\{\{[\s\S]*?\}\}/g;
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

/** Reads a template, whose raw blocks contain literal text. */
export function readTemplate(source: string): ReadTemplate {
  const foreign: ForeignTemplate[] = [];
  const templates = source.replaceAll(rawPattern, '');
  for (const _ of templates.matchAll(tagPattern)) foreign.push('template tag');
  for (const [expression] of templates.matchAll(expressionPattern)) {
    const [name] = findVariables([expression]);
    if (name === undefined) foreign.push('template expression');
    else if (name.startsWith('env.')) foreign.push('environment variable');
  }
  return {
    text: source.replaceAll(rawPattern, (_, raw: string) => raw),
    foreign,
    hasVariables: findVariables([templates]).length > 0,
  };
}

/** Fills a template outside of its raw blocks; `undefined` if `fill` returns it. */
export function fillTemplate(source: string, fill: (text: string) => string | undefined): string | undefined {
  const pieces: (string | undefined)[] = [];
  let offset = 0;
  for (const match of source.matchAll(rawPattern)) {
    pieces.push(fill(source.slice(offset, match.index)), match[1]);
    offset = match.index + match[0].length;
  }
  pieces.push(fill(source.slice(offset)));
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
  return text.replaceAll(/\{\{[\s\S]*?\}\}|\{\{|\{%|\{#/g, (syntax) => {
    const [name] = findVariables([syntax]);
    return name !== undefined && isVariable(name) ? syntax : `{% raw %}${syntax}{% endraw %}`;
  });
}
