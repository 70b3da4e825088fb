/** Sentences about columns: plain strings, and values with their own formatting. */
import { formatCount } from '../../../lib/format.ts';
import type { NearMissSetting } from '../../../trials/checks/near-misses.ts';
import { getColumnLetter } from '../../../trials/trial.ts';
import type { ColumnName } from '../format-columns.ts';

export type RichTextPart =
  | string
  | { column: ColumnName }
  | { points: string }
  | { range: string }
  /** Button on screen that switches these settings of the deciding check on. */
  | { ignored: readonly NearMissSetting[] };
export type RichText = RichTextPart[];

/** Explains a range to readers who hover over it. */
export const rangeExplanation = 'Bench is wrong about such a range in at most 1 of 20 trials.';

/** Returns the sentence as plain text. */
export function toPlainText(text: RichText): string {
  return text
    .map((part) => {
      if (typeof part === 'string') return part;
      if ('column' in part) return part.column.name;
      if ('ignored' in part) return '';
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

/** Returns true for a half, which is not rounded, so that 90 % and 67.5 % are visibly 22.5 points apart. */
const isHalf = (value: number): boolean => Math.abs(value % 1) === 0.5;

/** Formats a measured difference without its sign, as whole or half points. */
export function formatDifference(difference: number): string {
  const magnitude = Math.abs(Number((100 * difference).toFixed(4)));
  return isHalf(magnitude) ? magnitude.toFixed(1) : formatPoints(Math.abs(difference));
}

/** Formats the size of a difference, such as "14 points". */
export function formatPointsWithUnit(difference: number): string {
  const number = formatDifference(difference);
  return `${number} ${number === '1' ? 'point' : 'points'}`;
}

/** Formats a range of differences in points, such as "(2 to 27)". */
export function formatPointsRange(low: number, high: number): string {
  return `(${formatPoints(low)} to ${formatPoints(high)})`;
}

/** Formats a share as a whole or half percentage, without the sign. */
export function formatPercent(share: number): string {
  const percent = Number((100 * share).toFixed(6));
  return isHalf(percent) ? percent.toFixed(1) : formatCount(Math.round(percent));
}
