import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { countTokens, splitTokens } from './tokens.ts';

describe('token rule', () => {
  it('splits and counts tokens by the documented rule', () => {
    expect(splitTokens('What is a tokenizer?')).toEqual(['What', ' is', ' a', ' tokeni', 'zer', '?']);
    expect(splitTokens('In 2026: 12345\n\n  ```ts')).toEqual([
      'In',
      ' 202',
      '6',
      ':',
      ' 123',
      '45',
      '\n\n',
      '  ',
      '```',
      'ts',
    ]);
    expect(splitTokens('我爱北京')).toEqual(['我', '爱', '北', '京']);
    expect(countTokens('')).toBe(0);
  });

  it('splits any text into short tokens that join to the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const tokens = splitTokens(text);
        expect(tokens.join('')).toBe(text);
        expect(tokens.filter((token) => token.trim().length > 12)).toEqual([]);
      }),
    );
  });
});
