import { expect, it } from 'vitest';

import { PARAMS } from '../../conversation/setup/params.ts';
import { parseJson } from '../../lib/json.ts';
import { knownFields, withExtraField } from './extra-fields.ts';

it('adds an extra field whose value is parsed as JSON if it is valid JSON', () => {
  expect(withExtraField('', 'min_p', '0.05')).toBe('{ "min_p": 0.05 }');
  expect(withExtraField('{"a":1}', 'mode', 'fast')).toBe('{ "a": 1, "mode": "fast" }');
  expect(withExtraField('{"a":1}', 'a', '[2]')).toBe('{ "a": [2] }');
});

it('breaks a longer JSON object into lines without changing its content', () => {
  const text = withExtraField('{"provider":{"order":["first","second"]}}', 'quality', '"the best there is"');
  expect(text?.split('\n').length).toBeGreaterThan(3);
  expect(JSON.parse(text ?? '')).toEqual({
    provider: { order: ['first', 'second'] },
    quality: 'the best there is',
  });
});

it('preserves the digits of other extra fields and replaces duplicates of the added field', () => {
  expect(withExtraField('{"a":9007199254740993,"b":[1.0,-0]}', 'c', '1e400')).toBe(
    '{\n  "a": 9007199254740993,\n  "b": [\n    1.0,\n    -0\n  ],\n  "c": 1e400\n}',
  );
  expect(withExtraField('{"a":1,"b":1.0,"a":2}', 'a', '3')).toBe('{ "a": 3, "b": 1.0 }');
  expect(withExtraField('{"a":1,"a":1.0}', 'b', '[1.0]')).toBe('{ "a": 1, "a": 1.0, "b": [1.0] }');
});

it('treats an extra field named __proto__ as an ordinary field', () => {
  expect(withExtraField('{"__proto__":{"x":1}}', 'a', '1')).toBe('{ "__proto__": {"x":1}, "a": 1 }');
});

it('adds no extra field while the text is not a JSON object', () => {
  expect(withExtraField('{"a":', 'b', '1')).toBeUndefined();
  expect(withExtraField('[1]', 'b', '1')).toBeUndefined();
});

it('lists known extra fields that have no row, each with a value of its type', () => {
  const types = { boolean: 'a boolean', string: 'a string', object: 'an object', number: 'number' };
  for (const { name, type, initialText } of knownFields) {
    const parsed = parseJson(initialText);
    const kind = parsed.ok ? (new Map(Object.entries(types)).get(typeof parsed.value) ?? '?') : '?';
    expect([name, type]).toEqual([name, expect.stringContaining(kind)]);
    expect(PARAMS.some((row) => row.name === name)).toBe(false);
  }
});
