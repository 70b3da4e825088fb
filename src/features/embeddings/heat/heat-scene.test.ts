import { describe, expect, it } from 'vitest';

import { rampOf } from '../canvas/css-colors.ts';
import { cellAfterKey } from '../similarity/matrix-navigation.ts';
import { bandsOf, rangeOfScores, shareOf } from './heat-scene.ts';

describe('the picture of a similarity matrix', () => {
  it('names the runs of groups in the order, and leaves those without a group out', () => {
    expect(bandsOf([0, 0, 1, -1, -1, 1], ['Delivery', 'Refunds'])).toEqual([
      { name: 'Delivery', from: 0, to: 2 },
      { name: 'Refunds', from: 2, to: 3 },
      { name: 'Refunds', from: 5, to: 6 },
    ]);
    expect(bandsOf([], ['Delivery'])).toEqual([]);
  });

  it('spreads its colours over all but the lowest tenth and the highest hundredth, never over nothing', () => {
    const sorted = Float32Array.from({ length: 101 }, (_, at) => at / 100);
    expect(rangeOfScores(sorted)).toEqual({ low: 0.1, high: 1 });
    const same = rangeOfScores(Float32Array.of(0.5, 0.5));
    expect(same.high).toBeGreaterThan(same.low);
    expect(rangeOfScores(new Float32Array())).toEqual({ low: 0, high: 1 });
  });

  it('names no cosine above 1 or below -1, also of texts that are all the same', () => {
    expect(rangeOfScores(Float32Array.of(0.2, 1.0000002, 1.0000002))).toEqual({ low: 0.2, high: 1 });
    expect(rangeOfScores(Float32Array.of(-1.0000002, -0.5))).toEqual({ low: -1, high: -0.5 });
    expect(rangeOfScores(Float32Array.of(1, 1))).toEqual({ low: 0.99, high: 1 });
    expect(rangeOfScores(Float32Array.of(1.0000002, 1.0000002))).toEqual({ low: 0.99, high: 1 });
    expect(rangeOfScores(Float32Array.of(-1, -1))).toEqual({ low: -1, high: -0.99 });
  });

  it('clips what lies beyond the range', () => {
    const range = { low: 0.25, high: 0.75 };
    expect([shareOf(0.1, range), shareOf(0.5, range), shareOf(0.9, range)]).toEqual([0, 0.5, 1]);
  });

  it('runs from the first colour to the last', () => {
    const ramp = rampOf([0xff000000, 0xffffffff]);
    expect([ramp[0], ramp[128], ramp[255]]).toEqual([0xff000000, 0xff808080, 0xffffffff]);
  });
});

describe('keys in the matrix', () => {
  const press = (key: string, more: { shiftKey?: boolean; ctrlKey?: boolean } = {}) =>
    cellAfterKey({ row: 5, column: 5 }, { key, shiftKey: false, ctrlKey: false, ...more }, 24);

  it('move by one, with Shift by ten, and never beyond the edge', () => {
    expect(press('ArrowRight')).toEqual({ row: 5, column: 6 });
    expect(press('ArrowUp', { shiftKey: true })).toEqual({ row: 0, column: 5 });
    expect(press('PageDown')).toEqual({ row: 15, column: 5 });
    expect(press('End')).toEqual({ row: 5, column: 23 });
    expect(press('Home', { ctrlKey: true })).toEqual({ row: 0, column: 0 });
  });

  it('begin at the first cell, and leave other keys alone', () => {
    expect(cellAfterKey(undefined, { key: 'ArrowLeft', shiftKey: false, ctrlKey: false }, 24)).toEqual({
      row: 0,
      column: 0,
    });
    expect(press('a')).toBeUndefined();
  });
});
