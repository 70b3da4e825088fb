import { describe, expect, it } from 'vitest';

import { isTooLongForField } from './field-limit.ts';

describe('text field limits', () => {
  it.each([
    ['nothing', ''],
    ['a page of words', 'some words\n'.repeat(100)],
    ['the most letters', 'a'.repeat(100_000)],
    ['the most lines', `${'a\n'.repeat(2_999)}a`],
  ])('allows a text in a field: %s', (_, text) => {
    expect(isTooLongForField(text)).toBe(false);
  });

  it.each([
    ['one letter more', 'a'.repeat(100_001)],
    ['one line more', `${'a\n'.repeat(3_000)}a`],
    ['nothing but line ends', '\n'.repeat(200_000)],
    ['a megabyte of words', 'words '.repeat(170_000)],
  ])('rejects a text that would freeze the page: %s', (_, text) => {
    expect(isTooLongForField(text)).toBe(true);
  });
});
