import { describe, expect, it } from 'vitest';

import { sanitizeForSentence } from './safe-text.ts';

describe('sanitized text in a sentence', () => {
  it('keeps plain text unchanged', () => {
    expect(sanitizeForSentence('eos_token')).toBe('eos_token');
    expect(sanitizeForSentence('停止')).toBe('停止');
  });

  it('truncates long text without splitting a character', () => {
    expect(sanitizeForSentence('X'.repeat(20_000))).toBe(`${'X'.repeat(79)}…`);
    expect(sanitizeForSentence('👩'.repeat(100))).toBe(`${'👩'.repeat(79)}…`);
    expect(sanitizeForSentence('X'.repeat(80))).toBe('X'.repeat(80));
  });

  it('isolates text direction and replaces control characters', () => {
    expect(sanitizeForSentence('end\u202Ednats\u2069\n')).toBe('end\uFFFDdnats\uFFFD\uFFFD');
    expect(sanitizeForSentence('توقف')).toBe('\u2068توقف\u2069');
  });
});
