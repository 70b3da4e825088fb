import { expect, it } from 'vitest';

import { parseResponseFormat } from '../../../conversation/setup/param-readers.ts';
import { formatChoice, textOfChoice } from './choice-controls.tsx';

it('takes a text that is not one of the words for a schema, also while it is broken', () => {
  expect(formatChoice('text')).toBe('text');
  expect(formatChoice('json_object')).toBe('json_object');
  expect(formatChoice('{"type":')).toBe('json_schema');
});

it('starts a schema that can be sent as it is', () => {
  expect(parseResponseFormat(textOfChoice('json_schema', 'json_object')).ok).toBe(true);
});

it('keeps a schema that is already there', () => {
  const own = '{"type":"json_schema","json_schema":{"name":"mine"}}';
  expect(textOfChoice('json_schema', own)).toBe(own);
  expect(textOfChoice('text', own)).toBe('text');
});
