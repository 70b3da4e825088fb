/** Converts the templates of promptfoo (Nunjucks) to texts with `{{name}}`, the only template of Bench. */
import { findVariables } from '../../../conversation/session/variables.ts';

const rawPattern = /\{%-?\s*raw\s*-?%\}([\s\S]*?)\{%-?\s*endraw\s*-?%\}/g;
const tagPattern = /\{%[\s\S]*?%\}|\{#[\s\S]*?#\}/g;
const expressionPattern = /\{\{[\s\S]*?\}\}/g;
const dumpPattern = /\{\{\s*([\p{L}_][\p{L}\p{N}_.]*)\s*\|\s*(?:dump|tojson)\s*\}\}/gu;

/** Kinds of template syntax that stay in the text as they are. */
export type ForeignTemplate = 'template tag' | 'template expression' | 'environment variable';

/** Returns the text without raw blocks, and the template syntax that stays literal. */
export function readTemplate(source: string): { text: string; foreign: ForeignTemplate[] } {
  const foreign: ForeignTemplate[] = [];
  const templates = source.replaceAll(rawPattern, '');
  for (const _ of templates.matchAll(tagPattern)) foreign.push('template tag');
  for (const [expression] of templates.matchAll(expressionPattern)) {
    const [name] = findVariables([expression]);
    if (name === undefined) foreign.push('template expression');
    else if (name.startsWith('env.')) foreign.push('environment variable');
  }
  return { text: source.replaceAll(rawPattern, (_, raw: string) => raw), foreign };
}

/** Replaces `{{name | dump}}` outside of strings of a JSON prompt by a string with `{{name}}`, which is the same. */
export function withoutDumpFilters(text: string): string {
  return text.replaceAll(dumpPattern, (_, name: string) => `"{{${name}}}"`);
}

/** Returns the text as promptfoo has to write it: template syntax that Bench sends as it is becomes a raw block. */
export function writeTemplate(text: string, isVariable: (name: string) => boolean): string {
  return text.replaceAll(/\{\{[\s\S]*?\}\}|\{\{|\{%|\{#/g, (syntax) => {
    const [name] = findVariables([syntax]);
    return name !== undefined && isVariable(name) ? syntax : `{% raw %}${syntax}{% endraw %}`;
  });
}
