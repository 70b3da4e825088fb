import { validate } from '@cfworker/json-schema';
import { expect, it } from 'vitest';

import { inferSchema } from '../../lib/infer-schema.ts';
import type { Json } from '../../lib/json.ts';
import {
  defaultSchemaFormat,
  schemaExamples,
  parseSchemaFormat,
  describeSchema,
  stringifySchemaFormat,
} from './json-schema-format.ts';
import { getParamState } from './params.ts';

it('restores response_format after a round trip, including unknown fields', () => {
  const jsonSchema = { name: 'x', strict: true, description: 'kept', schema: { type: 'object' } };
  const text = JSON.stringify({ type: 'json_schema', json_schema: jsonSchema });
  const format = parseSchemaFormat(text);
  expect(format && JSON.parse(stringifySchemaFormat(format))).toEqual(JSON.parse(text));
  for (const invalidText of [
    'json_object',
    '{"type": "json_sch',
    '{"type":"json_schema","json_schema":{"schema":4}}',
  ])
    expect(parseSchemaFormat(invalidText)).toBeUndefined();
});

it('sends the default schema and every example without errors', () => {
  for (const format of [defaultSchemaFormat, ...schemaExamples.map((example) => example.format)]) {
    const params = { response_format: { sent: true, text: stringifySchemaFormat(format) } };
    expect(getParamState(params, 'response_format').state).toBe('sent');
  }
  expect(schemaExamples.map(({ format }) => describeSchema(format))[0]).toBe('6 fields, 6 required, strict');
});

it('infers a schema that the value matches, with shared fields required', () => {
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
