import { parseExactNumbers } from '../../../lib/exact-json.ts';
import { isRecord, getOwnProperty, type Json } from '../../../lib/json.ts';

/** The tools in the JSON text of the tools row; undefined while it is not an array. An empty text is an empty list. */
export function parseTools(text: string): Json[] | undefined {
  if (text.trim() === '') return [];
  const parsed = parseExactNumbers(text);
  return parsed.ok && Array.isArray(parsed.value) ? parsed.value : undefined;
}

/** How many of the tools are functions; the others are passed through. */
export function countFunctions(tools: readonly Json[]): number {
  return tools.filter((tool) => isRecord(getOwnProperty(tool, 'function'))).length;
}
