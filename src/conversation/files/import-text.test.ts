import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseJson } from '../../lib/json.ts';
import { lineAt, lineOfPath, syntaxErrorAt, tooDeepAt } from './import-text.ts';

describe('where text stops being JSON', () => {
  it('is the first character that could not stand there', () => {
    const rows: [string, number][] = [
      ['{"a": [1,, 2]}', 9],
      ['{"a": 1,}', 8],
      ['{a: 1}', 1],
      ['{"a" 1}', 5],
      ['[1 2]', 3],
      ['[1]]', 3],
      ['"\n"', 1],
      ['["\\x"]', 2],
      ['["never closed', 14],
      ['[01]', 2],
      ['{"a": [1', 8],
      ['', 0],
      ['nul', 0],
    ];
    expect(rows.filter(([text]) => parseJson(text).ok)).toEqual([]);
    expect(rows.map(([text]) => [text, syntaxErrorAt(text)])).toEqual(rows);
  });

  it('is its end where it is JSON', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom('', ' \n'), (text, rest) => {
        expect(syntaxErrorAt(text + rest)).toBe(text.length + rest.length);
      }),
    );
  });
});

describe('the line of a path', () => {
  const value = { a: ['x', { 'b"c': [1, { d: null }] }], e: { f: true } };
  const text = JSON.stringify(value, null, 2);
  const lineWith = (part: string) => text.split('\n').findIndex((line) => line.includes(part)) + 1;

  it('is where its value stands, or the nearest one above it', () => {
    const rows: [(string | number)[], string][] = [
      [['a', 0], '"x"'],
      [['a', 1, 'b"c', 1, 'd'], '"d"'],
      [['e', 'f'], '"f"'],
      [['e', 'missing', 'deeper'], '"e"'],
      [['a', 7], '"a"'],
    ];
    expect(rows.map(([path]) => lineOfPath(text, path))).toEqual(rows.map(([, part]) => lineWith(part)));
  });
});

describe('nesting', () => {
  it('counts brackets and braces, not what stands in strings', () => {
    expect(tooDeepAt('[[[]]]', 3)).toBeUndefined();
    expect(tooDeepAt('[[[[]]]]', 3)).toBe(3);
    expect(tooDeepAt('{"[[[[[": "\\"[[[[", "a": {"b": []}}', 3)).toBeUndefined();
    expect(tooDeepAt('["\\\\", [[[[', 3)).toBe(9);
    expect(tooDeepAt('["never closed [[[[', 3)).toBeUndefined();
  });

  it('knows lines from 1', () =>
    expect(['a', 'b\n', '\n\nc'].map((text) => lineAt(text, text.length))).toEqual([1, 2, 3]));
});
