import { groupNearEqual, truncateMiddle } from '../../../embedding/items/near-equal.ts';
import type { LabText } from '../../../state/lab/lab-state.ts';

/** Row of the text list. */
export interface ListRow {
  /** Index of the text. */
  text: number;
  /** Rank from 1: the best score, or the first text. */
  rank: number;
  /** Number of near-equal texts listed under it, expanded or not. */
  nearEqualCount: number;
  /** Text that this one is nearly equal to and listed under. */
  nearEqualTo?: number;
}

/** Maximum number of texts to group; the cost is not worth it beyond. */
const maxGroupedTexts = 2000;

/** Sorts texts by group without a query: in the order of the groups, then of the input. */
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

/** Builds rows in this order; near-equal texts are listed under the best of them, only while it is expanded. */
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

/** Returns the text of a row. Near-equal texts are shortened in the middle so that the difference is visible. */
export function getRowText(row: ListRow, texts: readonly LabText[]): string {
  const text = texts[row.text]?.text ?? '';
  return row.nearEqualTo === undefined
    ? text
    : truncateMiddle(text, texts[row.nearEqualTo]?.text ?? '', maxRowChars);
}
