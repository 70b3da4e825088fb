import { describe, expect, it } from 'vitest';

import { validateLimit } from './requests-per-minute.tsx';

describe('setting for requests per minute', () => {
  it("accepts an empty rate limit and any limit up to the server's", () => {
    for (const text of ['', '  ', '1', '12', '50']) expect(validateLimit(text, 50)).toBeUndefined();
    expect(validateLimit('80', 0), 'a server without a limit').toBeUndefined();
    expect(validateLimit('80', undefined), 'an unknown server').toBeUndefined();
  });

  it("rejects rate limits above the server's and anything but whole numbers", () => {
    expect(validateLimit('80', 50)).toContain('Enter 1 to 50 (server limit)');
    for (const text of ['many', '0', '-1', '1.5'])
      expect(validateLimit(text, 50)).toContain('Enter a whole number');
  });
});
