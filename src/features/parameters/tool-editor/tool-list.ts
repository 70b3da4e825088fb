import { parseExactNumbers } from '../../../lib/exact-json.ts';
import { isRecord, getOwnProperty, type Json } from '../../../lib/json.ts';

/**
 * Parses the tools in the text of the tools row. Returns `undefined` if the text is not an array; empty text is an
 * empty list.
 */
export function parseTools(text: string): Json[] | undefined {
  if (text.trim() === '') return [];
  const parsed = parseExactNumbers(text);
  return parsed.ok && Array.isArray(parsed.value) ? parsed.value : undefined;
}

/** Counts only function tools; other kinds of tools are passed through. */
export function countFunctions(tools: readonly Json[]): number {
  return tools.filter((tool) => isRecord(getOwnProperty(tool, 'function'))).length;
}
