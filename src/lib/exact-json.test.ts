import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { cases } from '../testing/seeds.ts';
import { findJsonSource, parseExactJson, toExactValue, writeExactJson } from './exact-json.ts';

const inexact = fc.constantFrom(
  '9007199254740993',
  '-12345678901234567890',
  '1.0',
  '1e400',
  '-0',
  '1E5',
  '0.10',
);
const plain = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
  inexact,
);
const valueText = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { depthSize: 'small' },
    plain,
    fc.array(tie('text'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .array(fc.tuple(fc.constantFrom('"a"', '"b"', '"__proto__"', '"c\\u0064"'), tie('text')), {
        maxLength: 4,
      })
      .map((members) => `{${members.map(([key, value]) => `${key}:${value}`).join(',')}}`),
  ),
})).text;

function parse(text: string) {
  const reading = parseExactJson(text);
  if (!reading.ok) throw new Error(reading.message);
  return reading.value;
}

describe('exact JSON', () => {
  it('writes numbers and doubled keys as they were read, and reads the same values as JSON.parse', () => {
    fc.assert(
      fc.property(valueText, (text) => {
        const compact = text.replaceAll('"c\\u0064"', '"cd"');
        const value = parse(compact);
        expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(compact)));
        // Integer-like keys are the one thing that moves; the generator of plain values makes them.
        if (!/"\d+":/.test(compact)) expect(writeExactJson(value)).toBe(compact);
      }),
      { numRuns: cases(400) },
    );
  });

  it('writes a value unchanged to the byte, whatever its blanks and escapes', () => {
    for (const text of ['{"a": 1}', '"\\u003d\\/"', '[1,2]', '{"a":1,"a":2}', '1.0', '"é"'])
      expect(writeExactJson({ before: 'x', field: toExactValue(text), none: undefined })).toBe(
        `{"before":"x","field":${text}}`,
      );
  });

  it('finds the text of a value by its path, the last one of doubled keys, at any spelling of a key', () => {
    const text = '{"a" : [ {"b": 1.0}, {"\\u0062": [1, 2] , "b": {"c":9007199254740993} } ], "d": "x,]"}';
    expect(findJsonSource(text, ['a', 0, 'b'])).toBe('1.0');
    expect(findJsonSource(text, ['a', 1, 'b'])).toBe('{"c":9007199254740993}');
    expect(findJsonSource(text, ['a', 1, 'b', 'c'])).toBe('9007199254740993');
    expect(findJsonSource(text, ['d'])).toBe('"x,]"');
    expect(findJsonSource(text, ['a', 2])).toBeUndefined();
    expect(findJsonSource(text, ['d', 'e'])).toBeUndefined();
  });

  it('keeps text that is nested too deeply to be read member by member', () => {
    const text = `${'['.repeat(5000)}1.0${']'.repeat(5000)}`;
    expect(writeExactJson(parse(text))).toBe(text);
  });
});
