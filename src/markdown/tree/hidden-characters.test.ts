import { expect, it } from 'vitest';

import { splitHiddenCharacters, countHiddenCharacters } from './hidden-characters.ts';

it.each([
  [
    'a Trojan Source comment',
    'if (a) {/*\u202e } \u2066if (isAdmin)\u2069 \u2066 begin */',
    ['U+202E', 'U+2066', 'U+2069', 'U+2066'],
  ],
  ['a zero-width space in a name', 'ad\u200bmin', ['U+200B']],
  ['a byte order mark', '\ufeffx', ['U+FEFF']],
  ['a Hangul filler as a name', 'const \u3164 = 1', ['U+3164']],
  ['tag characters', 'a\u{e0041}b', ['U+E0041']],
  ['NUL', 'a\u0000b', ['U+0000']],
])('marks %s without changing the text', (_name, code, names) => {
  const spans = splitHiddenCharacters(code);
  expect(spans.map((span) => span.text).join('')).toBe(code);
  expect(spans.flatMap((span) => span.hiddenName ?? [])).toEqual(names);
  expect(countHiddenCharacters(code)).toBe(names.length);
});

it('leaves ordinary code, tabs, accents and emoji unmarked', () => {
  const code = '\tconst naïve = "日本語 👍 ✔️";';
  expect(splitHiddenCharacters(code)).toEqual([{ text: code }]);
  expect(countHiddenCharacters(code)).toBe(0);
});
