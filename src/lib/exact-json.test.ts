import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { getCaseCount } from '../testing/seeds.ts';
import {
  findJsonSource,
  formatExactJson,
  indentJson,
  listJsonMembers,
  parseExactJson,
  parseExactNumbers,
  toExactValue,
  writeExactJson,
} from './exact-json.ts';
import { isDeeperThan, JsonSource } from './json.ts';

const inexactNumber = fc.constantFrom(
  '9007199254740993',
  '-12345678901234567890',
  '1.0',
  '1e400',
  '-0',
  '1E5',
  '0.10',
);
const scalarText = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
  inexactNumber,
);
const valueText = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { depthSize: 'small' },
    scalarText,
    fc.array(tie('text'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .array(fc.tuple(fc.constantFrom('"a"', '"b"', '"__proto__"', '"c\\u0064"'), tie('text')), {
        maxLength: 4,
      })
      .map((members) => `{${members.map(([key, value]) => `${key}:${value}`).join(',')}}`),
  ),
})).text;

function parse(text: string) {
  const result = parseExactJson(text);
  if (!result.ok) throw new Error(result.message);
  return result.value;
}

describe('exact JSON', () => {
  it('writes numbers and duplicate keys as received and reads the same values as JSON.parse', () => {
    fc.assert(
      fc.property(valueText, (text) => {
        const compact = text.replaceAll('"c\\u0064"', '"cd"');
        const value = parse(compact);
        expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(compact)));
        // Only integer-like keys change their order, and the generator can produce them.
        if (!/"\d+":/.test(compact)) expect(writeExactJson(value)).toBe(compact);
      }),
      { numRuns: getCaseCount(400) },
    );
  });

  it('writes a value byte for byte, including white space and escapes', () => {
    for (const text of ['{"a": 1}', '"\\u003d\\/"', '[1,2]', '{"a":1,"a":2}', '1.0', '"é"'])
      expect(writeExactJson({ before: 'x', field: toExactValue(text), none: undefined })).toBe(
        `{"before":"x","field":${text}}`,
      );
  });

  it('finds the text of a value by path, the last one for duplicate keys, despite escaped keys', () => {
    const text = '{"a" : [ {"b": 1.0}, {"\\u0062": [1, 2] , "b": {"c":9007199254740993} } ], "d": "x,]"}';
    expect(findJsonSource(text, ['a', 0, 'b'])).toBe('1.0');
    expect(findJsonSource(text, ['a', 1, 'b'])).toBe('{"c":9007199254740993}');
    expect(findJsonSource(text, ['a', 1, 'b', 'c'])).toBe('9007199254740993');
    expect(findJsonSource(text, ['d'])).toBe('"x,]"');
    expect(findJsonSource(text, ['a', 2])).toBeUndefined();
    expect(findJsonSource(text, ['d', 'e'])).toBeUndefined();
  });

  it('keeps text that is nested too deeply to parse by member', () => {
    const text = `${'['.repeat(5000)}1.0${']'.repeat(5000)}`;
    expect(writeExactJson(parse(text))).toBe(text);
  });

  it('indents like JSON.stringify and keeps digits and duplicate keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), valueText, (value, sourceText) => {
        const text = sourceText.replaceAll('"c\\u0064"', '"cd"');
        expect(formatExactJson(value)).toBe(JSON.stringify(value, null, 2));
        const indented = indentJson(text);
        expect(indentJson(indented)).toBe(indented);
        expect(JSON.stringify(JSON.parse(indented))).toBe(JSON.stringify(JSON.parse(text)));
        expect(indented.match(/-?\d[-+.\deE]*/g)).toEqual(text.match(/-?\d[-+.\deE]*/g));
      }),
      { numRuns: getCaseCount(300) },
    );
    expect(indentJson('{"a":[1.0,{}],"a":-0}')).toBe('{\n  "a": [\n    1.0,\n    {}\n  ],\n  "a": -0\n}');
  });

  it('keeps the last of duplicate keys with its digits, at any level', () => {
    fc.assert(
      fc.property(valueText, (text) => {
        const result = parseExactNumbers(text);
        if (!result.ok) throw new Error(result.message);
        expect(JSON.stringify(result.value)).toBe(JSON.stringify(JSON.parse(text)));
        expect(writeExactJson(result.value)).not.toMatch(/"(\w)":[^{}[\],]*,"\1":/);
      }),
      { numRuns: getCaseCount(300) },
    );
    const result = parseExactNumbers('{"a":1,"b":[{"c":1,"c":1e400}],"a":{"d":1.0}}');
    expect(result.ok && writeExactJson(result.value)).toBe('{"a":{"d":1.0},"b":[{"c":1e400}]}');
  });

  it('lists members of lists and objects, with duplicate keys in order', () => {
    expect(listJsonMembers(new JsonSource('{"a":1.0,"b":2,"a":3}'))).toEqual([
      ['a', new JsonSource('1.0')],
      ['b', 2],
      ['a', 3],
    ]);
    expect(listJsonMembers(new JsonSource(' [-0, 1]'))).toEqual([
      ['0', new JsonSource('-0')],
      ['1', 1],
    ]);
    expect(listJsonMembers({ b: 1 })).toEqual([['b', 1]]);
    for (const scalar of [new JsonSource('1.0'), 'text', null])
      expect(listJsonMembers(scalar)).toBeUndefined();
    const deep = new JsonSource(`${'['.repeat(5000)}${']'.repeat(5000)}`);
    expect(listJsonMembers(deep)).toBeUndefined();
    expect(isDeeperThan(200, [deep])).toBe(true);
  });
});
