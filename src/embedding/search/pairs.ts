import type { Neighbours } from '../engine/engine.ts';

/** Lists of neighbours, of which only the names are needed. */
type Named = Pick<Neighbours, 'k' | 'rows'>;

/** Pairs of different rows: pair i is a[i] with b[i]. */
export interface Pairs {
  a: Int32Array;
  b: Int32Array;
}

const randomPairs = 2_000;
const mostQueries = 200;

/** Pairs that are near in one of the lists, each once; of many queries every n-th. */
export function nearPairs(queries: Int32Array, lists: readonly Named[]): Pairs {
  const stride = Math.max(1, Math.ceil(queries.length / mostQueries));
  const a: number[] = [];
  const b: number[] = [];
  for (let place = 0; place < queries.length; place += stride) {
    const near = new Set(lists.flatMap(({ k, rows }) => [...rows.subarray(place * k, (place + 1) * k)]));
    for (const other of near) {
      a.push(queries[place] ?? 0);
      b.push(other);
    }
  }
  return { a: Int32Array.from(a), b: Int32Array.from(b) };
}

/** Pairs drawn from all: most of any set's pairs have nothing to do with each other. */
export function drawnPairs(count: number, random: () => number): Pairs {
  const length = count < 2 ? 0 : randomPairs;
  const a = Int32Array.from({ length }, () => Math.floor(random() * count));
  const b = a.map((one) => (one + 1 + Math.floor(random() * (count - 1))) % count);
  return { a, b };
}

/** How many of a query's neighbours in one list are in the other as well. */
export function sharedCount(one: Named, other: Named, query: number): number {
  const names = other.rows.subarray(query * other.k, (query + 1) * other.k);
  let shared = 0;
  for (let place = query * one.k; place < (query + 1) * one.k; place++) {
    if (names.includes(one.rows[place] ?? -1)) shared++;
  }
  return shared;
}
