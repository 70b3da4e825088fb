import type { Neighbours, NeighboursPart, EngineHelper } from './engine.ts';
import { blockRows, type Matrix } from './matrix.ts';
import { addLists, emptyLists, offer, type TopLists } from './top-lists.ts';
import type { Turns } from './turns.ts';

/** Blocks of rows against blocks of columns, on and above the diagonal: each pair of rows once. */
interface BlockPair {
  row: number;
  column: number;
}

/** From so many rows on, copying them to a helper costs less than it saves. */
const rowsForHelp = 3_000;

/**
 * Exact k nearest neighbours of every row; the matrix of similarities is never stored. Of many rows each helper
 * takes an equal part of the pairs: how the work is divided does not show in the result.
 */
export async function neighboursOf(
  matrix: Matrix,
  k: number,
  turns: Turns,
  helpers: readonly EngineHelper[] = [],
  signal?: AbortSignal,
): Promise<Neighbours> {
  const wanted = Math.max(0, Math.min(k, matrix.count - 1));
  const helping = matrix.count < rowsForHelp || wanted === 0 ? [] : helpers;
  const of = helping.length + 1;
  const rows = helping.map(() => matrix.rows());
  const theirs = helping.map((helper, place) =>
    helper.share(
      rows[place] ?? matrix.rows(),
      matrix.dimensions,
      { k: wanted, index: place + 1, of },
      signal ? { signal } : {},
    ),
  );
  // Those that fail while this part still works are looked at after it.
  for (const share of theirs) share.catch(() => undefined);
  const own = await neighboursPartOf(matrix, { k: wanted, index: 0, of }, turns);
  for (const share of theirs) addLists(own, await share);
  return { k: own.k, rows: own.rows, scores: own.scores };
}

/** What is found in one part of the pairs. */
export async function neighboursPartOf(
  matrix: Matrix,
  { k, index, of }: NeighboursPart,
  turns: Turns,
): Promise<TopLists> {
  const { count } = matrix;
  const lists = emptyLists(count, k);
  if (k === 0) return lists;
  const blocks = Math.ceil(count / blockRows);
  const all = (blocks * (blocks + 1)) / 2 / of;
  let done = 0;
  // Every of-th line of the triangle, so that all parts hold about as much.
  for (let row = index; row < blocks; row += of) {
    for (let column = row; column < blocks; column++) {
      offerBlock(matrix, count, { row, column }, lists);
      const rest = turns.rest(++done / all);
      if (rest) await rest;
    }
  }
  return lists;
}

/** Every pair of two blocks is offered to the lists of both its rows. */
function offerBlock(matrix: Matrix, count: number, { row, column }: BlockPair, lists: TopLists): void {
  const a = { from: row * blockRows, count: Math.min(blockRows, count - row * blockRows) };
  const b = { from: column * blockRows, count: Math.min(blockRows, count - column * blockRows) };
  const { worst } = lists;
  const scores = matrix.product(a, b);
  for (let i = 0; i < a.count; i++) {
    const one = a.from + i;
    for (let j = row === column ? i + 1 : 0; j < b.count; j++) {
      const score = scores[i * b.count + j] ?? 0;
      const other = b.from + j;
      if (score >= (worst[one] ?? 0)) offer(lists, one, other, score);
      if (score >= (worst[other] ?? 0)) offer(lists, other, one, score);
    }
  }
}
