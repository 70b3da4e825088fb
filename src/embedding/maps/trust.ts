import { createSeededRandom } from '../../lib/random.ts';
import type { Neighbours, Trust } from '../engine/engine.ts';
import type { TimeSlices } from '../engine/time-slices.ts';
import type { Matrix } from '../search/matrix.ts';
import { createTopLists, insertCandidate } from '../search/top-lists.ts';
import { sampleIndexes } from './sample-indexes.ts';

const maxSampledRows = 2_000;
/** Number of queries scored between two pauses; with long vectors, more would exceed a slice. */
const queriesPerBlock = 16;

/**
 * Computes the trustworthiness of a map (Venna and Kaski): points that are near only on the map count by their true
 * distance. k is limited to less than half of the rows, where the measure is defined.
 */
export async function computeTrust(
  matrix: Matrix,
  points: Float32Array,
  requestedK: number,
  slices: TimeSlices,
): Promise<Trust> {
  const count = points.length / 2;
  const k = Math.max(1, Math.min(requestedK, Math.floor((count - 1) / 2)));
  const queries = sampleIndexes(count, maxSampledRows, createSeededRandom(3));
  const block = new Float32Array(queriesPerBlock * count);
  let [penalty, keptCount] = [0, 0];
  for (let queryIndex = 0; queryIndex < queries.length; queryIndex++) {
    const blockIndex = queryIndex % queriesPerBlock;
    if (blockIndex === 0)
      matrix.scores(queries.subarray(queryIndex, queryIndex + queriesPerBlock), count, block);
    const query = queries[queryIndex] ?? 0;
    const scores = block.subarray(blockIndex * count, (blockIndex + 1) * count);
    for (const other of findNearOnMap(points, query, k)) {
      const rank = getRank(scores, query, other);
      if (rank <= k) keptCount++;
      else penalty += rank - k;
    }
    const pause = slices.yieldIfDue(queryIndex / queries.length);
    if (pause) await pause;
  }
  const maxPenalty = (queries.length * k * (2 * count - 3 * k - 1)) / 2;
  return {
    k,
    trustworthiness: maxPenalty <= 0 ? 1 : 1 - penalty / maxPenalty,
    keptShare: keptCount / (queries.length * k),
    sampledRows: queries.length,
  };
}

/** Returns the rank, 1 for the nearest; equal scores are in the order of rows. The query itself has no rank. */
export function getRank(scores: Float32Array, query: number, other: number): number {
  const score = scores[other] ?? 0;
  let rank = 1;
  for (let row = 0; row < scores.length; row++) {
    if (row === query || row === other) continue;
    const value = scores[row] ?? 0;
    if (value > score || (value === score && row < other)) rank++;
  }
  return rank;
}

function findNearOnMap(points: Float32Array, query: number, k: number): Neighbours['rows'] {
  const lists = createTopLists(1, k);
  const x = points[2 * query] ?? 0;
  const y = points[2 * query + 1] ?? 0;
  for (let row = 0; row < points.length / 2; row++) {
    if (row === query) continue;
    const dx = (points[2 * row] ?? 0) - x;
    const dy = (points[2 * row + 1] ?? 0) - y;
    const closeness = -(dx * dx + dy * dy);
    if (closeness >= (lists.worstScores[0] ?? 0)) insertCandidate(lists, 0, row, closeness);
  }
  return lists.rows;
}
