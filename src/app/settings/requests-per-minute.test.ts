import { describe, expect, it } from 'vitest';

import { validateLimit } from './requests-per-minute.tsx';

describe('the number of requests per minute', () => {
  it('may be lower than what the server allows, the same, or left empty', () => {
    for (const text of ['', '  ', '1', '12', '50']) expect(validateLimit(text, 50)).toBeUndefined();
    expect(validateLimit('80', 0), 'a server without a limit').toBeUndefined();
    expect(validateLimit('80', undefined), 'a server that is not known yet').toBeUndefined();
  });

  it('is never higher than what the server allows, and always a whole number', () => {
    expect(validateLimit('80', 50)).toContain('Enter 1 to 50 (server limit)');
    for (const text of ['many', '0', '-1', '1.5'])
      expect(validateLimit(text, 50)).toContain('Enter a whole number');
  });
});
