/** Starter tools, from one with a single field to nested ones. */
import type { Tool } from '../../gateway/wire.ts';
import type { JsonObject } from '../../lib/json.ts';

export interface ToolTemplate {
  /** Purpose of the tool in a few words. */
  description: string;
  tool: Tool;
}

function createTemplate(
  summary: string,
  name: string,
  description: string,
  properties: JsonObject,
  required: string[] = Object.keys(properties),
): ToolTemplate {
  const parameters: JsonObject = { type: 'object', properties, required, additionalProperties: false };
  return { description: summary, tool: { type: 'function', function: { name, description, parameters } } };
}

const createTextSchema = (description: string): JsonObject => ({ type: 'string', description });

export const TOOL_TEMPLATES: readonly ToolTemplate[] = [
  createTemplate(
    'A required string and an enum',
    'get_weather',
    'The current weather in a city.',
    {
      city: createTextSchema('Name of the city'),
      unit: { type: 'string', enum: ['celsius', 'fahrenheit'], description: 'Unit of the temperature' },
    },
    ['city'],
  ),
  createTemplate(
    'A query and a number',
    'search_web',
    'Searches the web and returns titles, addresses and short excerpts.',
    {
      query: createTextSchema('What to search for'),
      max_results: { type: 'integer', minimum: 1, maximum: 20, description: 'Maximum number of results' },
    },
    ['query'],
  ),
  createTemplate('One expression', 'calculate', 'Evaluates an arithmetic expression exactly.', {
    expression: createTextSchema('The expression, such as (12 + 7) * 3'),
  }),
  createTemplate(
    'One order number',
    'lookup_order',
    'Finds an order by its number and returns its items and status.',
    {
      order_id: createTextSchema('Number of the order'),
    },
  ),
  createTemplate(
    'Nested objects, an array and an enum',
    'create_ticket',
    'Opens a support ticket for a customer.',
    {
      title: createTextSchema('One line'),
      priority: { type: 'string', enum: ['low', 'normal', 'urgent'] },
      customer: {
        type: 'object',
        properties: { name: { type: 'string' }, email: { type: 'string', format: 'email' } },
        required: ['email'],
      },
      tags: { type: 'array', items: { type: 'string' }, description: 'Keywords to find it by' },
    },
    ['title', 'customer'],
  ),
];
