import {
  EngineError,
  type NeighboursPart,
  type SweepSettings,
  type SweepStep,
  type EngineHelper,
} from '../engine/engine.ts';
import { partOf, type Turns } from '../engine/time-slices.ts';
import { sampleOf, seededRandom } from '../maps/seeded-sample.ts';
import { blockRows, type Matrix } from './matrix.ts';
import { drawnPairs, nearPairs, sharedCount, type Pairs } from './pairs.ts';
import { estimator, spearmanOf } from './statistics.ts';
import { addLists, emptyLists, offer, type TopLists } from './top-lists.ts';

/** Up to so many rows all are asked; of more a sample is. */
const mostQueries = 2_048;
/** From so many numbers on, copying the rows to a helper costs less than it saves. */
const numbersForHelp = 1_000_000;

/**
 * What each shorter size loses. Dot products grow slice by slice from the shortest prefix to the whole vector, so
 * that all sizes together cost one matrix.
 */
export async function sweepOf(
  matrix: Matrix,
  settings: SweepSettings,
  turns: Turns,
  helpers: readonly EngineHelper[] = [],
  signal?: AbortSignal,
): Promise<SweepStep[]> {
  const { count } = matrix;
  const sizes = sizesOf(matrix, settings.dimensions);
  const k = Math.max(0, Math.min(settings.k, count - 1));
  const queries = sampleOf(count, mostQueries, seededRandom(settings.seed));
  const helping = count * matrix.dimensions < numbersForHelp || k === 0 ? [] : helpers;
  const of = helping.length + 1;
  const theirs = helping.map((helper, place) =>
    helper.shareSweep(matrix.rows(), sizes, queries, { k, index: place + 1, of }, signal ? { signal } : {}),
  );
  // Those that fail while this part still works are looked at after it.
  for (const share of theirs) share.catch(() => undefined);
  const scales = prefixScales(matrix, sizes);
  const own = { k, index: 0, of };
  const lists = await prefixLists(matrix, sizes, queries, own, partOf(turns, 0, 0.9), scales);
  for (const share of theirs) {
    for (const [place, list] of (await share).entries()) {
      const own = lists[place];
      if (own) addLists(own, list);
    }
  }
  const full = lists.at(-1) ?? emptyLists(0, k);
  const near = nearPairs(queries, lists);
  const drawn = drawnPairs(count, seededRandom(settings.seed + 1));
  const nearScores = prefixScores(matrix, near, sizes, scales);
  const drawnScores = prefixScores(matrix, drawn, sizes, scales);
  const estimateOf = estimator(queries.length, settings.seed);
  return sizes.flatMap((dimensions, place): SweepStep[] => {
    const own = lists[place];
    if (!settings.dimensions.includes(dimensions) || !own) return [];
    const kept = Uint16Array.from(queries, (_, query) => sharedCount(own, full, query));
    const sameNearest = Uint8Array.from(queries, (_, query) =>
      own.rows[query * k] === full.rows[query * k] ? 1 : 0,
    );
    return [
      {
        dimensions,
        bytesPerVector: dimensions * 4,
        k,
        recall: estimateOf(Float64Array.from(kept, (number) => (k === 0 ? 1 : number / k))),
        sameNearest: estimateOf(sameNearest),
        rankCorrelation: {
          near: spearmanOf(nearScores[place] ?? [], nearScores.at(-1) ?? []),
          random: spearmanOf(drawnScores[place] ?? [], drawnScores.at(-1) ?? []),
        },
        ...(settings.labels ? { sameLabel: sameLabelOf(own, queries, settings.labels) } : {}),
        queries: queries.slice(),
        kept,
      },
    ];
  });
}

/** The asked sizes and the full one, ascending. */
function sizesOf(matrix: Matrix, asked: readonly number[]): number[] {
  const wrong = asked.find(
    (size) => size < 4 || size > matrix.dimensions || (size % 4 !== 0 && size !== matrix.dimensions),
  );
  if (wrong !== undefined) {
    throw new EngineError(
      `${wrong} is not a size to cut to: it must be a multiple of 4 up to ${matrix.dimensions}.`,
    );
  }
  return [...new Set([...asked, matrix.dimensions])].toSorted((a, b) => a - b);
}

