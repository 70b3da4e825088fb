import { isRecord, ownProperty, parseJson, type Json } from '../../../lib/json.ts';

/** The tools in the JSON text of the tools row; undefined while it is not an array. An empty text is an empty list. */
export function toolsIn(text: string): Json[] | undefined {
  if (text.trim() === '') return [];
  const reading = parseJson(text);
  return reading.ok && Array.isArray(reading.value) ? reading.value : undefined;
}

/** How many of the tools are functions; the others are passed through. */
export function functionCount(tools: readonly Json[]): number {
  return tools.filter((tool) => isRecord(ownProperty(tool, 'function'))).length;
}
