import { expect, it } from 'vitest';

import { parseExactJson } from '../../lib/exact-json.ts';
import { isJsonObject } from '../../lib/json.ts';
import { vectorKey } from './vector-key.ts';

function exactFields(text: string) {
  const reading = parseExactJson(text);
  if (!reading.ok || !isJsonObject(reading.value)) throw new Error('No JSON object');
  return reading.value;
}

it('is another one for every other model, size, text and token list, and the same for the same', async () => {
  const keys = await Promise.all([
    vectorKey({ model: 'm' }, 'one'),
    vectorKey({ model: 'm', dimensions: 64 }, 'one'),
    vectorKey({ model: 'n' }, 'one'),
    vectorKey({ model: 'm' }, 'one '),
    vectorKey({ model: 'm' }, '[1]'),
    vectorKey({ model: 'm' }, [1]),
    vectorKey({ model: 'm' }, [1, 2]),
    vectorKey({ model: 'm' }, '\ud800'),
    vectorKey({ model: 'm' }, '\udbff'),
    vectorKey({ model: 'm', fields: { task: 'query' } }, 'one'),
    vectorKey({ model: 'm', fields: { task: 'passage' } }, 'one'),
    vectorKey({ model: 'm', fields: exactFields('{ "user": 9007199254740993 }') }, 'one'),
    vectorKey({ model: 'm', fields: exactFields('{ "user": 9007199254740992 }') }, 'one'),
  ]);
  expect(new Set(keys).size).toBe(keys.length);
  expect(await vectorKey({ model: 'm' }, 'one')).toBe(keys[0]);
  expect(keys[0]).toMatch(/^[\da-f]{64}$/);
});

it('keeps the keys of vectors stored before there were further fields', async () => {
  expect(await vectorKey({ model: 'm' }, 'one')).toBe(
    'e830d5fbd0b6a3fd248d15e0857d97c845824927dd4ea23e67148b4e1098d0ca',
  );
  expect(await vectorKey({ model: 'm', dimensions: 64, fields: {} }, [1, 2])).toBe(
    '3fc31c66f98c991f531d1ff0bec04ef2c8f933668544b350db8df8d708dd443e',
  );
});

it('computes the same key for further fields in any order', async () => {
  const fields = { task: 'query', options: { a: 1, b: [{ c: 2, d: 3 }] } };
  const turned = { options: { b: [{ d: 3, c: 2 }], a: 1 }, task: 'query' };
  expect(await vectorKey({ model: 'm', fields: turned }, 'one')).toBe(
    await vectorKey({ model: 'm', fields }, 'one'),
  );
});
