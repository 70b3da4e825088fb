import { expect, it } from 'vitest';

import { readTools } from '../../../conversation/param-readers.ts';
import { toolCards, withToolAdded, withToolRemoved } from './tool-list.ts';

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Now.',
    parameters: { type: 'object', properties: { city: {}, day: {} } },
  },
};

it('shows name, description and number of parameters of each tool', () => {
  expect(toolCards(JSON.stringify([weather, { type: 'web_search' }]))).toEqual([
    { name: 'get_weather', description: 'Now.', parameterCount: 2, isFunction: true },
    { name: 'web_search', description: undefined, parameterCount: 0, isFunction: false },
  ]);
});

it('shows no cards while the text is not a JSON array, and an empty list for an empty text', () => {
  expect(toolCards('[{')).toBeUndefined();
  expect(toolCards('{}')).toBeUndefined();
  expect(toolCards('  ')).toEqual([]);
  expect(toolCards('[null, 5, "x"]')?.map((card) => card.name)).toEqual(['Tool 1', 'Tool 2', 'Tool 3']);
});

it('adds tools that are valid together with those that were there', () => {
  const text = withToolAdded(withToolAdded(JSON.stringify([weather])));
  expect(toolCards(text)?.map((card) => card.name)).toEqual(['get_weather', 'new_tool', 'new_tool_2']);
  expect(readTools(text).ok).toBe(true);
});

it('removes one tool and leaves the others as they were', () => {
  const text = withToolAdded(JSON.stringify([weather]));
  expect(JSON.parse(withToolRemoved(text, 1))).toEqual([weather]);
});

it('does not touch a text that is not a JSON array', () => {
  expect(withToolAdded('[{')).toBe('[{');
  expect(withToolRemoved('[{', 0)).toBe('[{');
});
