import { describe, expect, it } from 'vitest';

import { buildColorRamp } from '../canvas/css-colors.ts';
import { getNextMatrixCell } from '../similarity/matrix-navigation.ts';
import { buildBands, getScoreRange, toRangeShare } from './heat-scene.ts';

describe('scene of a similarity matrix', () => {
  it('builds matrix bands for runs of a group and skips texts without a group', () => {
    expect(buildBands([0, 0, 1, -1, -1, 1], ['Delivery', 'Refunds'])).toEqual([
      { name: 'Delivery', from: 0, to: 2 },
      { name: 'Refunds', from: 2, to: 3 },
      { name: 'Refunds', from: 5, to: 6 },
    ]);
    expect(buildBands([], ['Delivery'])).toEqual([]);
  });

  it('spreads matrix colours from the lowest tenth to the highest hundredth, but never over an empty range', () => {
    const sorted = Float32Array.from({ length: 101 }, (_, index) => index / 100);
    expect(getScoreRange(sorted)).toEqual({ low: 0.1, high: 1 });
    const same = getScoreRange(Float32Array.of(0.5, 0.5));
    expect(same.high).toBeGreaterThan(same.low);
    expect(getScoreRange(new Float32Array())).toEqual({ low: 0, high: 1 });
  });

  it('clamps the colour range to -1 and 1, even if all texts are the same', () => {
    expect(getScoreRange(Float32Array.of(0.2, 1.0000002, 1.0000002))).toEqual({ low: 0.2, high: 1 });
    expect(getScoreRange(Float32Array.of(-1.0000002, -0.5))).toEqual({ low: -1, high: -0.5 });
    expect(getScoreRange(Float32Array.of(1, 1))).toEqual({ low: 0.99, high: 1 });
    expect(getScoreRange(Float32Array.of(1.0000002, 1.0000002))).toEqual({ low: 0.99, high: 1 });
    expect(getScoreRange(Float32Array.of(-1, -1))).toEqual({ low: -1, high: -0.99 });
  });

  it('clips values beyond the colour range', () => {
    const range = { low: 0.25, high: 0.75 };
    expect([toRangeShare(0.1, range), toRangeShare(0.5, range), toRangeShare(0.9, range)]).toEqual([
      0, 0.5, 1,
    ]);
  });

  it('builds a colour ramp from the first colour to the last', () => {
    const ramp = buildColorRamp([0xff000000, 0xffffffff]);
    expect([ramp[0], ramp[128], ramp[255]]).toEqual([0xff000000, 0xff808080, 0xffffffff]);
  });
});

describe('keys in the matrix', () => {
  const pressKey = (key: string, modifiers: { shiftKey?: boolean; ctrlKey?: boolean } = {}) =>
    getNextMatrixCell({ row: 5, column: 5 }, { key, shiftKey: false, ctrlKey: false, ...modifiers }, 24);

  it('moves by one matrix cell, or by ten with Shift, and stops at the edges', () => {
    expect(pressKey('ArrowRight')).toEqual({ row: 5, column: 6 });
    expect(pressKey('ArrowUp', { shiftKey: true })).toEqual({ row: 0, column: 5 });
    expect(pressKey('PageDown')).toEqual({ row: 15, column: 5 });
    expect(pressKey('End')).toEqual({ row: 5, column: 23 });
    expect(pressKey('Home', { ctrlKey: true })).toEqual({ row: 0, column: 0 });
  });

  it('starts at the first matrix cell and ignores other keys', () => {
    expect(getNextMatrixCell(undefined, { key: 'ArrowLeft', shiftKey: false, ctrlKey: false }, 24)).toEqual({
      row: 0,
      column: 0,
    });
    expect(pressKey('a')).toBeUndefined();
  });
});
