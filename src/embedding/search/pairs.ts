import type { Neighbours } from '../engine/engine.ts';

/** Neighbour lists without scores. */
type RowLists = Pick<Neighbours, 'k' | 'rows'>;

/** Pairs of different rows: pair i is a[i] with b[i]. */
export interface RowPairs {
  a: Int32Array;
  b: Int32Array;
}

const randomPairCount = 2_000;
const maxQueries = 200;

/** Lists pairs that are near in one of the lists, each once; if there are many queries, uses every n-th. */
export function listNearPairs(queries: Int32Array, lists: readonly RowLists[]): RowPairs {
  const stride = Math.max(1, Math.ceil(queries.length / maxQueries));
  const a: number[] = [];
  const b: number[] = [];
  for (let index = 0; index < queries.length; index += stride) {
    const nearRows = new Set(lists.flatMap(({ k, rows }) => [...rows.subarray(index * k, (index + 1) * k)]));
    for (const nearRow of nearRows) {
      a.push(queries[index] ?? 0);
      b.push(nearRow);
    }
  }
  return { a: Int32Array.from(a), b: Int32Array.from(b) };
}

/** Draws random pairs; most pairs of any set are unrelated. */
export function sampleRowPairs(count: number, random: () => number): RowPairs {
  const length = count < 2 ? 0 : randomPairCount;
  const a = Int32Array.from({ length }, () => Math.floor(random() * count));
  const b = a.map((row) => (row + 1 + Math.floor(random() * (count - 1))) % count);
  return { a, b };
}

/** Counts the neighbours of a query that both lists contain. */
export function countSharedNeighbours(listsA: RowLists, listsB: RowLists, query: number): number {
  const otherRows = listsB.rows.subarray(query * listsB.k, (query + 1) * listsB.k);
  let count = 0;
  for (let index = query * listsA.k; index < (query + 1) * listsA.k; index++) {
    if (otherRows.includes(listsA.rows[index] ?? -1)) count++;
  }
  return count;
}
