import { describe, expect, it } from 'vitest';

import { isTooLongForField } from './field-limit.ts';

describe('text field limits', () => {
  it.each([
    ['an empty text', ''],
    ['a page of text', 'some words\n'.repeat(100)],
    ['the maximum number of characters', 'a'.repeat(100_000)],
    ['the maximum number of lines', `${'a\n'.repeat(2_999)}a`],
  ])('allows a text in a field: %s', (_, text) => {
    expect(isTooLongForField(text)).toBe(false);
  });

  it.each([
    ['one character above the maximum', 'a'.repeat(100_001)],
    ['one line above the maximum', `${'a\n'.repeat(3_000)}a`],
    ['only line breaks', '\n'.repeat(200_000)],
    ['a megabyte of text', 'words '.repeat(170_000)],
  ])('rejects a text that would freeze the page: %s', (_, text) => {
    expect(isTooLongForField(text)).toBe(true);
  });
});
