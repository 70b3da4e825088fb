/** Where things stand on the axis of differences: points, with 0 the baseline, the same for all columns. */
import type { Comparison } from '../../../trials/verdict.ts';

export interface PlotScale {
  /** The axis goes from −maxPoints to maxPoints, in points. */
  maxPoints: number;
  ticks: number[];
  /** 0 to 1. */
  toShare: (points: number) => number;
}

const axisSizes = [10, 20, 30, 40, 60, 80, 100];

/** An axis that holds every range and the band of what counts as about the same. */
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
