import { groupNearEqual, truncateMiddle } from '../../../embedding/items/near-equal.ts';
import type { LabText } from '../../../state/lab/lab-state.ts';

/** Row of the text list. */
export interface ListRow {
  /** Index of the text. */
  text: number;
  /** Rank from 1; 1 is the best score or, without a query, the first text. */
  rank: number;
  /** Number of nearly equal texts below this one, expanded or not. */
  nearEqualCount: number;
  /** Text to which this one is nearly equal and below which it is listed. */
  nearEqualTo?: number;
}

/** Maximum number of texts that are grouped; the cost of grouping more is too high. */
const maxGroupedTexts = 2000;

/** Sorts texts without a query: by group, then in the order of the input. */
export function sortTextsByGroup(texts: readonly LabText[]): number[] {
  const getGroupIndex = (text: number) => texts[text]?.group ?? Infinity;
  const textIndexes = texts.map((_, text) => text);
  if (texts.every(({ group }) => group === undefined)) return textIndexes;
  return textIndexes.toSorted((a, b) =>
    getGroupIndex(a) === getGroupIndex(b) ? a - b : getGroupIndex(a) - getGroupIndex(b),
  );
}

/** Sorts texts by score, best first; texts without a score come last. */
export function sortTextsByScore(
  texts: readonly LabText[],
  getScore: (text: number) => number | undefined,
): number[] {
  const scores = texts.map((_, text) => getScore(text) ?? -Infinity);
  return scores.map((_, text) => text).toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
}

/** Builds one row per text in this order. */
export function buildPlainRows(order: readonly number[]): ListRow[] {
  return order.map((text, index) => ({ text, rank: index + 1, nearEqualCount: 0 }));
}

/**
 * Builds rows in the given order. Nearly equal texts are listed below the best of them, and only while it is expanded.
 */
export function buildGroupedRows(
  order: readonly number[],
  texts: readonly LabText[],
  isOpen: (text: number) => boolean,
): ListRow[] {
  const head = order.slice(0, maxGroupedTexts);
  const rows = groupNearEqual(head.map((text) => texts[text]?.text ?? '')).flatMap(
    ({ firstIndex, otherIndexes }) => {
      const text = head[firstIndex] ?? 0;
      const row: ListRow = { text, rank: firstIndex + 1, nearEqualCount: otherIndexes.length };
      if (!isOpen(text)) return [row];
      return [
        row,
        ...otherIndexes.map((index) => ({
          text: head[index] ?? 0,
          rank: index + 1,
          nearEqualCount: 0,
          nearEqualTo: text,
        })),
      ];
    },
  );
  return [...rows, ...buildPlainRows(order).slice(maxGroupedTexts)];
}

/** Maximum length of a row text, about two lines. */
const maxRowChars = 84;

/** Returns the text of a row. Nearly equal texts are shortened in the middle, so that the difference is visible. */
export function getRowText(row: ListRow, texts: readonly LabText[]): string {
  const text = texts[row.text]?.text ?? '';
  return row.nearEqualTo === undefined
    ? text
    : truncateMiddle(text, texts[row.nearEqualTo]?.text ?? '', maxRowChars);
}
