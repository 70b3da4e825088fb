/** Tools of many shapes for the tests of demo/tools. */
import type { JsonObject } from '../../lib/json.ts';

function fn(
  name: string,
  description: string,
  properties: JsonObject,
  required: string[] = Object.keys(properties),
): JsonObject {
  return {
    type: 'function',
    function: { name, description, parameters: { type: 'object', properties, required } },
  };
}

const string = { type: 'string' };

export const kit: JsonObject[] = [
  fn(
    'get_weather',
    'The current weather in a city.',
    {
      city: { type: 'string', description: 'Name of the city' },
      unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
    },
    ['city'],
  ),
  fn('get_time', 'The current time in a city.', {
    city: { type: 'string', description: 'Name of the city' },
  }),
  fn(
    'send_email',
    'Sends an email to someone.',
    { to: { type: 'string', format: 'email' }, subject: string, body: string },
    ['to', 'body'],
  ),
  fn('convert_currency', 'Converts an amount of money between currencies.', {
    amount: { type: 'number' },
    from_currency: { type: 'string', pattern: '^[A-Z]{3}$' },
    to_currency: { type: 'string', pattern: '^[A-Z]{3}$' },
  }),
  fn('calculate', 'Evaluates an arithmetic expression.', { expression: string }),
  fn(
    'web_search',
    'Searches the web.',
    { query: string, max_results: { type: 'integer', minimum: 1, maximum: 20 } },
    ['query'],
  ),
  fn(
    'search_flights',
    'Finds flights between two cities.',
    {
      origin: string,
      destination: string,
      date: { type: 'string', format: 'date' },
      passengers: { type: 'integer', minimum: 1, default: 1 },
    },
    ['origin', 'destination', 'date'],
  ),
  fn('add_to_shopping_list', 'Adds items to the shopping list.', {
    items: { type: 'array', items: string, minItems: 1 },
  }),
  fn(
    'create_reminder',
    'Creates a reminder.',
    { text: string, date: { type: 'string', format: 'date' }, time: string },
    ['text', 'date'],
  ),
  fn(
    'reserve_table',
    'Reserves a table in a restaurant.',
    {
      restaurant: string,
      party_size: { type: 'integer', minimum: 1, maximum: 20 },
      date: { type: 'string', format: 'date' },
      time: { type: 'string', pattern: '^\\d{2}:\\d{2}$' },
      outdoor: { type: 'boolean' },
    },
    ['restaurant', 'party_size', 'date', 'time'],
  ),
  fn('translate_text', 'Translates a text into another language.', { text: string, target_language: string }),
  fn('get_stock_price', 'The price of a stock.', { symbol: { type: 'string', pattern: '^[A-Z]{1,5}$' } }),
  fn('set_lights', 'Turns the lights of a room on or off.', {
    room: { type: 'string', enum: ['kitchen', 'living room', 'bedroom'] },
    state: { type: 'string', enum: ['on', 'off'] },
  }),
];
