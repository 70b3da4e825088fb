/** What the head of a column says. */
import { formatCount, formatDuration } from '../../../lib/format.ts';
import type { ColumnFacts, LatencyFacts } from '../../../state/trials/open-trial.ts';
import type { LatencyFigure } from '../../../trials/latency.ts';
import type { ColumnCounts } from '../../../trials/result-table.ts';
import { letterAt } from '../../../trials/trial.ts';

/** Whole percent of a rate. */
export function percentOf(rate: number): number {
  return Math.round(Number((100 * rate).toFixed(6)));
}

/** "Column A, MODEL, 78 percent passed, 93 of 120" */
export function headName(place: number, model: string, counts: ColumnCounts | undefined): string {
  const column = `Column ${letterAt(place)}, ${model === '' ? 'no model' : model}`;
  if (!counts?.rate) return column;
  return `${column}, ${percentOf(counts.rate.rate)} percent passed, ${passedWords(counts)}`;
}

/** "93 of 120"; of averaged repeats the range. */
export function passedWords({ passed, answered, rate }: ColumnCounts): string {
  if (Number.isInteger(passed)) return `${formatCount(passed)} of ${formatCount(answered)}`;
  return rate ? `${percentOf(rate.range[0])} to ${percentOf(rate.range[1])}` : '';
}

function durationWords(ms: number): string {
  const { number, unit } = formatDuration(ms);
  return `${number} ${unit}`;
}

/** The median of the first token, and p95 with its range, or from when on there is one. */
export function latencyWords({ firstToken }: Pick<ColumnFacts, 'firstToken'>): {
  median: string;
  tail: string;
} {
  return { median: medianWords(firstToken), tail: tailWords(firstToken.p95) };
}

function medianWords({ median }: LatencyFacts): string {
  return median.kind === 'known' ? durationWords(median.valueMs) : '';
}

function tailWords(figure: LatencyFigure): string {
  if (figure.kind === 'too few') return `p95 from ${figure.from} answers on`;
  const [low, high] = figure.rangeMs;
  const seconds = (ms: number) => (ms / 1000).toFixed(2);
  return `${seconds(figure.valueMs)} s p95 (${seconds(low)} to ${seconds(high)})`;
}
