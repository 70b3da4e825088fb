/** Where things stand on the axis of differences: points, with 0 the baseline, the same for all columns. */
import type { Comparison } from '../../../trials/verdict.ts';

export interface PlotScale {
  /** The axis goes from −most to most, in points. */
  most: number;
  ticks: number[];
  /** 0 to 1. */
  at: (points: number) => number;
}

const sizes = [10, 20, 30, 40, 60, 80, 100];

/** An axis that holds every range and the band of what counts as about the same. */
export function plotScale(
  comparisons: readonly Pick<Comparison, 'range' | 'difference'>[],
  margin: number,
): PlotScale {
  const ends = comparisons.flatMap(({ range, difference }) => [...(range ?? []), difference]);
  const needed = Math.max(margin * 1.5, ...ends.map((end) => Math.abs(100 * end)));
  const most = sizes.find((size) => size >= needed) ?? 100;
  const step = most <= 20 ? 5 : most <= 40 ? 10 : 20;
  const count = Math.floor(most / step);
  return {
    most,
    ticks: Array.from({ length: 2 * count + 1 }, (_, index) => (index - count) * step),
    at: (points) => (Math.max(-most, Math.min(most, points)) + most) / (2 * most),
  };
}
