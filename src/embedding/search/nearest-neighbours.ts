import type { Neighbours, NeighboursPart, EngineHelper } from '../engine/engine.ts';
import type { TimeSlices } from '../engine/time-slices.ts';
import { blockRows, type Matrix } from './matrix.ts';
import { mergeTopLists, createTopLists, insertCandidate, type TopLists } from './top-lists.ts';

/** Minimum number of rows for which helpers save more time than copying costs. */
const minRowsForHelpers = 3_000;

/** Options that only affect speed, never the result. */
export interface NeighboursOptions {
  helpers?: readonly EngineHelper[] | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Computes the exact k nearest neighbours of every row without storing the similarity matrix. With many rows, each
 * helper takes an equal part of the pairs; the division does not affect the result.
 */
export async function computeNeighbours(
  matrix: Matrix,
  k: number,
  slices: TimeSlices,
  { helpers = [], signal }: NeighboursOptions = {},
): Promise<Neighbours> {
  const effectiveK = Math.max(0, Math.min(k, matrix.count - 1));
  const activeHelpers = matrix.count < minRowsForHelpers || effectiveK === 0 ? [] : helpers;
  const partCount = activeHelpers.length + 1;
  const rowCopies = activeHelpers.map(() => matrix.copyRows());
  const helperShares = activeHelpers.map((helper, index) =>
    helper.computeNeighboursShare(
      rowCopies[index] ?? matrix.copyRows(),
      matrix.dimensions,
      { k: effectiveK, index: index + 1, partCount },
      signal ? { signal } : {},
    ),
  );
  // Prevents unhandled rejections: shares that fail while this part is running are awaited afterwards.
  for (const share of helperShares) share.catch(() => undefined);
  const lists = await computeNeighboursPart(matrix, { k: effectiveK, index: 0, partCount }, slices);
  for (const share of helperShares) mergeTopLists(lists, await share);
  return { k: lists.k, rows: lists.rows, scores: lists.scores };
}

/** Returns the neighbours found in one part of the pairs. */
export async function computeNeighboursPart(
  matrix: Matrix,
  { k, index, partCount }: NeighboursPart,
  slices: TimeSlices,
): Promise<TopLists> {
  const { count } = matrix;
  const lists = createTopLists(count, k);
  if (k === 0) return lists;
  const blocks = Math.ceil(count / blockRows);
  const totalBlocks = (blocks * (blocks + 1)) / 2 / partCount;
  let doneBlocks = 0;
  // Takes every partCount-th line of the triangle, so that all parts have similar sizes.
  for (let row = index; row < blocks; row += partCount) {
    const start = row * blockRows;
    const rowRange = { from: start, count: Math.min(blockRows, count - start) };
    for (let column = row; column < blocks; column++) {
      const columnRange = {
        from: column * blockRows,
        count: Math.min(blockRows, count - column * blockRows),
      };
      insertBlock(matrix, rowRange, columnRange, lists);
      const pause = slices.yieldIfDue(++doneBlocks / totalBlocks);
      if (pause) await pause;
    }
  }
  return lists;
}

interface RowRange {
  from: number;
  count: number;
}

/** Inserts every pair of rows from two blocks into the lists. */
function insertBlock(matrix: Matrix, a: RowRange, b: RowRange, lists: TopLists): void {
  const scores = matrix.product(a, b);
  for (let i = 0; i < a.count; i++) {
    const row = a.from + i;
    for (let j = a.from === b.from ? i + 1 : 0; j < b.count; j++)
      insertPair(lists, row, b.from + j, scores[i * b.count + j] ?? 0);
  }
}

function insertPair(lists: TopLists, rowA: number, rowB: number, score: number): void {
  const { worstScores } = lists;
  if (score >= (worstScores[rowA] ?? 0)) insertCandidate(lists, rowA, rowB, score);
  if (score >= (worstScores[rowB] ?? 0)) insertCandidate(lists, rowB, rowA, score);
}
