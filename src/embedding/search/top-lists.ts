/** The k best candidates so far for each of many queries, best first, in flat arrays. */
export interface TopLists {
  readonly k: number;
  readonly rows: Int32Array<ArrayBuffer>;
  readonly scores: Float32Array<ArrayBuffer>;
  /** The worst score of each list; candidates below it do not need to be inserted. */
  readonly worstScores: Float32Array<ArrayBuffer>;
}

/** Creates empty lists: row −1, score −∞. */
export function createTopLists(queryCount: number, k: number): TopLists {
  return {
    k,
    rows: new Int32Array(queryCount * k).fill(-1),
    scores: new Float32Array(queryCount * k).fill(-Infinity),
    worstScores: new Float32Array(queryCount).fill(-Infinity),
  };
}

/** Inserts a candidate. If scores are equal, the lower row comes first, whatever the order of insertion. */
export function insertCandidate(
  { k, rows, scores, worstScores }: TopLists,
  query: number,
  row: number,
  score: number,
): void {
  const first = query * k;
  let index = first + k - 1;
  const worstScore = scores[index] ?? 0;
  if (score < worstScore || (score === worstScore && row > (rows[index] ?? 0) && (rows[index] ?? 0) >= 0))
    return;
  while (index > first) {
    const previousScore = scores[index - 1] ?? 0;
    if (previousScore > score || (previousScore === score && (rows[index - 1] ?? 0) < row)) break;
    scores[index] = previousScore;
    rows[index] = rows[index - 1] ?? 0;
    index--;
  }
  scores[index] = score;
  rows[index] = row;
  worstScores[query] = scores[first + k - 1] ?? 0;
}

/** Adds candidates for the same queries that were found elsewhere. */
export function mergeTopLists(
  lists: TopLists,
  { k, rows, scores }: Pick<TopLists, 'k' | 'rows' | 'scores'>,
): void {
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] ?? -1;
    if (row >= 0) insertCandidate(lists, Math.floor(index / k), row, scores[index] ?? 0);
  }
}
