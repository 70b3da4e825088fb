import { expect, it } from 'vitest';

import { vectorKey } from './vector-key.ts';

it('is another one for every other model, size, text and token list, and the same for the same', async () => {
  const keys = await Promise.all([
    vectorKey('m', undefined, 'one'),
    vectorKey('m', 64, 'one'),
    vectorKey('n', undefined, 'one'),
    vectorKey('m', undefined, 'one '),
    vectorKey('m', undefined, '[1]'),
    vectorKey('m', undefined, [1]),
    vectorKey('m', undefined, [1, 2]),
    vectorKey('m', undefined, '\ud800'),
    vectorKey('m', undefined, '\udbff'),
  ]);
  expect(new Set(keys).size).toBe(keys.length);
  expect(await vectorKey('m', undefined, 'one')).toBe(keys[0]);
  expect(keys[0]).toMatch(/^[\da-f]{64}$/);
});
