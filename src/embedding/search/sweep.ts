import { createSeededRandom } from '../../lib/random.ts';
import {
  EngineError,
  type NeighboursPart,
  type SweepSettings,
  type SweepStep,
  type EngineHelper,
} from '../engine/engine.ts';
import { createSubSlices, type TimeSlices } from '../engine/time-slices.ts';
import { sampleIndexes } from '../maps/sample-indexes.ts';
import { blockRows, type Matrix } from './matrix.ts';
import { sampleRowPairs, listNearPairs, countSharedNeighbours, type RowPairs } from './pairs.ts';
import { createEstimator, computeSpearman } from './statistics.ts';
import { mergeTopLists, createTopLists, insertCandidate, type TopLists } from './top-lists.ts';

/** Maximum number of queries; larger sets use a sample. */
const maxQueries = 2_048;
/** Minimum number of values for which helpers save more time than copying costs. */
const minNumbersForHelpers = 1_000_000;

/**
 * Computes the quality loss for each shorter size. Dot products grow slice by slice from the shortest prefix to the
 * whole vector, so all sizes together cost one matrix.
 */
export async function computeSweep(
  matrix: Matrix,
  settings: SweepSettings,
  slices: TimeSlices,
  helpers: readonly EngineHelper[] = [],
  signal?: AbortSignal,
): Promise<SweepStep[]> {
  const { count } = matrix;
  const allSizes = listSizes(matrix, settings.dimensions);
  const k = Math.max(0, Math.min(settings.k, count - 1));
  const queries = sampleIndexes(count, maxQueries, createSeededRandom(settings.seed));
  const activeHelpers = count * matrix.dimensions < minNumbersForHelpers || k === 0 ? [] : helpers;
  const partCount = activeHelpers.length + 1;
  const helperShares = activeHelpers.map((helper, index) =>
    helper.computeSweepShare(
      matrix.copyRows(),
      allSizes,
      queries,
      { k, index: index + 1, partCount },
      signal ? { signal } : {},
    ),
  );
  // Prevents unhandled rejections: shares that fail while this part is running are awaited afterwards.
  for (const share of helperShares) share.catch(() => undefined);
  const scales = computePrefixScales(matrix, allSizes);
  const ownPart = { k, index: 0, partCount };
  const lists = await computePrefixLists(
    matrix,
    allSizes,
    queries,
    ownPart,
    createSubSlices(slices, 0, 0.9),
    scales,
  );
  for (const share of helperShares) {
    for (const [index, list] of (await share).entries()) {
      const ownLists = lists[index];
      if (ownLists) mergeTopLists(ownLists, list);
    }
  }
  const fullLists = lists.at(-1) ?? createTopLists(0, k);
  const nearPairs = listNearPairs(queries, lists);
  const randomPairs = sampleRowPairs(count, createSeededRandom(settings.seed + 1));
  const nearScores = computePrefixScores(matrix, nearPairs, allSizes, scales);
  const randomScores = computePrefixScores(matrix, randomPairs, allSizes, scales);
  const estimate = createEstimator(queries.length, settings.seed);
  return allSizes.flatMap((dimensions, index): SweepStep[] => {
    const ownLists = lists[index];
    if (!settings.dimensions.includes(dimensions) || !ownLists) return [];
    const keptCounts = Uint16Array.from(queries, (_, query) =>
      countSharedNeighbours(ownLists, fullLists, query),
    );
    const sameNearestHits = Uint8Array.from(queries, (_, query) =>
      ownLists.rows[query * k] === fullLists.rows[query * k] ? 1 : 0,
    );
    return [
      {
        dimensions,
        bytesPerVector: dimensions * 4,
        k,
        recall: estimate(Float64Array.from(keptCounts, (number) => (k === 0 ? 1 : number / k))),
        sameNearestShare: estimate(sameNearestHits),
        rankCorrelation: {
          near: computeSpearman(nearScores[index] ?? [], nearScores.at(-1) ?? []),
          random: computeSpearman(randomScores[index] ?? [], randomScores.at(-1) ?? []),
        },
        ...(settings.labels
          ? { sameLabelShare: computeSameLabelShare(ownLists, queries, settings.labels) }
          : {}),
        queries: queries.slice(),
        keptCounts,
      },
    ];
  });
}

/** Returns the requested sizes and the full size, ascending. */
function listSizes(matrix: Matrix, requestedSizes: readonly number[]): number[] {
  const invalidSize = requestedSizes.find(
    (size) => size < 4 || size > matrix.dimensions || (size % 4 !== 0 && size !== matrix.dimensions),
  );
  if (invalidSize !== undefined) {
    throw new EngineError(
      `Cannot truncate to ${invalidSize}. Use a multiple of 4 up to ${matrix.dimensions}.`,
    );
  }
  return [...new Set([...requestedSizes, matrix.dimensions])].toSorted((a, b) => a - b);
}

