import { expect, it } from 'vitest';

import { parseResponseFormat } from '../../conversation/setup/param-readers.ts';
import { getFormatChoice, toFormatText } from './choice-controls.tsx';

it('treats any response format other than the plain ones as a schema, even if it is incomplete', () => {
  expect(getFormatChoice('text')).toBe('text');
  expect(getFormatChoice('json_object')).toBe('json_object');
  expect(getFormatChoice('{"type":')).toBe('json_schema');
});

it('creates a valid initial schema for the response format', () => {
  expect(parseResponseFormat(toFormatText('json_schema', 'json_object')).ok).toBe(true);
});

it('keeps an existing schema when the response format json_schema is chosen', () => {
  const customSchema = '{"type":"json_schema","json_schema":{"name":"mine"}}';
  expect(toFormatText('json_schema', customSchema)).toBe(customSchema);
  expect(toFormatText('text', customSchema)).toBe('text');
});
