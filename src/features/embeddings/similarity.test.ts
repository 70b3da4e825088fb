import { describe, expect, it } from 'vitest';

import { cosineOf, linesOf, rangeOf, similaritiesOf } from './similarity.ts';

const vector = (...numbers: number[]) => Float32Array.from(numbers);

describe('similarity', () => {
  it('is 1 for one direction, 0 for right angles, -1 for opposites, whatever the lengths', () => {
    expect(cosineOf(vector(1, 2), vector(10, 20))).toBeCloseTo(1, 6);
    expect(cosineOf(vector(3, 0), vector(0, 5))).toBe(0);
    expect(cosineOf(vector(1, 0), vector(-4, 0))).toBe(-1);
  });

  it('is never over 1 by rounding', () => {
    const one = Float32Array.from({ length: 4096 }, (_, index) => Math.sin(index) / 7);
    expect(cosineOf(one, one)).toBeLessThanOrEqual(1);
  });

  it('does not exist for a vector of zeros', () => {
    expect(cosineOf(vector(0, 0), vector(1, 0))).toBeUndefined();
  });

  it('ranges over pairs of different texts only', () => {
    const rows = similaritiesOf([vector(1, 0), vector(0, 1), vector(1, 1)]);
    expect(rangeOf(rows)?.low).toBe(0);
    expect(rangeOf(rows)?.high).toBeCloseTo(Math.SQRT1_2, 6);
    expect(rangeOf(similaritiesOf([vector(1, 0)]))).toBeUndefined();
  });

  it('takes one text a line and leaves blank lines out', () => {
    expect(linesOf(' one \r\n\n two\n   ')).toEqual(['one', 'two']);
  });
});
