/** Sentences about columns: plain strings, and values with their own formatting. */
import { formatCount } from '../../../lib/format.ts';
import { getColumnLetter } from '../../../trials/trial.ts';
import type { ColumnName } from '../format-columns.ts';

export type RichTextPart = string | { column: ColumnName } | { points: string } | { range: string };
export type RichText = RichTextPart[];

/** Explains a range to readers who hover over it. */
export const rangeExplanation = 'Bench is wrong about such a range in at most 1 of 20 trials.';

/** Returns the sentence as plain text. */
export function toPlainText(text: RichText): string {
  return text
    .map((part) => {
      if (typeof part === 'string') return part;
      if ('column' in part) return part.column.name;
      return 'points' in part ? part.points : part.range;
    })
    .join('');
}

/** Joins items: "B", "B and D", "B, D and E". */
export function joinRichText(items: readonly RichText[], lastSeparator = ' and '): RichText {
  return items.flatMap((part, index): RichText => {
    if (index === 0) return [...part];
    return [index === items.length - 1 ? lastSeparator : ', ', ...part];
  });
}

/** Returns the part for a column, by its letter if it has no name. */
export function toColumnPart(names: readonly ColumnName[], column: number): { column: ColumnName } {
  return {
    column: names[column] ?? { letter: getColumnLetter(column), name: getColumnLetter(column) },
  };
}

/** Formats a difference as whole points. A difference other than 0 that would round to 0 keeps one decimal. */
export function formatPoints(difference: number): string {
  // Removes binary rounding errors first: 14.499999 becomes 14.5.
  const points = Number((100 * difference).toFixed(4));
  const magnitude = Math.abs(points);
  const rounded = Math.round(magnitude);
  const number = rounded === 0 && magnitude >= 0.05 ? magnitude.toFixed(1) : formatCount(rounded);
  return points < 0 && Number(number) !== 0 ? `−${number}` : number;
}

/** Formats the size of a difference, such as "14 points". */
export function formatPointsWithUnit(difference: number): string {
  const number = formatPoints(Math.abs(difference));
  return `${number} ${number === '1' ? 'point' : 'points'}`;
}

/** Formats a range of differences in points, such as "(2 to 27)". */
export function formatPointsRange(low: number, high: number): string {
  return `(${formatPoints(low)} to ${formatPoints(high)})`;
}

/** Formats a share as a whole percentage, without the sign. */
export function formatPercent(share: number): string {
  return formatCount(Math.round(Number((100 * share).toFixed(6))));
}
