import {
  EngineError,
  type NeighboursPart,
  type SweepSettings,
  type SweepStep,
  type EngineHelper,
} from './engine.ts';
import { blockRows, type Matrix } from './matrix.ts';
import { drawnPairs, nearPairs, sharedCount, type Pairs } from './pairs.ts';
import { sampleOf, seededRandom } from './random.ts';
import { estimateOf, spearmanOf } from './statistics.ts';
import { addLists, emptyLists, offer, type TopLists } from './top-lists.ts';
import { partOf, type Turns } from './turns.ts';

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
  const lists = await prefixLists(matrix, sizes, queries, { k, index: 0, of }, partOf(turns, 0, 0.9));
  for (const share of theirs) {
    for (const [place, list] of (await share).entries()) {
      const own = lists[place];
      if (own) addLists(own, list);
    }
  }
  const full = lists.at(-1) ?? emptyLists(0, k);
  const near = nearPairs(queries, lists);
  const drawn = drawnPairs(count, seededRandom(settings.seed + 1));
  const nearScores = prefixScores(matrix, near, sizes);
  const drawnScores = prefixScores(matrix, drawn, sizes);
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
        recall: estimateOf(
          Float64Array.from(kept, (number) => (k === 0 ? 1 : number / k)),
          settings.seed,
        ),
        sameNearest: estimateOf(sameNearest, settings.seed),
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
      `${wrong} is no size to cut to: it must be a multiple of 4 up to ${matrix.dimensions}.`,
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
): Promise<TopLists[]> {
  const { count } = matrix;
  const lists = sizes.map(() => emptyLists(queries.length, k));
  if (k === 0) return lists;
  const scales = prefixScales(matrix, sizes);
  // When all rows ask, each pair of rows is looked at once, for both.
  const isWhole = queries.length === count;
  for (let top = index * blockRows; top < queries.length; top += of * blockRows) {
    const asking = queries.subarray(top, top + blockRows);
    for (let left = isWhole ? top : 0; left < count; left += blockRows) {
      const columns = { from: left, count: Math.min(blockRows, count - left) };
      if (!isWhole) matrix.gather(0, asking);
      const rows = isWhole ? { from: top, count: asking.length } : { slot: 0 as const, count: asking.length };
      for (const [place, own] of lists.entries()) {
        const { worst } = own;
        const scale = scales[place] ?? new Float32Array(0);
        const dots = matrix.product(rows, columns, sizes[place - 1] ?? 0, sizes[place], place > 0);
        for (let i = 0; i < asking.length; i++) {
          const one = asking[i] ?? 0;
          const ownScale = scale[one] ?? 0;
          for (let j = isWhole && left === top ? i + 1 : 0; j < columns.count; j++) {
            const other = left + j;
            const score = Math.fround((dots[i * columns.count + j] ?? 0) * ownScale * (scale[other] ?? 0));
            if (score >= (worst[top + i] ?? 0) && other !== one) offer(own, top + i, other, score);
            if (isWhole && score >= (worst[other] ?? 0)) offer(own, other, one, score);
          }
        }
      }
      const rest = turns.rest((top + blockRows * (left / count)) / queries.length);
      if (rest) await rest;
    }
  }
  return lists;
}

/** For each size, what each row's prefix is to be multiplied by to have the length 1. */
function prefixScales(matrix: Matrix, sizes: readonly number[]): Float32Array[] {
  const scales = sizes.map(() => new Float32Array(matrix.count));
  for (let row = 0; row < matrix.count; row++) {
    const numbers = matrix.row(row);
    let squares = 0;
    let from = 0;
    for (const [place, size] of sizes.entries()) {
      for (; from < size; from++) {
        const value = numbers[from] ?? 0;
        squares += value * value;
      }
      const scale = scales[place];
      if (scale) scale[row] = squares === 0 ? 1 : 1 / Math.sqrt(squares);
    }
  }
  return scales;
}

/** For each size, the similarity of each pair at this size. */
function prefixScores(matrix: Matrix, { a, b }: Pairs, sizes: readonly number[]): Float32Array[] {
  const scores = sizes.map(() => new Float32Array(a.length));
  for (let pair = 0; pair < a.length; pair++) {
    const one = matrix.row(a[pair] ?? 0);
    const other = matrix.row(b[pair] ?? 0);
    let [dot, oneSquares, otherSquares, from] = [0, 0, 0, 0];
    for (const [place, size] of sizes.entries()) {
      for (; from < size; from++) {
        const x = one[from] ?? 0;
        const y = other[from] ?? 0;
        dot += x * y;
        oneSquares += x * x;
        otherSquares += y * y;
      }
      const length = Math.sqrt(oneSquares * otherSquares);
      const own = scores[place];
      if (own) own[pair] = length === 0 ? 0 : dot / length;
    }
  }
  return scores;
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
