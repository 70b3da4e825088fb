import type { Clusters } from '../engine/engine.ts';
import type { Turns } from '../engine/time-slices.ts';
import { blockRows, type Matrix } from '../search/matrix.ts';
import { sampleOf, seededRandom } from './seeded-sample.ts';

const mostRounds = 50;
/** Starts, of which the best is kept: k-means often ends in a poor place. */
const starts = 4;
/** Of more rows the starts are tried on a sample. */
const mostToStart = 1_024;

interface Grouping {
  labels: Int32Array<ArrayBuffer>;
  centres: Float32Array;
  /** The sum of similarities to the own centre. */
  fit: number;
}

export interface GroupedRows extends Clusters {
  /** Unit vectors, row-major, by group. */
  centres: Float32Array;
}

/** k-means on the sphere (at most 64 groups), from seeded k-means++ starts; numbered largest first. */
export async function clustersOf(
  matrix: Matrix,
  wanted: number,
  seed: number,
  turns: Turns,
): Promise<GroupedRows> {
  const { count, dimensions } = matrix;
  const groups = Math.max(1, Math.min(Math.floor(wanted), blockRows, count));
  const random = seededRandom(seed);
  const isLarge = count > mostToStart;
  const sample = isLarge ? matrix.chosen(sampleOf(count, mostToStart, random)) : matrix;
  let best: Grouping | undefined;
  for (let start = 0; start < starts; start++) {
    const found = await grouped(sample, firstCentres(sample, groups, random), groups, turns);
    if (!best || found.fit > best.fit) best = found;
  }
  if (best && isLarge) best = await grouped(matrix, best.centres, groups, turns);
  const labels = best?.labels ?? new Int32Array(count);
  const sizes = new Int32Array(groups);
  for (const label of labels) sizes[label] = (sizes[label] ?? 0) + 1;
  const ranking = Array.from(sizes.keys()).toSorted((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0) || a - b);
  const numberOf = new Int32Array(groups);
  const centres = new Float32Array(groups * dimensions);
  for (const [number, group] of ranking.entries()) {
    numberOf[group] = number;
    const centre = best?.centres.subarray(group * dimensions, (group + 1) * dimensions);
    if (centre) centres.set(centre, number * dimensions);
  }
  return {
    labels: labels.map((label) => numberOf[label] ?? 0),
    sizes: ranking.map((group) => sizes[group] ?? 0),
    centres,
  };
}

/** Each next centre is a row drawn with a chance that grows with its distance from those before (k-means++). */
function firstCentres(matrix: Matrix, groups: number, random: () => number): Float32Array {
  const { count, dimensions } = matrix;
  const centres = new Float32Array(groups * dimensions);
  const scores = new Float32Array(count);
  const distance = new Float64Array(count).fill(2);
  let row = Math.floor(random() * count);
  for (let group = 0; group < groups; group++) {
    centres.set(matrix.row(row), group * dimensions);
    matrix.dots(row, scores);
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const apart = Math.min(distance[i] ?? 0, Math.max(0, 1 - (scores[i] ?? 0)));
      distance[i] = apart;
      sum += apart;
    }
    let left = random() * sum;
    row = distance.findIndex((apart) => apart > 0 && (left -= apart) <= 0);
    if (row < 0) row = Math.floor(random() * count);
  }
  return centres;
}

async function grouped(
  matrix: Matrix,
  centres: Float32Array,
  groups: number,
  turns: Turns,
): Promise<Grouping> {
  const { count, dimensions } = matrix;
  const labels = new Int32Array(count).fill(-1);
  let fit = 0;
  for (let round = 0; round < mostRounds; round++) {
    const members = Array.from({ length: groups }, (): number[] => []);
    let moved = 0;
    fit = 0;
    for (let from = 0; from < count; from += blockRows) {
      const rows = Math.min(blockRows, count - from);
      // Others may have used the slot while this task rested.
      matrix.put(1, centres);
      const scores = matrix.product({ from, count: rows }, { slot: 1, count: groups });
      for (let i = 0; i < rows; i++) {
        const own = scores.subarray(i * groups, (i + 1) * groups);
        let label = 0;
        for (let group = 1; group < groups; group++) {
          if ((own[group] ?? 0) > (own[label] ?? 0)) label = group;
        }
        if (labels[from + i] !== label) moved++;
        labels[from + i] = label;
        members[label]?.push(from + i);
        fit += own[label] ?? 0;
      }
      const rest = turns.rest((round + from / count) / mostRounds);
      if (rest) await rest;
    }
    if (moved === 0) break;
    for (const [group, rows] of members.entries()) {
      centreInto(centres.subarray(group * dimensions, (group + 1) * dimensions), matrix, rows);
      const rest = turns.rest((round + 1) / mostRounds);
      if (rest) await rest;
    }
  }
  return { labels, centres, fit };
}

/** A group that lost all its rows keeps its centre. */
function centreInto(centre: Float32Array, matrix: Matrix, rows: readonly number[]): void {
  const sum = new Float64Array(centre.length);
  matrix.sum(Int32Array.from(rows), sum);
  const norm = Math.sqrt(sum.reduce((total, value) => total + value * value, 0));
  if (norm > 0) for (const [n, value] of sum.entries()) centre[n] = value / norm;
}
