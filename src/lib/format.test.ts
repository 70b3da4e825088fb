import { expect, it } from 'vitest';

import { formatShortCount } from './format.ts';

it('shortens counts from 100,000 on', () => {
  expect([0, 8192, 99_999, 100_000, 853_720, 999_999, 1_250_000].map(formatShortCount)).toEqual([
    '0',
    '8,192',
    '99,999',
    '100k',
    '854k',
    '1M',
    '1.25M',
  ]);
});
