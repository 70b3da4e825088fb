import { clsx } from 'clsx';

import type { RateEstimate } from '../../../trials/statistics/intervals.ts';
import { getColumnLetter } from '../../../trials/trial.ts';
import type { Verdict } from '../../../trials/verdict.ts';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import type { ColumnName } from '../format-columns.ts';
import { formatPassedCount, toPercent } from '../grid/format-header.ts';
import { describeDifferences, formatInterval, formatSignedPoints } from './difference-plot.tsx';
import { formatPercent } from './rich-text.ts';

interface RatesChartProps {
  verdict: Verdict;
  names: readonly ColumnName[];
  isRunning: boolean;
}

const captionPx = 16;
const getRowPx = (columns: number): number => (columns <= 3 ? 24 : columns === 4 ? 20 : 18);

/** Returns the height of the chart with this number of columns, in px. */
export function getChartHeightPx(columns: number): number {
  return columns * getRowPx(columns) + captionPx;
}

/** Columns of a row: tile, name, bar, rate, count and difference. Their widths are fixed, so that nothing moves. */
const rowClasses =
  'grid grid-cols-[16px_8.5rem_9rem_2.75rem_6.5rem_8rem] items-center gap-x-2.5 whitespace-nowrap @max-[1100px]:grid-cols-[16px_7.5rem_2.75rem_8rem] max-phone:grid-cols-[16px_minmax(0,1fr)_2.75rem_8rem]!';
const wideOnlyClasses = '@max-[1100px]:hidden max-phone:hidden';

/** Pass rates of all columns on one axis, with the difference from the baseline. */
export function RatesChart({ verdict, names, isRunning }: RatesChartProps) {
  const { columns, comparisons, baseline } = verdict;
  const rowPx = getRowPx(columns.length);
  return (
    <div role="img" aria-label={describeRates(verdict)} className="flex-none text-12">
      {columns.map((counts, column) => {
        const comparison = comparisons.find(
          (candidate) => candidate.column === column && candidate.units > 0,
        );
        const letter = getColumnLetter(column);
        return (
          <div
            key={column}
            className={`lane-${letter.toLowerCase()} ${rowClasses}`}
            style={{ height: rowPx }}
          >
            <LaneTile letter={letter} />
            <span className={clsx('truncate font-[550]', wideOnlyClasses)}>{names[column]?.name}</span>
            <RateBar rate={counts.rate} isRunning={isRunning} />
            <b className="text-right font-[650]">{counts.rate && `${formatPercent(counts.rate.rate)} %`}</b>
            <span className={clsx('text-ink-3', wideOnlyClasses)}>
              {counts.rate && formatPassedCount(counts)}
            </span>
            {comparison ? (
              <span>
                <b className="font-[550]">{formatSignedPoints(comparison)}</b>
                {comparison.interval && <span className="text-ink-3"> ({formatInterval(comparison)})</span>}
              </span>
            ) : (
              <span className="text-ink-3">{column === baseline && columns.length > 1 && 'baseline'}</span>
            )}
          </div>
        );
      })}
      <div className={`h-4 text-11 text-ink-3 ${rowClasses}`}>
        <span />
        <span className={wideOnlyClasses} />
        <span className="flex justify-between">
          <span>0</span>
          <span>100 % passed</span>
        </span>
        <span />
        <span className={wideOnlyClasses} />
        <span>{comparisons.length > 0 && `points against ${getColumnLetter(baseline)}`}</span>
      </div>
    </div>
  );
}

const axisPx = 160;

interface RateBarProps {
  rate: RateEstimate | undefined;
  isRunning: boolean;
  /** True on the stage. */
  isLarge?: boolean;
}

/** Rate with its interval on a bar from 0 to 100 %. */
export function RateBar({ rate, isRunning, isLarge = false }: RateBarProps) {
  const x = (share: number) => Math.round(share * axisPx * 10) / 10;
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${axisPx} 16`}
      preserveAspectRatio="none"
      className={clsx('block w-full', isLarge ? 'h-10' : 'h-4')}
    >
      <rect className="fill-sunken" width={axisPx} y="3" height="10" />
      {rate && (
        <>
          <rect className="fill-lane" y="3" width={x(rate.rate)} height="10" />
          {rate.interval && (
            <path
              className={clsx(
                'fill-none',
                isLarge ? 'stroke-3' : 'stroke-[1.5]',
                isRunning ? 'stroke-needle' : 'stroke-ink',
              )}
              vectorEffect="non-scaling-stroke"
              d={`M${x(rate.interval[0])} 8H${x(rate.interval[1])}M${x(rate.interval[0])} 5v6M${x(rate.interval[1])} 5v6`}
            />
          )}
        </>
      )}
    </svg>
  );
}

/** Describes the rates and the differences for screen readers. */
export function describeRates(verdict: Verdict): string {
  const rates = verdict.columns.flatMap(({ rate }, column) =>
    rate
      ? [
          `${getColumnLetter(column)} ${toPercent(rate.rate)} percent${rate.interval ? `, confidence interval ${toPercent(rate.interval[0])} to ${toPercent(rate.interval[1])}` : ''}`,
        ]
      : [],
  );
  const ratesText = `Passed: ${rates.join('; ')}`;
  return verdict.comparisons.some(({ units }) => units > 0)
    ? `${describeDifferences(verdict)}. ${ratesText}`
    : ratesText;
}
