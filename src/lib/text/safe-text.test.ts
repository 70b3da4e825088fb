import { describe, expect, it } from 'vitest';

import { outsideWords } from './safe-text.ts';

describe('words of others in a sentence of ours', () => {
  it('stand as they are where they are plain', () => {
    expect(outsideWords('eos_token')).toBe('eos_token');
    expect(outsideWords('停止')).toBe('停止');
  });

  it('are cut between letters', () => {
    expect(outsideWords('X'.repeat(20_000))).toBe(`${'X'.repeat(79)}…`);
    expect(outsideWords('👩'.repeat(100))).toBe(`${'👩'.repeat(79)}…`);
    expect(outsideWords('X'.repeat(80))).toBe('X'.repeat(80));
  });

  it('cannot turn the text around them', () => {
    expect(outsideWords('end\u202Ednats\u2069\n')).toBe('end\uFFFDdnats\uFFFD\uFFFD');
    expect(outsideWords('توقف')).toBe('\u2068توقف\u2069');
  });
});
