import type { Neighbours, NeighboursPart, EngineHelper } from '../engine/engine.ts';
import type { Turns } from '../engine/turns.ts';
import { blockRows, type Matrix } from './matrix.ts';
import type { Sketch } from './sketch.ts';
import { addLists, emptyLists, offer, type TopLists } from './top-lists.ts';

/** When more pairs of a block may count than this, all of them are looked at: that costs less than one by one. */
const mostPossible = (blockRows * blockRows) / 8;
/** From so many rows on, copying them to a helper costs less than it saves. */
const rowsForHelp = 3_000;

/** What can make it faster; none of it shows in the result. */
export interface NeighboursMeans {
  sketch?: Sketch | undefined;
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
  { sketch, helpers = [], signal }: NeighboursMeans = {},
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
  const own = await neighboursPartOf(matrix, { k: wanted, index: 0, of }, turns, sketch);
  for (const share of theirs) addLists(own, await share);
  return { k: own.k, rows: own.rows, scores: own.scores };
}

/** What is found in one part of the pairs. */
export async function neighboursPartOf(
  matrix: Matrix,
  { k, index, of }: NeighboursPart,
  turns: Turns,
  sketch?: Sketch,
): Promise<TopLists> {
  const { count } = matrix;
  const lists = emptyLists(count, k);
  if (k === 0) return lists;
  const blocks = Math.ceil(count / blockRows);
  const all = (blocks * (blocks + 1)) / 2 / of;
  let done = 0;
  const sieve = emptySieve();
  // Every of-th line of the triangle, so that all parts hold about as much.
  for (let row = index; row < blocks; row += of) {
    const from = row * blockRows;
    const asking = { from, count: Math.min(blockRows, count - from) };
    const ask = () => sketch?.ask(Array.from({ length: asking.count }, (_, at) => matrix.row(from + at)));
    ask();
    for (let column = row; column < blocks; column++) {
      const asked = { from: column * blockRows, count: Math.min(blockRows, count - column * blockRows) };
      const possible = sketch && column > row ? sift(sieve, sketch, asking, asked, lists.worst) : Infinity;
      if (possible > mostPossible) offerBlock(matrix, asking, asked, lists);
      else {
        const ones = sieve.ones.subarray(0, possible);
        matrix.pairDots(ones, sieve.others.subarray(0, possible), sieve.scores);
        for (const [at, one] of ones.entries())
          offerPair(lists, one, sieve.others[at] ?? 0, sieve.scores[at] ?? 0);
      }
      const rest = turns.rest(++done / all);
      if (!rest) continue;
      await rest;
      // Meanwhile others may have asked.
      ask();
    }
  }
  return lists;
}

interface Rows {
  from: number;
  count: number;
}

/** What is known of a block of rows, and the pairs that were found: filled again for each two blocks. */
function emptySieve() {
  return {
    scales: new Float64Array(blockRows),
    apart: new Float64Array(blockRows),
    bars: new Float64Array(blockRows),
    ones: new Int32Array(blockRows * blockRows),
    others: new Int32Array(blockRows * blockRows),
    scores: new Float32Array(blockRows * blockRows),
  };
}

/** Puts the pairs of two blocks that can be in a list into the sieve, and says how many; the asked rows are those of a. */
function sift(sieve: ReturnType<typeof emptySieve>, sketch: Sketch, a: Rows, b: Rows, worst: Float32Array) {
  const { scales, apart, bars, ones, others } = sieve;
  const products = sketch.products(b.from, b.count);
  for (let j = 0; j < b.count; j++) {
    scales[j] = sketch.scales[b.from + j] ?? 0;
    apart[j] = 1.01 * (sketch.radii[b.from + j] ?? 0);
    bars[j] = worst[b.from + j] ?? 0;
  }
  let count = 0;
  for (let i = 0; i < a.count; i++) {
    const scale = sketch.askedScales[i] ?? 0;
    const radius = sketch.askedRadii[i] ?? 0;
    const bar = worst[a.from + i] ?? 0;
    const at = i * b.count;
    for (let j = 0; j < b.count; j++) {
      const most = (products[at + j] ?? 0) * scale * (scales[j] ?? 0) + (apart[j] ?? 0) + radius;
      if (most < bar && most < (bars[j] ?? 0)) continue;
      ones[count] = a.from + i;
      others[count] = b.from + j;
      count++;
    }
  }
  return count;
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