/** Returns the nearest rows of each query at each size, from one part of the pairs. */
export async function computePrefixLists(
  matrix: Matrix,
  sizes: readonly number[],
  queries: Int32Array,
  { k, index, partCount }: NeighboursPart,
  slices: TimeSlices,
  scales: readonly Float32Array[] = computePrefixScales(matrix, sizes),
): Promise<TopLists[]> {
  const { count } = matrix;
  const lists = sizes.map(() => createTopLists(queries.length, k));
  if (k === 0) return lists;
  // If all rows are queries, each pair of rows is examined once for both.
  const coversAllRows = queries.length === count;
  for (let top = index * blockRows; top < queries.length; top += partCount * blockRows) {
    const queryRows = queries.subarray(top, top + blockRows);
    for (let left = coversAllRows ? top : 0; left < count; left += blockRows) {
      const columns = { from: left, count: Math.min(blockRows, count - left) };
      if (!coversAllRows) matrix.gather(0, queryRows);
      const rows = coversAllRows
        ? { from: top, count: queryRows.length }
        : { slot: 0 as const, count: queryRows.length };
      for (const [index, sizeLists] of lists.entries()) {
        const dots = matrix.product(rows, columns, sizes[index - 1] ?? 0, sizes[index], index > 0);
        const scale = scales[index];
        if (scale)
          insertBlock(sizeLists, dots, scale, { queryRows, top, left, count: columns.count, coversAllRows });
      }
      const pause = slices.yieldIfDue((top + blockRows * (left / count)) / queries.length);
      if (pause) await pause;
    }
  }
  return lists;
}

interface Block {
  /** Query rows of the block, and the index of the first among all queries. */
  queryRows: Int32Array;
  top: number;
  /** First candidate row and number of candidates. */
  left: number;
  count: number;
  /** All rows are queries, so the candidates are also queries. */
  coversAllRows: boolean;
}

function insertBlock(lists: TopLists, dots: Float32Array, scale: Float32Array, block: Block): void {
  const { queryRows, top, left, count, coversAllRows } = block;
  const { worstScores } = lists;
  for (let i = 0; i < queryRows.length; i++) {
    const row = queryRows[i] ?? 0;
    const ownScale = scale[row] ?? 0;
    const offset = i * count;
    let threshold = worstScores[top + i] ?? 0;
    for (let j = coversAllRows && left === top ? i + 1 : 0; j < count; j++) {
      const candidate = left + j;
      const score = Math.fround((dots[offset + j] ?? 0) * ownScale * (scale[candidate] ?? 0));
      if (score >= threshold && candidate !== row) {
        insertCandidate(lists, top + i, candidate, score);
        threshold = worstScores[top + i] ?? 0;
      }
      if (coversAllRows && score >= (worstScores[candidate] ?? 0))
        insertCandidate(lists, candidate, row, score);
    }
  }
}

/** Returns for each size the factors that scale each row's prefix to length 1. */
function computePrefixScales(matrix: Matrix, sizes: readonly number[]): Float32Array[] {
  const rows = Int32Array.from({ length: matrix.count }, (_, row) => row);
  const partialSquares = new Float32Array(matrix.count);
  const squares = new Float64Array(matrix.count);
  return sizes.map((size, index) => {
    matrix.pairDots(rows, rows, partialSquares, sizes[index - 1] ?? 0, size);
    return Float32Array.from(partialSquares, (addedSquares, row) => {
      const sum = (squares[row] ?? 0) + addedSquares;
      squares[row] = sum;
      return sum === 0 ? 1 : 1 / Math.sqrt(sum);
    });
  });
}

/** Returns for each size the similarity of each pair. */
function computePrefixScores(
  matrix: Matrix,
  { a, b }: RowPairs,
  sizes: readonly number[],
  scales: readonly Float32Array[],
): Float32Array[] {
  const partialDots = new Float32Array(a.length);
  const dots = new Float64Array(a.length);
  return scales.map((scale, index) => {
    matrix.pairDots(a, b, partialDots, sizes[index - 1] ?? 0, sizes[index]);
    for (let pair = 0; pair < partialDots.length; pair++)
      dots[pair] = (dots[pair] ?? 0) + (partialDots[pair] ?? 0);
    return Float32Array.from(
      dots,
      (dot, pair) => dot * (scale[a[pair] ?? 0] ?? 0) * (scale[b[pair] ?? 0] ?? 0),
    );
  });
}

/** Returns the share of labelled queries whose neighbours vote for their own group; ties go to the nearest. */
function computeSameLabelShare({ k, rows }: TopLists, queries: Int32Array, labels: Int32Array): number {
  let [correctCount, labelledCount] = [0, 0];
  for (const [index, query] of queries.entries()) {
    const ownLabel = labels[query] ?? -1;
    if (ownLabel < 0) continue;
    labelledCount++;
    const votes = new Map<number, number>();
    for (const neighbour of rows.subarray(index * k, (index + 1) * k)) {
      const label = labels[neighbour] ?? -1;
      if (label >= 0) votes.set(label, (votes.get(label) ?? 0) + 1);
    }
    let winner = -1;
    for (const [label, count] of votes) if (count > (votes.get(winner) ?? 0)) winner = label;
    if (winner === ownLabel) correctCount++;
  }
  return labelledCount === 0 ? 0 : correctCount / labelledCount;
}
