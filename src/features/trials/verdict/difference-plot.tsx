import { getColumnLetter } from '../../../trials/trial.ts';
import type { Comparison, Verdict } from '../../../trials/verdict.ts';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import type { ColumnName } from '../format-columns.ts';
import { formatDifference, formatPoints } from './rich-text.ts';

interface DifferencePlotProps {
  verdict: Verdict;
  names: readonly ColumnName[];
  /** Maximum difference, in percentage points, that counts as about the same. */
  margin: number;
}

const axisPx = 300;
const rowPx = 32;
const topPx = 20;
const axisLabelsPx = 22;

/**
 * Plots the difference between each column and the baseline on one axis. Hidden from assistive technology, which has
 * the same numbers in the table.
 */
export function DifferencePlot({ verdict, names, margin }: DifferencePlotProps) {
  const { comparisons, baseline } = verdict;
  const scale = computePlotScale(comparisons, margin);
  const x = (points: number) => Math.round(scale.toShare(points) * axisPx * 10) / 10;
  const bottom = topPx + comparisons.length * rowPx;
  const getColumnName = (column: number) =>
    names[column] ?? { letter: getColumnLetter(column), name: getColumnLetter(column) };
  return (
    <div aria-hidden className="flex gap-3 max-phone:gap-2">
      <div className="max-w-44 pt-5 max-phone:max-w-20">
        {comparisons.map(({ column }) => (
          <span key={column} className="flex h-8 items-center gap-2">
            <LaneTile letter={getColumnLetter(column)} />
            <span className="truncate font-[550] max-phone:hidden">{getColumnName(column).name}</span>
          </span>
        ))}
      </div>
      <svg
        viewBox={`-14 0 ${axisPx + 28} ${bottom + axisLabelsPx}`}
        className="block h-auto w-82 min-w-0 fill-ink-3 text-11"
      >
        <rect
          className="fill-sunken"
          x={x(-margin)}
          y={topPx}
          width={Math.max(0, x(margin) - x(-margin))}
          height={bottom - topPx}
        />
        <text x={x(0)} y={13} textAnchor="middle">
          about the same
        </text>
        <path className="fill-none stroke-edge" d={`M0 ${bottom + 0.5}H${axisPx}`} />
        {scale.ticks.map((points) => (
          <g key={points}>
            <path className="fill-none stroke-edge" d={`M${x(points)} ${bottom}v4`} />
            <text x={x(points)} y={bottom + 17} textAnchor="middle">
              {points < 0 ? `−${-points}` : points}
            </text>
          </g>
        ))}
        <path className="fill-none stroke-ink" d={`M${x(0)} ${topPx}V${bottom}`} />
        {comparisons.map(({ column, interval, difference }, index) => {
          const y = topPx + index * rowPx + rowPx / 2;
          return (
            <g key={column} className={`lane-${getColumnLetter(column).toLowerCase()}`}>
              {interval && (
                <path
                  className="fill-none stroke-lane stroke-2"
                  d={`M${x(100 * interval[0])} ${y}H${x(100 * interval[1])}M${x(100 * interval[0])} ${y - 5}v10M${x(100 * interval[1])} ${y - 5}v10`}
                />
              )}
              <circle className="fill-lane stroke-paper stroke-2" cx={x(100 * difference)} cy={y} r={5} />
            </g>
          );
        })}
      </svg>
      <div className="pt-5 text-12">
        {comparisons.map((comparison) => (
          <span key={comparison.column} className="flex h-8 items-center gap-1 whitespace-nowrap">
            <b className="font-[650]">{formatSignedPoints(comparison)}</b>
            {comparison.interval && <span className="text-ink-3">({formatInterval(comparison)})</span>}
          </span>
        ))}
        <span className="block pt-1 text-11 text-ink-3">
          points<span className="max-phone:hidden"> against {getColumnLetter(baseline)}</span>
        </span>
      </div>
    </div>
  );
}

/** Formats a difference in points with its sign. */
export function formatSignedPoints({ difference }: Pick<Comparison, 'difference'>): string {
  const text = formatDifference(difference);
  return text === '0' ? text : `${difference > 0 ? '+' : '−'}${text}`;
}

/** Formats the interval of a difference in points, without brackets. */
export function formatInterval({ interval }: Comparison): string {
  return interval ? `${formatPoints(interval[0])} to ${formatPoints(interval[1])}` : '';
}

/** Describes all differences for assistive technology. */
export function describeDifferences({ comparisons, baseline }: Verdict): string {
  return `Differences from column ${getColumnLetter(baseline)} in points, with confidence intervals: ${comparisons
    .map((comparison) => `${getColumnLetter(comparison.column)} ${describeComparison(comparison)}`)
    .join('; ')}`;
}

function describeComparison(comparison: Comparison): string {
  return `${formatSignedPoints(comparison)}${comparison.interval ? `, ${formatInterval(comparison)}` : ', no interval'}`;
}

/** Scale of the difference axis in percentage points. The baseline is at 0; all columns share the scale. */
interface PlotScale {
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
