import { groupNearEqual, truncateMiddle } from '../../../embedding/items/near-equal.ts';
import type { LabText } from '../../../state/lab/lab-state.ts';

/** A row of the list of texts. */
export interface ListRow {
  /** Place of the text. */
  text: number;
  /** 1 is the best, or the first. */
  rank: number;
  /** Near-equal texts that stand under it, open or not. */
  nearEqualCount: number;
  /** The text that it is nearly equal to, under which it stands. */
  nearEqualTo?: number;
}

/** Grouping more would cost more than it shows: nobody reads so far. */
const maxGroupedTexts = 2000;

/** Texts in groups and without a query: the order of the groups, and in each that of the input. */
export function sortTextsByGroup(texts: readonly LabText[]): number[] {
  const getGroupIndex = (text: number) => texts[text]?.group ?? Infinity;
  const textIndexes = texts.map((_, text) => text);
  if (texts.every(({ group }) => group === undefined)) return textIndexes;
  return textIndexes.toSorted((a, b) =>
    getGroupIndex(a) === getGroupIndex(b) ? a - b : getGroupIndex(a) - getGroupIndex(b),
  );
}

/** Best score first; texts without one come last. */
export function sortTextsByScore(
  texts: readonly LabText[],
  getScore: (text: number) => number | undefined,
): number[] {
  const scores = texts.map((_, text) => getScore(text) ?? -Infinity);
  return scores.map((_, text) => text).toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
}

/** Rows in this order, one for each text. */
export function buildPlainRows(order: readonly number[]): ListRow[] {
  return order.map((text, index) => ({ text, rank: index + 1, nearEqualCount: 0 }));
}

/** Rows in this order; near-equal texts stand under the best of them, and only where that one is open. */
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

/** About two lines. */
const maxRowChars = 84;

/** What a row shows of its text: one that is like another is cut in the middle, the own part is seen. */
export function getRowText(row: ListRow, texts: readonly LabText[]): string {
  const text = texts[row.text]?.text ?? '';
  return row.nearEqualTo === undefined
    ? text
    : truncateMiddle(text, texts[row.nearEqualTo]?.text ?? '', maxRowChars);
}
