import type { Neighbours } from './engine.ts';
import { blockRows, type Matrix } from './matrix.ts';
import { emptyLists, offer, type TopLists } from './top-lists.ts';
import type { Turns } from './turns.ts';

/** Blocks of rows against blocks of columns, on and above the diagonal: each pair of rows once. */
export interface BlockPair {
  row: number;
  column: number;
}

/** Exact k nearest neighbours of every row; the matrix of similarities is never stored. */
export async function neighboursOf(matrix: Matrix, k: number, turns: Turns): Promise<Neighbours> {
  const { count } = matrix;
  const lists = emptyLists(count, Math.max(0, Math.min(k, count - 1)));
  const { rows, scores } = lists;
  if (lists.k === 0) return { k: 0, rows, scores };
  const blocks = Math.ceil(count / blockRows);
  const all = (blocks * (blocks + 1)) / 2;
  let done = 0;
  for (let row = 0; row < blocks; row++) {
    for (let column = row; column < blocks; column++) {
      offerBlock(matrix, count, { row, column }, lists);
      const rest = turns.rest(++done / all);
      if (rest) await rest;
    }
  }
  return { k: lists.k, rows, scores };
}

/** Every pair of two blocks is offered to the lists of both its rows. */
export function offerBlock(matrix: Matrix, count: number, { row, column }: BlockPair, lists: TopLists): void {
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
