/** Times of answers, as descriptions: they decide nothing (trials.md, 8.6). */
import { medianRatio, percentile, valuesNeeded } from './statistics/percentiles.ts';
import type { Cell } from './trial.ts';

/** Milliseconds, from our POST. `from`: so many answers are needed before there is a figure. */
export type LatencyFigure =
  | { kind: 'known'; valueMs: number; rangeMs: readonly [number, number] }
  | { kind: 'too few'; from: number };

export type LatencyTime = 'firstTokenMs' | 'totalMs';

/** A quantile of a column's times with its range. */
export function latencyFigure(times: ArrayLike<number>, q: number): LatencyFigure {
  const found = percentile(times, q);
  if (!found) return { kind: 'too few', from: valuesNeeded(q) };
  return { kind: 'known', valueMs: found.value, rangeMs: [found.range[0], found.range[1]] };
}

/** The times of a column's answers; cells that were not answered have none. */
export function timesOf(cells: readonly Cell[], time: LatencyTime): Float32Array {
  return Float32Array.from(
    cells.flatMap((cell) => {
      const ms = cell[time];
      return cell.outcome === 'answered' && ms !== undefined ? [ms] : [];
    }),
  );
}

/** How many times as long as the baseline the column takes, case by case and repeat by repeat: "1.7 times (1.6 to 1.8)". */
export function latencyRatio(
  column: readonly Cell[],
  baseline: readonly Cell[],
  time: LatencyTime,
): { times: number; range: readonly [number, number] } | undefined {
  const nameOf = ({ caseId, repeat }: Cell): string => `${caseId} ${repeat}`;
  const msOf = (cell: Cell): number => (cell.outcome === 'answered' ? (cell[time] ?? 0) : 0);
  const known = new Map(baseline.map((cell) => [nameOf(cell), msOf(cell)]));
  const pairs = column
    .map((cell): [number, number] => [msOf(cell), known.get(nameOf(cell)) ?? 0])
    .filter(([own, other]) => own > 0 && other > 0);
  const found = medianRatio(pairs);
  return found && { times: found.value, range: [found.range[0], found.range[1]] };
}
