import { pointsWords, type ColumnName } from '../../../trials/describe-verdict.ts';
import { letterAt } from '../../../trials/trial.ts';
import type { Comparison, Verdict } from '../../../trials/verdict.ts';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { plotScale } from './plot-scale.ts';

interface DifferencePlotProps {
  verdict: Verdict;
  names: readonly ColumnName[];
  /** Points: what counts as about the same. */
  margin: number;
  isRunning: boolean;
}

const axisPx = 300;
const rowPx = 32;
const topPx = 20;
const axisWordsPx = 22;
/** Names and figures stand beside their rows, also where the drawing is three quarters as wide. */
const labelsTop = 'pt-5 @max-[1100px]:pt-3.75';
const labelRow = 'h-8 @max-[1100px]:h-6';

/** How high the plot of so many comparisons is. */
export function plotHeightPx(comparisons: number): number {
  return topPx + comparisons * rowPx + axisWordsPx;
}

/** What every column differs from the baseline by, on one axis. The same figures stand in "How this is counted". */
export function DifferencePlot({ verdict, names, margin, isRunning }: DifferencePlotProps) {
  const { comparisons, baseline } = verdict;
  const scale = plotScale(comparisons, margin);
  const x = (points: number) => Math.round(scale.at(points) * axisPx * 10) / 10;
  const bottom = topPx + comparisons.length * rowPx;
  const nameOf = (column: number) => names[column] ?? { letter: letterAt(column), name: letterAt(column) };
  return (
    <div
      role="img"
      aria-label={`Differences from column ${letterAt(baseline)} in points, with the ranges not ruled out: ${comparisons
        .map((each) => `${letterAt(each.column)} ${comparisonWords(each)}`)
        .join('; ')}`}
      // As high beside an open cell, where it is drawn smaller.
      className="flex min-h-(--plot) gap-3 max-phone:min-h-0 max-phone:gap-2"
      style={{ '--plot': `${plotHeightPx(comparisons.length)}px` }}
    >
      <div className={`max-w-44 max-phone:max-w-20 ${labelsTop}`}>
        {comparisons.map(({ column }) => (
          <span key={column} className={`flex items-center gap-2 ${labelRow}`}>
            <LaneTile letter={letterAt(column)} />
            <span className="truncate font-[550] max-phone:hidden @max-[1100px]:hidden">
              {nameOf(column).name}
            </span>
          </span>
        ))}
      </div>
      <svg
        aria-hidden
        viewBox={`-14 0 ${axisPx + 28} ${bottom + axisWordsPx}`}
        className="block h-auto w-82 min-w-0 shrink fill-ink-3 text-11 @max-[1100px]:w-62"
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
        {comparisons.map(({ column, range, difference }, index) => {
          const y = topPx + index * rowPx + rowPx / 2;
          return (
            <g key={column} className={`lane-${letterAt(column).toLowerCase()}`}>
              {range && (
                <path
                  className="fill-none stroke-lane stroke-2"
                  d={`M${x(100 * range[0])} ${y}H${x(100 * range[1])}M${x(100 * range[0])} ${y - 5}v10M${x(100 * range[1])} ${y - 5}v10`}
                />
              )}
              <circle
                className={`fill-lane stroke-2 ${isRunning ? 'stroke-needle' : 'stroke-paper'}`}
                cx={x(100 * difference)}
                cy={y}
                r={5}
              />
            </g>
          );
        })}
      </svg>
      <div className={`text-12 ${labelsTop}`}>
        {comparisons.map((each) => (
          <span key={each.column} className={`flex items-center gap-1 whitespace-nowrap ${labelRow}`}>
            <b className="font-[650]">{signedPoints(each)}</b>
            {each.range && <span className="text-ink-3">({rangeWords(each)})</span>}
          </span>
        ))}
        <span className="block pt-1 text-11 text-ink-3">
          points<span className="max-phone:hidden"> against {letterAt(baseline)}</span>
        </span>
      </div>
    </div>
  );
}

function signedPoints({ difference }: Comparison): string {
  const words = pointsWords(difference);
  return difference > 0 && words !== '0' ? `+${words}` : words;
}

function rangeWords({ range }: Comparison): string {
  return range ? `${pointsWords(range[0])} to ${pointsWords(range[1])}` : '';
}

function comparisonWords(each: Comparison): string {
  return `${signedPoints(each)}${each.range ? `, ${rangeWords(each)}` : ', nothing left'}`;
}
