import { expect, it } from 'vitest';

import { parseResponseFormat } from '../../../conversation/setup/param-readers.ts';
import { getFormatChoice, toFormatText } from './choice-controls.tsx';

it('takes a text that is not one of the words for a schema, also while it is broken', () => {
  expect(getFormatChoice('text')).toBe('text');
  expect(getFormatChoice('json_object')).toBe('json_object');
  expect(getFormatChoice('{"type":')).toBe('json_schema');
});

it('starts a schema that can be sent as it is', () => {
  expect(parseResponseFormat(toFormatText('json_schema', 'json_object')).ok).toBe(true);
});

it('keeps a schema that is already there', () => {
  const customSchema = '{"type":"json_schema","json_schema":{"name":"mine"}}';
  expect(toFormatText('json_schema', customSchema)).toBe(customSchema);
  expect(toFormatText('text', customSchema)).toBe('text');
});
