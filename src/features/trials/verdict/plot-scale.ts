/** Scale of the difference axis in percentage points. The baseline is at 0; all columns share the scale. */
import type { Comparison } from '../../../trials/verdict.ts';

export interface PlotScale {
  /** Half of the axis, which extends from −maxPoints to maxPoints, in percentage points. */
  maxPoints: number;
  ticks: number[];
  /** Converts points to a position on the axis, 0 to 1. */
  toShare: (points: number) => number;
}

const axisSizes = [10, 20, 30, 40, 60, 80, 100];

/** Computes an axis that contains every interval and the margin. */
export function computePlotScale(
  comparisons: readonly Pick<Comparison, 'interval' | 'difference'>[],
  margin: number,
): PlotScale {
  const values = comparisons.flatMap(({ interval, difference }) => [...(interval ?? []), difference]);
  const requiredPoints = Math.max(margin * 1.5, ...values.map((end) => Math.abs(100 * end)));
  const maxPoints = axisSizes.find((size) => size >= requiredPoints) ?? 100;
  const step = maxPoints <= 20 ? 5 : maxPoints <= 40 ? 10 : 20;
  const count = Math.floor(maxPoints / step);
  return {
    maxPoints,
    ticks: Array.from({ length: 2 * count + 1 }, (_, index) => (index - count) * step),
    toShare: (points) => (Math.max(-maxPoints, Math.min(maxPoints, points)) + maxPoints) / (2 * maxPoints),
  };
}
