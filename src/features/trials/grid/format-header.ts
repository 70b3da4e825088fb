/** Formats the texts of a column header. */
import { formatCount, formatDuration } from '../../../lib/format.ts';
import type { ColumnStats, LatencyStats } from '../../../state/trials/results/trial-results.ts';
import type { LatencyQuantile } from '../../../trials/latency.ts';
import type { ColumnCounts } from '../../../trials/result-table.ts';
import { getColumnLetter } from '../../../trials/trial.ts';

/** Rounds a rate to a whole percentage. */
export function toPercent(rate: number): number {
  return Math.round(Number((100 * rate).toFixed(6)));
}

/** Formats the accessible name of a column, such as "Column A, MODEL, 78 percent passed, 93 of 120". */
export function formatHeaderName(
  columnIndex: number,
  model: string,
  counts: ColumnCounts | undefined,
): string {
  const columnText = `Column ${getColumnLetter(columnIndex)}, ${model === '' ? 'no model' : model}`;
  if (!counts?.rate) return columnText;
  return `${columnText}, ${toPercent(counts.rate.rate)} percent passed, ${formatPassedCount(counts)}`;
}

/** Formats the number of passed answers: "93 of 120", or "66 of 80 answers" if cases were repeated or grouped. */
export function formatPassedCount({ answers, answered }: Pick<ColumnCounts, 'answers' | 'answered'>): string {
  const countText = `${formatCount(answers.passed)} of ${formatCount(answers.count)}`;
  return answers.count === answered ? countText : `${countText} answers`;
}

function formatMs(ms: number): string {
  const { number, unit } = formatDuration(ms);
  return `${number} ${unit}`;
}

/** Formats the median time to first token and the p95 with its interval, or the number of cases needed for a p95. */
export function formatLatency({ firstToken }: Pick<ColumnStats, 'firstToken'>): {
  median: string;
  tail: string;
} {
  return { median: formatMedian(firstToken), tail: formatTail(firstToken.p95) };
}

function formatMedian({ median }: LatencyStats): string {
  return median.kind === 'known' ? formatMs(median.valueMs) : '';
}

function formatTail(quantile: LatencyQuantile): string {
  if (quantile.kind === 'too few') return `p95 needs ${quantile.minCases} cases`;
  const [low, high] = quantile.rangeMs;
  const formatSeconds = (ms: number) => (ms / 1000).toFixed(2);
  return `p95 ${formatSeconds(quantile.valueMs)} s (${formatSeconds(low)} to ${formatSeconds(high)} s)`;
}
