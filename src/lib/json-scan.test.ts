import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { getPathOffset, getLineAndColumn, findToken, findTooDeepOffset } from './json-scan.ts';

function listTokens(text: string): [kind: string, text: string][] {
  const tokens: [string, string][] = [];
  for (let token = findToken(text, 0); token; token = findToken(text, token.end))
    tokens.push([token.kind, text.slice(token.start, token.end)]);
  return tokens;
}

describe('JSON tokens', () => {
  it('splits JSON into punctuation, strings and words', () => {
    expect(listTokens(' {"a\\"]": [1.5e3,\ttrue]}\n')).toEqual([
      ['{', '{'],
      ['string', '"a\\"]"'],
      [':', ':'],
      ['[', '['],
      ['word', '1.5e3'],
      [',', ','],
      ['word', 'true'],
      [']', ']'],
      ['}', '}'],
    ]);
  });

  it('splits incomplete and invalid text into tokens', () => {
    expect(listTokens('"x\\\\"y"z\\"')).toEqual([
      ['string', '"x\\\\"'],
      ['word', 'y'],
      ['open string', '"z\\"'],
    ]);
    expect(listTokens(' \r\n')).toEqual([]);
  });

  it('skips only white space between tokens', () => {
    const letters = fc.constantFrom(...Array.from('{}[]:," \\an1\n'));
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 20 }), (pieces) => {
        const text = pieces.join('');
        let end = 0;
        for (let token = findToken(text, 0); token; token = findToken(text, token.end)) {
          expect(text.slice(end, token.start).trim()).toBe('');
          expect(token.end).toBeGreaterThan(token.start);
          end = token.end;
        }
        expect(text.slice(end).trim()).toBe('');
      }),
    );
  });
});

describe('offset of a JSON path', () => {
  const value = { a: ['x', { 'b"c': [1, { d: null }] }], e: { f: true }, '': [[], {}, '}'] };
  const text = JSON.stringify(value, null, 2);

  it('returns the start of the value, or of the nearest existing ancestor', () => {
    const rows: [(string | number)[], string][] = [
      [[], '{\n  "a"'],
      [['a', 0], '"x"'],
      [['a', 1, 'b"c', 1, 'd'], 'null'],
      [['e', 'f'], 'true'],
      [['', 2], '"}"'],
      [['e', 'missing', 'deeper'], '{\n    "f"'],
      [['a', 7], '[\n    "x"'],
      [['a', 'x'], '[\n    "x"'],
      [['e', 0], '{\n    "f"'],
    ];
    expect(rows.map(([path]) => getPathOffset(text, path))).toEqual(
      rows.map(([, part]) => text.indexOf(part)),
    );
  });

  it('returns line and column from 1', () => {
    expect(['a', 'b\n', '\n\nc'].map((sample) => getLineAndColumn(sample, sample.length).line)).toEqual([
      1, 2, 3,
    ]);
    expect(getLineAndColumn('{\n  "a": x', 9)).toEqual({ line: 2, column: 8 });
    expect(getLineAndColumn('a\nb', 1)).toEqual({ line: 1, column: 2 });
  });
});

describe('nesting depth', () => {
  it('counts only brackets and braces outside strings', () => {
    expect(findTooDeepOffset('[[[]]]', 3)).toBeUndefined();
    expect(findTooDeepOffset('[[[[]]]]', 3)).toBe(3);
    expect(findTooDeepOffset('[[[]]] [[[]]]', 3)).toBeUndefined();
    expect(findTooDeepOffset('{"[[[[[": "\\"[[[[", "a": {"b": []}}', 3)).toBeUndefined();
    expect(findTooDeepOffset('["\\\\", [[[[', 3)).toBe(9);
    expect(findTooDeepOffset('["never closed [[[[', 3)).toBeUndefined();
  });

  it('handles a million nesting levels', () => {
    expect(findTooDeepOffset('['.repeat(1_000_000), 999_999)).toBe(999_999);
  });
});
