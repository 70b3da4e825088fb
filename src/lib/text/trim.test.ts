import { describe, expect, it } from 'vitest';

import { getDisplayTitle, trimEndChars, trimStartChars } from './trim.ts';

describe('trimming of characters', () => {
  it('removes characters only at the given end', () => {
    expect(trimEndChars('a=b==', '=')).toBe('a=b');
    expect(trimStartChars('--a-b', '-')).toBe('a-b');
  });

  it('removes any of several characters in any order', () => {
    expect(trimEndChars('words \n\t \n', ' \t\n')).toBe('words');
    expect(trimStartChars('\t \nwords ', ' \t\n')).toBe('words ');
  });

  it('keeps text without the trimmed characters and returns an empty string for text that consists only of them', () => {
    expect(trimEndChars('words', '=')).toBe('words');
    expect(trimStartChars('', '=')).toBe('');
    expect(trimEndChars('====', '=')).toBe('');
    expect(trimStartChars('====', '=')).toBe('');
  });
});

it('truncates a very long title and keeps others unchanged', () => {
  expect(getDisplayTitle('Rivers')).toBe('Rivers');
  expect(getDisplayTitle('a'.repeat(1_000_000))).toBe(`${'a'.repeat(1_000)}…`);
  expect(getDisplayTitle(`a${'😀'.repeat(1_000)}`)).toBe(`a${'😀'.repeat(499)}…`);
});
