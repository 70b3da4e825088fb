import { validate } from '@cfworker/json-schema';
import { expect, it } from 'vitest';

import { inferSchema } from '../../lib/infer-schema.ts';
import type { Json } from '../../lib/json.ts';
import {
  firstSchema,
  schemaExamples,
  schemaFormatOf,
  schemaWords,
  textOfSchemaFormat,
} from './json-schema-format.ts';
import { paramState } from './params.ts';

it('a format is read into its parts and written again, with what nobody knows kept', () => {
  const written = { name: 'x', strict: true, description: 'kept', schema: { type: 'object' } };
  const text = JSON.stringify({ type: 'json_schema', json_schema: written });
  const format = schemaFormatOf(text);
  expect(format && JSON.parse(textOfSchemaFormat(format))).toEqual(JSON.parse(text));
  for (const other of [
    'json_object',
    '{"type": "json_sch',
    '{"type":"json_schema","json_schema":{"schema":4}}',
  ])
    expect(schemaFormatOf(other)).toBeUndefined();
});

it('every example and the first schema can be sent', () => {
  for (const format of [firstSchema, ...schemaExamples.map((each) => each.format)]) {
    const params = { response_format: { sent: true, text: textOfSchemaFormat(format) } };
    expect(paramState(params, 'response_format').state).toBe('sent');
  }
  expect(schemaExamples.map(({ format }) => schemaWords(format))[0]).toBe('6 fields, 6 required, strict');
});

it('a schema that is made from a value fits it, and says which fields all items share', () => {
  const values: Json[] = [
    { title: 'A', at: null, tags: ['x', 'y'], none: [], deep: { n: 1.5, ok: true } },
    [{ a: 1, b: 'x' }, { a: 2.5 }, { a: 3, c: [1, 'x', null] }],
    [{ a: 1 }, [2], 'text'],
    'text',
    null,
  ];
  for (const value of values) expect(validate(value, inferSchema(value), '2020-12').errors).toEqual([]);
  expect(inferSchema([{ a: 1, b: 'x' }, { a: 2.5 }])).toMatchObject({
    items: { properties: { a: { type: 'number' } }, required: ['a'] },
  });
});
