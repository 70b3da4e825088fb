import { nearEqualGroups, cutInMiddle } from '../../../embedding/items/near-equal.ts';
import type { LabText } from '../../../state/lab/lab-state.ts';

/** A row of the list of texts. */
export interface ListRow {
  /** Place of the text. */
  text: number;
  /** 1 is the best, or the first. */
  rank: number;
  /** Near-equal texts that stand under it, open or not. */
  others: number;
  /** The text that it is nearly equal to, under which it stands. */
  like?: number;
}

/** Grouping more would cost more than it shows: nobody reads so far. */
const mostGrouped = 2000;

/** Texts in groups and without a query: the order of the groups, and in each that of the input. */
export function orderByGroup(texts: readonly LabText[]): number[] {
  const placeOf = (text: number) => texts[text]?.group ?? Infinity;
  const places = texts.map((_, text) => text);
  if (texts.every(({ group }) => group === undefined)) return places;
  return places.toSorted((one, other) =>
    placeOf(one) === placeOf(other) ? one - other : placeOf(one) - placeOf(other),
  );
}

/** Best score first; texts without one come last. */
export function orderByScore(
  texts: readonly LabText[],
  scoreOf: (text: number) => number | undefined,
): number[] {
  const scores = texts.map((_, text) => scoreOf(text) ?? -Infinity);
  return scores
    .map((_, text) => text)
    .toSorted((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || one - other);
}

/** Rows in this order, one for each text. */
export function plainRows(order: readonly number[]): ListRow[] {
  return order.map((text, at) => ({ text, rank: at + 1, others: 0 }));
}

/** Rows in this order; near-equal texts stand under the best of them, and only where that one is open. */
export function groupedRows(
  order: readonly number[],
  texts: readonly LabText[],
  isOpen: (text: number) => boolean,
): ListRow[] {
  const head = order.slice(0, mostGrouped);
  const rows = nearEqualGroups(head.map((text) => texts[text]?.text ?? '')).flatMap(({ first, others }) => {
    const text = head[first] ?? 0;
    const row: ListRow = { text, rank: first + 1, others: others.length };
    if (!isOpen(text)) return [row];
    return [row, ...others.map((at) => ({ text: head[at] ?? 0, rank: at + 1, others: 0, like: text }))];
  });
  return [...rows, ...plainRows(order).slice(mostGrouped)];
}

/** About two lines. */
const twoLines = 84;

/** What a row shows of its text: one that is like another is cut in the middle, the own part is seen. */
export function wordsOfRow(row: ListRow, texts: readonly LabText[]): string {
  const words = texts[row.text]?.text ?? '';
  return row.like === undefined ? words : cutInMiddle(words, texts[row.like]?.text ?? '', twoLines);
}
