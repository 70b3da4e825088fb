import type { RateEstimate } from '../../../trials/statistics/intervals.ts';
import { toPercent } from './format-header.ts';

const widthPx = 120;

/** Pass rate with its interval on a bar from 0 to 100, the same scale in all columns. */
export function RateBar({ rate }: { rate: RateEstimate }) {
  const [low, high] = rate.interval;
  const x = (share: number) => Math.round(share * widthPx * 10) / 10;
  return (
    <svg
      role="img"
      aria-label={`${toPercent(rate.rate)} percent passed, confidence interval ${toPercent(low)} to ${toPercent(high)} percent`}
      viewBox={`-1 0 ${widthPx + 2} 14`}
      className="h-3.5 w-30 min-w-10 shrink"
    >
      <path
        className="fill-none stroke-line-2"
        d={`M0 7.5H${widthPx}M.5 4.5v6M${widthPx / 2} 5.5v4M${widthPx - 0.5} 4.5v6`}
      />
      <rect
        className="fill-lane opacity-35"
        x={x(low)}
        y="4.5"
        width={Math.max(1, x(high) - x(low))}
        height="6"
        rx="1"
      />
      <path className="stroke-lane stroke-2" d={`M${x(rate.rate)} 1v13`} />
    </svg>
  );
}
