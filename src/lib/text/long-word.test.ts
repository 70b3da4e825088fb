import { describe, expect, it } from 'vitest';

import { createLongWordDetector, hasLongWord } from './long-word.ts';

describe('long word detection', () => {
  it('detects words of at least 2,000 characters anywhere in a text', () => {
    const longWord = 'x'.repeat(2000);
    for (const text of [longWord, `a ${longWord}`, `${longWord}\nb`, `a\t${longWord} b`])
      expect(hasLongWord(text)).toBe(true);
    for (const text of [
      '',
      'a b',
      'x'.repeat(1999),
      `${'x'.repeat(1999)} ${'x'.repeat(1999)}`,
      'ab '.repeat(5000),
    ]) {
      expect(hasLongWord(text)).toBe(false);
    }
  });

  it('detects a long word across pieces and keeps the result', () => {
    const detect = createLongWordDetector();
    expect(detect(`a b${'x'.repeat(1000)}`)).toBe(false);
    expect(detect('x'.repeat(998))).toBe(false);
    expect(detect('x')).toBe(true);
    expect(detect(' short')).toBe(true);
  });
});
