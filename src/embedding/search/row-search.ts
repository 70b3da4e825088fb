import { createSeededRandom } from '../../lib/random.ts';
import { EngineError, type Query, type SearchResult } from '../engine/engine.ts';
import type { Matrix } from './matrix.ts';
import { createTopLists, insertCandidate } from './top-lists.ts';

/** Returns the k best rows; a row used as the query is left out. */
export function searchRows(matrix: Matrix, query: Query, k: number): SearchResult {
  const resolvedQuery = resolveQuery(matrix, query);
  const queryRow = typeof resolvedQuery === 'number' ? resolvedQuery : -1;
  const lists = createTopLists(1, Math.max(0, Math.min(k, matrix.count - (queryRow < 0 ? 0 : 1))));
  if (lists.k === 0) return { rows: lists.rows, scores: lists.scores };
  for (const [row, score] of computeScores(matrix, query).entries()) {
    if (row !== queryRow && score >= (lists.worstScores[0] ?? 0)) insertCandidate(lists, 0, row, score);
  }
  return { rows: lists.rows, scores: lists.scores };
}

/** Returns the score of every row. */
export function computeScores(matrix: Matrix, query: Query): Float32Array<ArrayBuffer> {
  const scores = new Float32Array(matrix.count);
  matrix.dots(resolveQuery(matrix, query), scores);
  return scores;
}

function resolveQuery(matrix: Matrix, query: Query): number | Float32Array {
  return 'row' in query ? validateRow(matrix, query.row) : query.vector;
}

/** Returns the row. Throws an EngineError if it does not exist. */
export function validateRow(matrix: Matrix, row: number): number {
  if (Number.isInteger(row) && row >= 0 && row < matrix.count) return row;
  throw new EngineError(`This set has no text ${row + 1}.`);
}

const maxPairs = 20_000;

/** Returns similarities of different rows in ascending order: all of a small set, random ones of a large set. */
export function computePairScores(matrix: Matrix): Float32Array<ArrayBuffer> {
  const { count } = matrix;
  const pairCount = (count * (count - 1)) / 2;
  const scores = new Float32Array(Math.min(pairCount, maxPairs));
  if (pairCount <= maxPairs) {
    const rowScores = new Float32Array(count);
    let offset = 0;
    for (let firstRow = 0; firstRow < count; firstRow++) {
      matrix.dots(firstRow, rowScores);
      scores.set(rowScores.subarray(firstRow + 1), offset);
      offset += count - firstRow - 1;
    }
  } else {
    const random = createSeededRandom(1);
    const [firstRows, secondRows] = [new Int32Array(maxPairs), new Int32Array(maxPairs)];
    for (let index = 0; index < maxPairs; index++) {
      const firstRow = Math.floor(random() * count);
      firstRows[index] = firstRow;
      secondRows[index] = (firstRow + 1 + Math.floor(random() * (count - 1))) % count;
    }
    matrix.pairDots(firstRows, secondRows, scores);
  }
  return scores.toSorted();
}
