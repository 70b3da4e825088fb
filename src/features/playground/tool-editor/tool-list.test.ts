import { expect, it } from 'vitest';

import { functionCount, toolsIn } from './tool-list.ts';

it('knows no tools while the text is not a JSON array, and an empty list for an empty text', () => {
  expect(toolsIn('[{')).toBeUndefined();
  expect(toolsIn('{}')).toBeUndefined();
  expect(toolsIn('  ')).toEqual([]);
  expect(toolsIn('[null, 5, "x"]')).toEqual([null, 5, 'x']);
});

it('counts functions apart from what is passed through', () => {
  expect(functionCount([{ type: 'function', function: { name: 'a' } }, { type: 'web_search' }, null])).toBe(
    1,
  );
});
