/** Tools as cards: reading and changing the JSON text of the tools row. */
import { isRecord, ownProperty, parseJson, stringProperty, type Json } from '../../../lib/json.ts';

export interface ToolCard {
  /** Name of the function, or the type of another kind of tool. */
  name: string;
  description: string | undefined;
  parameterCount: number;
  isFunction: boolean;
}

function arrayOf(text: string): Json[] | undefined {
  if (text.trim() === '') return [];
  const reading = parseJson(text);
  return reading.ok && Array.isArray(reading.value) ? reading.value : undefined;
}

/** One card a tool, or undefined while the text is not a JSON array. An empty text is an empty list. */
export function toolCards(text: string): ToolCard[] | undefined {
  return arrayOf(text)?.map((tool, index) => {
    const definition = ownProperty(tool, 'function');
    const properties = ownProperty(ownProperty(definition, 'parameters'), 'properties');
    return {
      name: stringProperty(definition, 'name') || stringProperty(tool, 'type') || `Tool ${index + 1}`,
      description: stringProperty(definition, 'description'),
      parameterCount: isRecord(properties) ? Object.keys(properties).length : 0,
      isFunction: isRecord(definition),
    };
  });
}

/** The text with one more tool, whose name no other has. The text as it was while it is not a JSON array. */
export function withToolAdded(text: string): string {
  const tools = arrayOf(text);
  if (!tools) return text;
  const taken = new Set(toolCards(text)?.map((card) => card.name));
  let name = 'new_tool';
  for (let number = 2; taken.has(name); number += 1) name = `new_tool_${number}`;
  const parameters = {
    type: 'object',
    properties: { query: { type: 'string', description: 'What to look for' } },
    required: ['query'],
  };
  const added: Json = {
    type: 'function',
    function: { name, description: 'What it does and when to use it.', parameters },
  };
  return JSON.stringify([...tools, added], null, 2);
}

/** The text without the tool at `index`. */
export function withToolRemoved(text: string, index: number): string {
  const tools = arrayOf(text);
  return tools
    ? JSON.stringify(
        tools.filter((_, place) => place !== index),
        null,
        2,
      )
    : text;
}
