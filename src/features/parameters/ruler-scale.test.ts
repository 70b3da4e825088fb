import { assert, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { toPosition, buildRulerTicks, toValue, type RulerScale } from './ruler-scale.ts';

const temperature: RulerScale = { from: 0, to: 2, labels: [0, 0.5, 1, 1.5, 2], scale: 'linear' };
const budget: RulerScale = { from: 128, to: 32_768, labels: [128, 1024, 4096, 32_768], scale: 'log' };

describe('ruler scale', () => {
  it('maps every step of a ruler to a position and back', () => {
    assert(
      property(integer({ min: 1, max: 256 }), (steps) => {
        const value = steps * 128;
        expect(toValue(budget, toPosition(budget, value), 128)).toBe(value);
      }),
    );
    assert(
      property(integer({ min: 0, max: 20 }), (steps) => {
        const value = steps / 10;
        expect(toValue(temperature, toPosition(temperature, value), 0.1)).toBe(value);
      }),
    );
  });

  it('spaces doublings evenly on the log scale of a ruler', () => {
    expect(toPosition(budget, 128)).toBe(0);
    expect(toPosition(budget, 2048)).toBeCloseTo(0.5);
    expect(toPosition(budget, 32_768)).toBe(1);
  });

  it("clamps values outside a ruler's range to its ends", () => {
    expect(toPosition(budget, 0)).toBe(0);
    expect(toPosition(budget, -5)).toBe(0);
    expect(toPosition(temperature, 9)).toBe(1);
  });

  it('draws a long tick at every label of a ruler', () => {
    for (const [ruler, step] of [
      [temperature, 0.1],
      [budget, 128],
    ] as const) {
      const longTicks = buildRulerTicks(ruler, step).filter((tick) => tick.isLong);
      expect(longTicks.map((tick) => tick.position)).toEqual(
        ruler.labels.map((label) => toPosition(ruler, label)),
      );
    }
  });

  it('draws one ruler tick per step, or fewer if the ticks would blur together', () => {
    expect(buildRulerTicks(temperature, 0.1)).toHaveLength(21);
    expect(buildRulerTicks({ ...temperature, from: -2, labels: [-2, -1, 0, 1, 2] }, 0.1)).toHaveLength(21);
    expect(buildRulerTicks(budget, 128)).toHaveLength(9);
  });
});
