import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parsePartialJson } from './partial-json.ts';

/** Returns true if everything in `part` is also in `whole`: strings are prefixes, objects and lists are subsets. */
function isSubset(part: unknown, whole: unknown): boolean {
  if (typeof part === 'string') return typeof whole === 'string' && whole.startsWith(part);
  if (Array.isArray(part))
    return Array.isArray(whole) && part.every((item, index) => isSubset(item, whole[index]));
  if (typeof part === 'object' && part !== null) {
    const members = new Map(Object.entries(whole ?? {}));
    return Object.entries(part).every(
      ([key, value]) => members.has(key) && isSubset(value, members.get(key)),
    );
  }
  return Object.is(part, whole);
}

describe('parsePartialJson', () => {
  it('parses the received part of JSON that is cut at any position', () => {
    const rows: [string, unknown][] = [
      ['{"a":{"b":"hel', { a: { b: 'hel' } }],
      ['{"a":1,"con', { a: 1 }],
      ['{"a":1,"con"', { a: 1 }],
      ['{"a":1,"con":', { a: 1 }],
      ['{"a":tru', {}],
      ['{"a":12', {}],
      ['{"a":[1,2,', { a: [1, 2] }],
      ['{"a":"x\\', { a: 'x' }],
      ['{"a":"x\\u00e', { a: 'x' }],
      ['{"a":"x\\ud83d', { a: 'x' }],
      ['{"a":"x\\\\', { a: 'x\\' }],
      ['{"a":"\\n","b":2,"c', { a: '\n', b: 2 }],
      ['{"a":1}', { a: 1 }],
      ['hello', undefined],
      ['{bad', undefined],
      ['{"a":1}{"a":2}', undefined],
      ['[1,tr', [1]],
      ['["\\', ['']],
      ['', undefined],
    ];
    expect(rows.map(([text]) => [text, parsePartialJson(text)])).toEqual(rows);
  });

  it('parses 100,000 nested levels and rejects a million before building them', () => {
    expect(Array.isArray(parsePartialJson('['.repeat(100_000)))).toBe(true);
    expect(parsePartialJson('['.repeat(1_000_000))).toBeUndefined();
  });

  it('never invents content, wherever the text is cut', () => {
    const json = fc.json().filter((text) => /^[{[]/.test(text));
    fc.assert(
      fc.property(json, fc.nat(), (text, offset) => {
        const truncated = text.slice(0, (offset % text.length) + 1);
        const part = parsePartialJson(truncated);
        expect(isSubset(part, JSON.parse(text))).toBe(true);
      }),
    );
  });
});
