import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { getCaseCount } from '../../testing/seeds.ts';
import { compareDecimals, computeDistance } from './decimal.ts';

describe('decimals', () => {
  it.each([
    ['12345678901234567890', '12345678901234567891', -1],
    ['9007199254740993', '9007199254740992', 1],
    ['-9007199254740993', '-9007199254740992', -1],
    ['1.0', '1', 0],
    ['-0', '0', 0],
    ['1e400', '10E+399', 0],
    ['1e400', '1e401', -1],
    ['-1e400', '1e-400', -1],
    ['0.10', '1e-1', 0],
    ['0.1000000000000000055', '0.1', 1],
    ['1e-400', '0', 1],
  ])('compares %s with %s by value', (left, right, order) => {
    expect(compareDecimals(left, right)).toBe(order);
    expect(compareDecimals(right, left) + order).toBe(0);
  });

  it('gives the same results as BigInt for comparison and subtraction at any position of the decimal point', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(), fc.nat(40), (left, right, places) => {
        const [a, b] = [`${left}e-${places}`, `${right}e-${places}`];
        expect(compareDecimals(a, b)).toBe(left < right ? -1 : Number(left > right));
        const distance = left > right ? left - right : right - left;
        expect(computeDistance(a, b)).toBe(Number(`${distance}e-${places}`));
      }),
      { numRuns: getCaseCount(300) },
    );
  });

  it('handles huge exponents without expanding them', () => {
    expect(computeDistance('1e999999999', '1')).toBe(Number.POSITIVE_INFINITY);
    expect(computeDistance('1e999999999', '10e999999998')).toBe(0);
  });
});
