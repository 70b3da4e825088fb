import { describe, expect, it } from 'vitest';

import { getDisplayTitle, trimEndChars, trimStartChars } from './trim.ts';

describe('a text without some characters at an end', () => {
  it('loses them there and nowhere else', () => {
    expect(trimEndChars('a=b==', '=')).toBe('a=b');
    expect(trimStartChars('--a-b', '-')).toBe('a-b');
  });

  it('loses any of several, in any order', () => {
    expect(trimEndChars('words \n\t \n', ' \t\n')).toBe('words');
    expect(trimStartChars('\t \nwords ', ' \t\n')).toBe('words ');
  });

  it('stays as it is where it has none, and is empty where it has no other', () => {
    expect(trimEndChars('words', '=')).toBe('words');
    expect(trimStartChars('', '=')).toBe('');
    expect(trimEndChars('====', '=')).toBe('');
    expect(trimStartChars('====', '=')).toBe('');
  });
});

it('a title of a megabyte is shown by its beginning, any other as it is', () => {
  expect(getDisplayTitle('Rivers')).toBe('Rivers');
  expect(getDisplayTitle('a'.repeat(1_000_000))).toBe(`${'a'.repeat(1_000)}…`);
  expect(getDisplayTitle(`a${'😀'.repeat(1_000)}`)).toBe(`a${'😀'.repeat(499)}…`);
});
