import { expect, it } from 'vitest';

import { parseExactJson } from '../../lib/exact-json.ts';
import { isJsonObject } from '../../lib/json.ts';
import { computeVectorKey } from './vector-key.ts';

function parseExactFields(text: string) {
  const reading = parseExactJson(text);
  if (!reading.ok || !isJsonObject(reading.value)) throw new Error('The text must be a JSON object');
  return reading.value;
}

it('computes stable keys that differ by model, size, text and token list', async () => {
  const keys = await Promise.all([
    computeVectorKey({ model: 'm' }, 'one'),
    computeVectorKey({ model: 'm', dimensions: 64 }, 'one'),
    computeVectorKey({ model: 'n' }, 'one'),
    computeVectorKey({ model: 'm' }, 'one '),
    computeVectorKey({ model: 'm' }, '[1]'),
    computeVectorKey({ model: 'm' }, [1]),
    computeVectorKey({ model: 'm' }, [1, 2]),
    computeVectorKey({ model: 'm' }, '\ud800'),
    computeVectorKey({ model: 'm' }, '\udbff'),
    computeVectorKey({ model: 'm', fields: { task: 'query' } }, 'one'),
    computeVectorKey({ model: 'm', fields: { task: 'passage' } }, 'one'),
    computeVectorKey({ model: 'm', fields: parseExactFields('{ "user": 9007199254740993 }') }, 'one'),
    computeVectorKey({ model: 'm', fields: parseExactFields('{ "user": 9007199254740992 }') }, 'one'),
  ]);
  expect(new Set(keys).size).toBe(keys.length);
  expect(await computeVectorKey({ model: 'm' }, 'one')).toBe(keys[0]);
  expect(keys[0]).toMatch(/^[\da-f]{64}$/);
});

it('keeps the keys of vectors stored before extra fields and gateways existed', async () => {
  expect(await computeVectorKey({ model: 'm' }, 'one')).toBe(
    'e830d5fbd0b6a3fd248d15e0857d97c845824927dd4ea23e67148b4e1098d0ca',
  );
  expect(await computeVectorKey({ model: 'm', dimensions: 64, fields: {} }, [1, 2])).toBe(
    '3fc31c66f98c991f531d1ff0bec04ef2c8f933668544b350db8df8d708dd443e',
  );
  expect(await computeVectorKey({ model: 'm', fields: { task: 'query' } }, 'one')).toBe(
    '9d902d4a09b7a0af9b7e3cb20ed506c0bc857de3abce562ec98859f8df83d4cb',
  );
});

it('computes other keys for another gateway than the first one', async () => {
  const requests = [{ model: 'm' }, { model: 'm', fields: { task: 'query' } }];
  const keys = await Promise.all(
    requests.flatMap((request) =>
      [request, { ...request, gateway: 'second' }, { ...request, gateway: 'third' }].map((variant) =>
        computeVectorKey(variant, 'one'),
      ),
    ),
  );
  expect(new Set(keys).size).toBe(keys.length);
});

it('computes the same key for any order of extra fields', async () => {
  const fields = { task: 'query', options: { a: 1, b: [{ c: 2, d: 3 }] } };
  const reorderedFields = { options: { b: [{ d: 3, c: 2 }], a: 1 }, task: 'query' };
  expect(await computeVectorKey({ model: 'm', fields: reorderedFields }, 'one')).toBe(
    await computeVectorKey({ model: 'm', fields }, 'one'),
  );
});
