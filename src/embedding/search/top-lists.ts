/** For each of many queries the k best candidates seen so far, best first, in flat arrays. */
export interface TopLists {
  readonly k: number;
  readonly rows: Int32Array<ArrayBuffer>;
  readonly scores: Float32Array<ArrayBuffer>;
  /** By query: the worst score that its list holds. What is below it need not be offered. */
  readonly worst: Float32Array<ArrayBuffer>;
}

/** Empty lists: row −1, score −∞. */
export function emptyLists(queries: number, k: number): TopLists {
  return {
    k,
    rows: new Int32Array(queries * k).fill(-1),
    scores: new Float32Array(queries * k).fill(-Infinity),
    worst: new Float32Array(queries).fill(-Infinity),
  };
}

/** Puts a candidate at its place. Of equal scores the lower row comes first, in whatever order they are offered. */
export function offer({ k, rows, scores, worst }: TopLists, query: number, row: number, score: number): void {
  const first = query * k;
  let at = first + k - 1;
  const last = scores[at] ?? 0;
  if (score < last || (score === last && row > (rows[at] ?? 0) && (rows[at] ?? 0) >= 0)) return;
  while (at > first) {
    const before = scores[at - 1] ?? 0;
    if (before > score || (before === score && (rows[at - 1] ?? 0) < row)) break;
    scores[at] = before;
    rows[at] = rows[at - 1] ?? 0;
    at--;
  }
  scores[at] = score;
  rows[at] = row;
  worst[query] = scores[first + k - 1] ?? 0;
}

/** Adds what was found about the same queries elsewhere. */
export function addLists(
  lists: TopLists,
  { k, rows, scores }: Pick<TopLists, 'k' | 'rows' | 'scores'>,
): void {
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? -1;
    if (row >= 0) offer(lists, Math.floor(at / k), row, scores[at] ?? 0);
  }
}
