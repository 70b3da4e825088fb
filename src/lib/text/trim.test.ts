import { describe, expect, it } from 'vitest';

import { shownTitle, withoutEnd, withoutStart } from './trim.ts';

describe('a text without some characters at an end', () => {
  it('loses them there and nowhere else', () => {
    expect(withoutEnd('a=b==', '=')).toBe('a=b');
    expect(withoutStart('--a-b', '-')).toBe('a-b');
  });

  it('loses any of several, in any order', () => {
    expect(withoutEnd('words \n\t \n', ' \t\n')).toBe('words');
    expect(withoutStart('\t \nwords ', ' \t\n')).toBe('words ');
  });

  it('stays as it is where it has none, and is empty where it has no other', () => {
    expect(withoutEnd('words', '=')).toBe('words');
    expect(withoutStart('', '=')).toBe('');
    expect(withoutEnd('====', '=')).toBe('');
    expect(withoutStart('====', '=')).toBe('');
  });
});

it('a title of a megabyte is shown by its beginning, any other as it is', () => {
  expect(shownTitle('Rivers')).toBe('Rivers');
  expect(shownTitle('a'.repeat(1_000_000))).toBe(`${'a'.repeat(1_000)}…`);
  expect(shownTitle(`a${'😀'.repeat(1_000)}`)).toBe(`a${'😀'.repeat(499)}…`);
});