/** For each size, what is nearest to each query at this size, in one part of the pairs. */
export async function prefixLists(
  matrix: Matrix,
  sizes: readonly number[],
  queries: Int32Array,
  { k, index, of }: NeighboursPart,
  turns: Turns,
  scales: readonly Float32Array[] = prefixScales(matrix, sizes),
): Promise<TopLists[]> {
  const { count } = matrix;
  const lists = sizes.map(() => emptyLists(queries.length, k));
  if (k === 0) return lists;
  // When all rows ask, each pair of rows is looked at once, for both.
  const isWhole = queries.length === count;
  for (let top = index * blockRows; top < queries.length; top += of * blockRows) {
    const asking = queries.subarray(top, top + blockRows);
    for (let left = isWhole ? top : 0; left < count; left += blockRows) {
      const columns = { from: left, count: Math.min(blockRows, count - left) };
      if (!isWhole) matrix.gather(0, asking);
      const rows = isWhole ? { from: top, count: asking.length } : { slot: 0 as const, count: asking.length };
      for (const [place, own] of lists.entries()) {
        const dots = matrix.product(rows, columns, sizes[place - 1] ?? 0, sizes[place], place > 0);
        const scale = scales[place];
        if (scale) offerBlock(own, dots, scale, { asking, top, left, count: columns.count, isWhole });
      }
      const rest = turns.rest((top + blockRows * (left / count)) / queries.length);
      if (rest) await rest;
    }
  }
  return lists;
}

interface Block {
  /** The rows that ask, and the place of the first among all that do. */
  asking: Int32Array;
  top: number;
  /** The first row that is asked for, and how many. */
  left: number;
  count: number;
  /** Every row asks: what is asked for asks as well. */
  isWhole: boolean;
}

function offerBlock(lists: TopLists, dots: Float32Array, scale: Float32Array, block: Block): void {
  const { asking, top, left, count, isWhole } = block;
  const { worst } = lists;
  for (let i = 0; i < asking.length; i++) {
    const one = asking[i] ?? 0;
    const ownScale = scale[one] ?? 0;
    const at = i * count;
    let bar = worst[top + i] ?? 0;
    for (let j = isWhole && left === top ? i + 1 : 0; j < count; j++) {
      const other = left + j;
      const score = Math.fround((dots[at + j] ?? 0) * ownScale * (scale[other] ?? 0));
      if (score >= bar && other !== one) {
        offer(lists, top + i, other, score);
        bar = worst[top + i] ?? 0;
      }
      if (isWhole && score >= (worst[other] ?? 0)) offer(lists, other, one, score);
    }
  }
}

/** For each size, what each row's prefix is to be multiplied by to have the length 1. */
function prefixScales(matrix: Matrix, sizes: readonly number[]): Float32Array[] {
  const rows = Int32Array.from({ length: matrix.count }, (_, row) => row);
  const slice = new Float32Array(matrix.count);
  const squares = new Float64Array(matrix.count);
  return sizes.map((size, place) => {
    matrix.pairDots(rows, rows, slice, sizes[place - 1] ?? 0, size);
    return Float32Array.from(slice, (more, row) => {
      const sum = (squares[row] ?? 0) + more;
      squares[row] = sum;
      return sum === 0 ? 1 : 1 / Math.sqrt(sum);
    });
  });
}

/** For each size, the similarity of each pair at this size. */
function prefixScores(
  matrix: Matrix,
  { a, b }: Pairs,
  sizes: readonly number[],
  scales: readonly Float32Array[],
): Float32Array[] {
  const slice = new Float32Array(a.length);
  const dots = new Float64Array(a.length);
  return scales.map((scale, place) => {
    matrix.pairDots(a, b, slice, sizes[place - 1] ?? 0, sizes[place]);
    for (let pair = 0; pair < slice.length; pair++) dots[pair] = (dots[pair] ?? 0) + (slice[pair] ?? 0);
    return Float32Array.from(
      dots,
      (dot, pair) => dot * (scale[a[pair] ?? 0] ?? 0) * (scale[b[pair] ?? 0] ?? 0),
    );
  });
}

/** The share of labelled queries that their neighbours' vote puts into their own group; a tie goes to the nearest. */
function sameLabelOf({ k, rows }: TopLists, queries: Int32Array, labels: Int32Array): number {
  let [right, asked] = [0, 0];
  for (const [place, query] of queries.entries()) {
    const own = labels[query] ?? -1;
    if (own < 0) continue;
    asked++;
    const votes = new Map<number, number>();
    for (const other of rows.subarray(place * k, (place + 1) * k)) {
      const label = labels[other] ?? -1;
      if (label >= 0) votes.set(label, (votes.get(label) ?? 0) + 1);
    }
    let winner = -1;
    for (const [label, count] of votes) if (count > (votes.get(winner) ?? 0)) winner = label;
    if (winner === own) right++;
  }
  return asked === 0 ? 0 : right / asked;
}
