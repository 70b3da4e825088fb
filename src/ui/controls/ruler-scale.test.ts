import { assert, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { positionOf, ticksOf, valueAt, type RulerScale } from './ruler-scale.ts';

const temperature: RulerScale = { from: 0, to: 2, labels: [0, 0.5, 1, 1.5, 2], scale: 'linear' };
const budget: RulerScale = { from: 128, to: 32_768, labels: [128, 1024, 4096, 32_768], scale: 'log' };

describe('a ruler', () => {
  it('gives every step its own place and finds it again', () => {
    assert(
      property(integer({ min: 1, max: 256 }), (steps) => {
        const value = steps * 128;
        expect(valueAt(budget, positionOf(budget, value), 128)).toBe(value);
      }),
    );
    assert(
      property(integer({ min: 0, max: 20 }), (steps) => {
        const value = steps / 10;
        expect(valueAt(temperature, positionOf(temperature, value), 0.1)).toBe(value);
      }),
    );
  });

  it('spaces doublings evenly on a log scale', () => {
    expect(positionOf(budget, 128)).toBe(0);
    expect(positionOf(budget, 2048)).toBeCloseTo(0.5);
    expect(positionOf(budget, 32_768)).toBe(1);
  });

  it('keeps values beyond an end at that end', () => {
    expect(positionOf(budget, 0)).toBe(0);
    expect(positionOf(budget, -5)).toBe(0);
    expect(positionOf(temperature, 9)).toBe(1);
  });

  it('has a long tick at every label', () => {
    for (const [ruler, step] of [
      [temperature, 0.1],
      [budget, 128],
    ] as const) {
      const long = ticksOf(ruler, step).filter((tick) => tick.long);
      expect(long.map((tick) => tick.position)).toEqual(
        ruler.labels.map((label) => positionOf(ruler, label)),
      );
    }
  });

  it('draws a tick a step, thinned where they would run together', () => {
    expect(ticksOf(temperature, 0.1)).toHaveLength(21);
    expect(ticksOf({ ...temperature, from: -2, labels: [-2, -1, 0, 1, 2] }, 0.1)).toHaveLength(21);
    expect(ticksOf(budget, 128)).toHaveLength(9);
  });
});
