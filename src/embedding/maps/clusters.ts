import { createSeededRandom } from '../../lib/random.ts';
import type { Clusters } from '../engine/engine.ts';
import type { TimeSlices } from '../engine/time-slices.ts';
import { blockRows, type Matrix } from '../search/matrix.ts';
import { sampleIndexes } from './sample-indexes.ts';

const maxRounds = 50;
/** Number of starts, of which the best is kept, since k-means often ends in a poor local optimum. */
const startCount = 4;
/** Larger sets try the starts on a sample of this size. */
const maxStartRows = 1_024;

interface Grouping {
  labels: Int32Array<ArrayBuffer>;
  centres: Float32Array;
  /** The row nearest to each centre; −1 if the group is empty. */
  centralRows: number[];
  /** Sum of similarities to the assigned centres. */
  fit: number;
}

export interface GroupedRows extends Clusters {
  /** Unit vectors, row-major, by cluster. */
  centres: Float32Array;
}

/** Runs k-means on the sphere (at most 64 clusters) from seeded k-means++ starts; the largest cluster comes first. */
export async function computeClusters(
  matrix: Matrix,
  maxGroupCount: number,
  seed: number,
  slices: TimeSlices,
): Promise<GroupedRows> {
  const { count, dimensions } = matrix;
  const groupCount = Math.max(1, Math.min(Math.floor(maxGroupCount), blockRows, count));
  const random = createSeededRandom(seed);
  const isLarge = count > maxStartRows;
  const sample = isLarge ? matrix.selectRows(sampleIndexes(count, maxStartRows, random)) : matrix;
  let best: Grouping | undefined;
  for (let start = 0; start < startCount; start++) {
    const grouping = await runKMeans(sample, chooseCentres(sample, groupCount, random), groupCount, slices);
    if (!best || grouping.fit > best.fit) best = grouping;
  }
  if (best && isLarge) best = await runKMeans(matrix, best.centres, groupCount, slices);
  const labels = best?.labels ?? new Int32Array(count);
  const sizes = new Int32Array(groupCount);
  for (const label of labels) sizes[label] = (sizes[label] ?? 0) + 1;
  const ranking = Array.from(sizes.keys()).toSorted((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0) || a - b);
  const groupNumbers = new Int32Array(groupCount);
  const centres = new Float32Array(groupCount * dimensions);
  for (const [number, group] of ranking.entries()) {
    groupNumbers[group] = number;
    const centre = best?.centres.subarray(group * dimensions, (group + 1) * dimensions);
    if (centre) centres.set(centre, number * dimensions);
  }
  return {
    labels: labels.map((label) => groupNumbers[label] ?? 0),
    sizes: ranking.map((group) => sizes[group] ?? 0),
    centralRows: ranking.map((group) => best?.centralRows[group] ?? -1),
    centres,
  };
}

/** Draws each additional centre with a probability that grows with its distance from earlier centres (k-means++). */
function chooseCentres(matrix: Matrix, groupCount: number, random: () => number): Float32Array {
  const { count, dimensions } = matrix;
  const centres = new Float32Array(groupCount * dimensions);
  const scores = new Float32Array(count);
  const distances = new Float64Array(count).fill(2);
  let row = Math.floor(random() * count);
  for (let group = 0; group < groupCount; group++) {
    centres.set(matrix.getRow(row), group * dimensions);
    matrix.dots(row, scores);
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const rowDistance = Math.min(distances[i] ?? 0, Math.max(0, 1 - (scores[i] ?? 0)));
      distances[i] = rowDistance;
      sum += rowDistance;
    }
    let remaining = random() * sum;
    row = distances.findIndex((rowDistance) => rowDistance > 0 && (remaining -= rowDistance) <= 0);
    if (row < 0) row = Math.floor(random() * count);
  }
  return centres;
}

async function runKMeans(
  matrix: Matrix,
  centres: Float32Array,
  groupCount: number,
  slices: TimeSlices,
): Promise<Grouping> {
  const { count, dimensions } = matrix;
  const labels = new Int32Array(count).fill(-1);
  let centralRows: number[] = [];
  let fit = 0;
  for (let round = 0; round < maxRounds; round++) {
    const members = Array.from({ length: groupCount }, (): number[] => []);
    const bestScores = new Float32Array(groupCount).fill(-Infinity);
    centralRows = Array<number>(groupCount).fill(-1);
    let movedCount = 0;
    fit = 0;
    for (let start = 0; start < count; start += blockRows) {
      const rows = Math.min(blockRows, count - start);
      // Other tasks may have used the slot during a pause.
      matrix.put(1, centres);
      const scores = matrix.product({ from: start, count: rows }, { slot: 1, count: groupCount });
      for (let i = 0; i < rows; i++) {
        const rowScores = scores.subarray(i * groupCount, (i + 1) * groupCount);
        let label = 0;
        for (let group = 1; group < groupCount; group++) {
          if ((rowScores[group] ?? 0) > (rowScores[label] ?? 0)) label = group;
        }
        if (labels[start + i] !== label) movedCount++;
        labels[start + i] = label;
        members[label]?.push(start + i);
        const score = rowScores[label] ?? 0;
        if (score > (bestScores[label] ?? 0)) {
          bestScores[label] = score;
          centralRows[label] = start + i;
        }
        fit += score;
      }
      const pause = slices.yieldIfDue((round + start / count) / maxRounds);
      if (pause) await pause;
    }
    if (movedCount === 0) break;
    for (const [group, rows] of members.entries()) {
      updateCentre(centres.subarray(group * dimensions, (group + 1) * dimensions), matrix, rows);
      const pause = slices.yieldIfDue((round + 1) / maxRounds);
      if (pause) await pause;
    }
  }
  return { labels, centres, centralRows, fit };
}

/** A cluster that lost all its rows keeps its centre. */
function updateCentre(centre: Float32Array, matrix: Matrix, rows: readonly number[]): void {
  const sum = new Float64Array(centre.length);
  matrix.sum(Int32Array.from(rows), sum);
  const norm = Math.sqrt(sum.reduce((total, value) => total + value * value, 0));
  if (norm > 0) for (const [n, value] of sum.entries()) centre[n] = value / norm;
}
