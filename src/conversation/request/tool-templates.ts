/** Tools to begin with, from one field to nested ones. */
import type { Tool } from '../../gateway/wire.ts';
import type { JsonObject } from '../../lib/json.ts';

export interface ToolTemplate {
  /** What it is for, in a few words. */
  about: string;
  tool: Tool;
}

function template(
  about: string,
  name: string,
  description: string,
  properties: JsonObject,
  required: string[] = Object.keys(properties),
): ToolTemplate {
  const parameters: JsonObject = { type: 'object', properties, required, additionalProperties: false };
  return { about, tool: { type: 'function', function: { name, description, parameters } } };
}

const text = (description: string): JsonObject => ({ type: 'string', description });

export const TOOL_TEMPLATES: readonly ToolTemplate[] = [
  template(
    'One required text and a choice',
    'get_weather',
    'The current weather in a city.',
    {
      city: text('Name of the city'),
      unit: { type: 'string', enum: ['celsius', 'fahrenheit'], description: 'Unit of the temperature' },
    },
    ['city'],
  ),
  template(
    'A query and a number',
    'search_web',
    'Searches the web and returns titles, addresses and short excerpts.',
    {
      query: text('What to search for'),
      max_results: { type: 'integer', minimum: 1, maximum: 20, description: 'Maximum number of results' },
    },
    ['query'],
  ),
  template('One expression', 'calculate', 'Evaluates an arithmetic expression exactly.', {
    expression: text('The expression, such as (12 + 7) * 3'),
  }),
  template(
    'A record by its number',
    'lookup_order',
    'Finds an order by its number and returns its items and status.',
    {
      order_id: text('Number of the order'),
    },
  ),
  template(
    'Nested objects, a list, a choice',
    'create_ticket',
    'Opens a support ticket for a customer.',
    {
      title: text('One line'),
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
