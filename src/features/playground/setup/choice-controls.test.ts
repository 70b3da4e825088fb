import { expect, it } from 'vitest';

import { parseResponseFormat } from '../../../conversation/setup/param-readers.ts';
import { getFormatChoice, toFormatText } from './choice-controls.tsx';

it('treats text other than the plain formats as a schema, even if it is incomplete', () => {
  expect(getFormatChoice('text')).toBe('text');
  expect(getFormatChoice('json_object')).toBe('json_object');
  expect(getFormatChoice('{"type":')).toBe('json_schema');
});

it('creates an initial schema that is valid to send', () => {
  expect(parseResponseFormat(toFormatText('json_schema', 'json_object')).ok).toBe(true);
});

it('keeps an existing schema', () => {
  const customSchema = '{"type":"json_schema","json_schema":{"name":"mine"}}';
  expect(toFormatText('json_schema', customSchema)).toBe(customSchema);
  expect(toFormatText('text', customSchema)).toBe('text');
});
