import type { Neighbours, Trust } from '../engine/engine.ts';
import type { Turns } from '../engine/time-slices.ts';
import type { Matrix } from '../search/matrix.ts';
import { emptyLists, offer } from '../search/top-lists.ts';
import { sampleOf, seededRandom } from './seeded-sample.ts';

const mostSampled = 2_000;
/** Scored between two rests: of long vectors more would be more than one turn. */
const together = 16;

/**
 * Trustworthiness of a map (Venna and Kaski): points that are near on it alone count by how far they are in truth.
 * k is cut to less than half of the rows, where the measure has its meaning.
 */
export async function trustOf(
  matrix: Matrix,
  points: Float32Array,
  wantedK: number,
  turns: Turns,
): Promise<Trust> {
  const count = points.length / 2;
  const k = Math.max(1, Math.min(wantedK, Math.floor((count - 1) / 2)));
  const queries = sampleOf(count, mostSampled, seededRandom(3));
  const block = new Float32Array(together * count);
  let [penalty, kept] = [0, 0];
  for (let place = 0; place < queries.length; place++) {
    const inBlock = place % together;
    if (inBlock === 0) matrix.scores(queries.subarray(place, place + together), count, block);
    const query = queries[place] ?? 0;
    const scores = block.subarray(inBlock * count, (inBlock + 1) * count);
    for (const other of nearOnMap(points, query, k)) {
      const rank = rankOf(scores, query, other);
      if (rank <= k) kept++;
      else penalty += rank - k;
    }
    const rest = turns.rest(place / queries.length);
    if (rest) await rest;
  }
  const worst = (queries.length * k * (2 * count - 3 * k - 1)) / 2;
  return {
    k,
    trustworthiness: worst <= 0 ? 1 : 1 - penalty / worst,
    kept: kept / (queries.length * k),
    sampled: queries.length,
  };
}

/** 1 for the nearest; equal scores in the order of rows. The query itself has no rank. */
export function rankOf(scores: Float32Array, query: number, other: number): number {
  const score = scores[other] ?? 0;
  let rank = 1;
  for (let row = 0; row < scores.length; row++) {
    if (row === query || row === other) continue;
    const value = scores[row] ?? 0;
    if (value > score || (value === score && row < other)) rank++;
  }
  return rank;
}

function nearOnMap(points: Float32Array, query: number, k: number): Neighbours['rows'] {
  const lists = emptyLists(1, k);
  const x = points[2 * query] ?? 0;
  const y = points[2 * query + 1] ?? 0;
  for (let row = 0; row < points.length / 2; row++) {
    if (row === query) continue;
    const dx = (points[2 * row] ?? 0) - x;
    const dy = (points[2 * row + 1] ?? 0) - y;
    const closeness = -(dx * dx + dy * dy);
    if (closeness >= (lists.worst[0] ?? 0)) offer(lists, 0, row, closeness);
  }
  return lists.rows;
}
