import { expect, it } from 'vitest';

import { formatCost, formatPrice } from './money.ts';

it('formats a price with all its digits', () => {
  expect(
    [0, 3, 15, 0.6, 0.15, 0.075, 0.0375, 1.25, 1000].map((amount) => formatPrice(amount, 'USD')),
  ).toEqual(['$0', '$3', '$15', '$0.60', '$0.15', '$0.075', '$0.0375', '$1.25', '$1,000']);
});

it('formats a cost with two significant digits', () => {
  expect(
    [0, 12.345, 1234.5, 0.5, 0.0312, 0.00012345, 0.999, 1.2e-30].map((amount) => formatCost(amount, 'USD')),
  ).toEqual([
    '$0.00',
    '$12.35',
    '$1,234.50',
    '$0.50',
    '$0.031',
    '$0.00012',
    '$1.00',
    '$0.00000000000000000000',
  ]);
});

it('formats other currencies with their symbol or code', () => {
  expect(formatCost(0.0004, 'EUR')).toBe('€0.00040');
  expect(formatPrice(30, 'JPY')).toBe('¥30');
  expect(formatPrice(0.5, 'CHF')).toBe('CHF\u00A00.50');
});
