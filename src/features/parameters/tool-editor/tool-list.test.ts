import { expect, it } from 'vitest';

import { countFunctions, parseTools } from './tool-list.ts';

it('returns undefined while the text is not a JSON array, and an empty list for empty text', () => {
  expect(parseTools('[{')).toBeUndefined();
  expect(parseTools('{}')).toBeUndefined();
  expect(parseTools('  ')).toEqual([]);
  expect(parseTools('[null, 5, "x"]')).toEqual([null, 5, 'x']);
});

it('counts functions without other tools', () => {
  expect(countFunctions([{ type: 'function', function: { name: 'a' } }, { type: 'web_search' }, null])).toBe(
    1,
  );
});
