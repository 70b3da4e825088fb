/** What the row of tools shows of its JSON text. */
import { isRecord, ownProperty, parseJson, stringProperty, type Json } from '../../../lib/json.ts';

export interface ToolCard {
  /** Name of the function, or the type of another kind of tool. */
  name: string;
  isFunction: boolean;
}

function arrayOf(text: string): Json[] | undefined {
  if (text.trim() === '') return [];
  const reading = parseJson(text);
  return reading.ok && Array.isArray(reading.value) ? reading.value : undefined;
}

/** One entry a tool, or undefined while the text is not a JSON array. An empty text is an empty list. */
export function toolCards(text: string): ToolCard[] | undefined {
  return arrayOf(text)?.map((tool, index) => {
    const definition = ownProperty(tool, 'function');
    return {
      name: stringProperty(definition, 'name') || stringProperty(tool, 'type') || `Tool ${index + 1}`,
      isFunction: isRecord(definition),
    };
  });
}
