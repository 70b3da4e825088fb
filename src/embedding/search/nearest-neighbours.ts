import type { Neighbours, NeighboursPart, EngineHelper } from '../engine/engine.ts';
import type { Turns } from '../engine/time-slices.ts';
import { blockRows, type Matrix } from './matrix.ts';
import { addLists, emptyLists, offer, type TopLists } from './top-lists.ts';

/** From so many rows on, copying them to a helper costs less than it saves. */
const rowsForHelp = 3_000;

/** What can make it faster; none of it shows in the result. */
export interface NeighboursMeans {
  helpers?: readonly EngineHelper[] | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Exact k nearest neighbours of every row; the matrix of similarities is never stored. Of many rows each helper
 * takes an equal part of the pairs: how the work is divided does not show in the result.
 */
export async function neighboursOf(
  matrix: Matrix,
  k: number,
  turns: Turns,
  { helpers = [], signal }: NeighboursMeans = {},
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
    const from = row * blockRows;
    const asking = { from, count: Math.min(blockRows, count - from) };
    for (let column = row; column < blocks; column++) {
      const asked = { from: column * blockRows, count: Math.min(blockRows, count - column * blockRows) };
      offerBlock(matrix, asking, asked, lists);
      const rest = turns.rest(++done / all);
      if (rest) await rest;
    }
  }
  return lists;
}

interface Rows {
  from: number;
  count: number;
}

/** Every pair of two blocks is offered. */
function offerBlock(matrix: Matrix, a: Rows, b: Rows, lists: TopLists): void {
  const scores = matrix.product(a, b);
  for (let i = 0; i < a.count; i++) {
    const one = a.from + i;
    for (let j = a.from === b.from ? i + 1 : 0; j < b.count; j++)
      offerPair(lists, one, b.from + j, scores[i * b.count + j] ?? 0);
  }
}

function offerPair(lists: TopLists, one: number, other: number, score: number): void {
  const { worst } = lists;
  if (score >= (worst[one] ?? 0)) offer(lists, one, other, score);
  if (score >= (worst[other] ?? 0)) offer(lists, other, one, score);
}
