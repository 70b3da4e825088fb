import { EngineError, type Query, type SearchResult } from '../engine/engine.ts';
import { seededRandom } from '../maps/seeded-sample.ts';
import type { Matrix } from './matrix.ts';
import { emptyLists, offer } from './top-lists.ts';

/** The k best; a row that asks is left out of the ranking. */
export function searchRows(matrix: Matrix, query: Query, k: number): SearchResult {
  const asked = askedOf(matrix, query);
  const own = typeof asked === 'number' ? asked : -1;
  const lists = emptyLists(1, Math.max(0, Math.min(k, matrix.count - (own < 0 ? 0 : 1))));
  if (lists.k === 0) return { rows: lists.rows, scores: lists.scores };
  for (const [row, score] of allScores(matrix, query).entries()) {
    if (row !== own && score >= (lists.worst[0] ?? 0)) offer(lists, 0, row, score);
  }
  return { rows: lists.rows, scores: lists.scores };
}

/** Every row's score. */
export function allScores(matrix: Matrix, query: Query): Float32Array<ArrayBuffer> {
  const scores = new Float32Array(matrix.count);
  matrix.dots(askedOf(matrix, query), scores);
  return scores;
}

function askedOf(matrix: Matrix, query: Query): number | Float32Array {
  return 'row' in query ? rowIn(matrix, query.row) : query.vector;
}

/** The row, or an error where there is none. */
export function rowIn(matrix: Matrix, row: number): number {
  if (Number.isInteger(row) && row >= 0 && row < matrix.count) return row;
  throw new EngineError(`There is no text number ${row + 1} in this set.`);
}

const mostPairs = 20_000;

/** Similarities of different rows, ascending: all of a small set, random ones of a large set. */
export function pairScores(matrix: Matrix): Float32Array<ArrayBuffer> {
  const { count } = matrix;
  const pairs = (count * (count - 1)) / 2;
  const scores = new Float32Array(Math.min(pairs, mostPairs));
  if (pairs <= mostPairs) {
    const row = new Float32Array(count);
    let at = 0;
    for (let one = 0; one < count; one++) {
      matrix.dots(one, row);
      scores.set(row.subarray(one + 1), at);
      at += count - one - 1;
    }
  } else {
    const random = seededRandom(1);
    const [ones, others] = [new Int32Array(mostPairs), new Int32Array(mostPairs)];
    for (let at = 0; at < mostPairs; at++) {
      const one = Math.floor(random() * count);
      ones[at] = one;
      others[at] = (one + 1 + Math.floor(random() * (count - 1))) % count;
    }
    matrix.pairDots(ones, others, scores);
  }
  return scores.toSorted();
}
