import type { Neighbours } from '../engine/engine.ts';
import type { Turns } from '../engine/turns.ts';

/** Edges of the fuzzy graph, each direction once, in the order of heads. */
export interface UmapGraph {
  heads: Int32Array;
  tails: Int32Array;
  /** Above 0, at most 1. */
  weights: Float32Array;
}

const rounds = 64;
const closeEnough = 1e-5;
const smallestScale = 1e-3;

/** UMAP's fuzzy union over exact neighbours; the distance is 1 − cosine. */
export async function umapGraphOf(neighbours: Neighbours, count: number, turns: Turns): Promise<UmapGraph> {
  const { k, rows, scores } = neighbours;
  const memberships = new Float64Array(count * k);
  const distances = Float64Array.from(scores, (score) => Math.max(0, 1 - score));
  const meanOfAll = distances.reduce((sum, value) => sum + value, 0) / Math.max(1, distances.length);
  for (let point = 0; point < count; point++) {
    const own = distances.subarray(point * k, (point + 1) * k);
    const nearest = own.find((distance) => distance > 0) ?? 0;
    const scale = scaleOf(own, nearest, Math.log2(k + 1), meanOfAll);
    for (let place = 0; place < k; place++) {
      memberships[point * k + place] = Math.exp(-Math.max(0, (own[place] ?? 0) - nearest) / scale);
    }
    const rest = turns.rest(point / count / 2);
    if (rest) await rest;
  }
  return unionOf(rows, memberships, count, k, turns);
}

/** The scale at which the memberships of a point add up to the wanted sum. */
function scaleOf(distances: Float64Array, nearest: number, wanted: number, meanOfAll: number): number {
  let [low, high, middle] = [0, Infinity, 1];
  for (let round = 0; round < rounds; round++) {
    let sum = 0;
    for (const distance of distances) sum += Math.exp(-Math.max(0, distance - nearest) / middle);
    if (Math.abs(sum - wanted) < closeEnough) break;
    if (sum > wanted) {
      high = middle;
      middle = (low + high) / 2;
    } else {
      low = middle;
      middle = high === Infinity ? middle * 2 : (low + high) / 2;
    }
  }
  const mean =
    nearest > 0 ? distances.reduce((sum, value) => sum + value, 0) / (distances.length + 1) : meanOfAll;
  return Math.max(middle, smallestScale * mean, Number.MIN_VALUE);
}

/** a + b − a·b for each pair, found by sorting each point's incoming edges beside its outgoing ones. */
async function unionOf(
  rows: Int32Array,
  memberships: Float64Array,
  count: number,
  k: number,
  turns: Turns,
): Promise<UmapGraph> {
  const weightOf = (from: number, to: number): number => {
    for (let place = from * k; place < (from + 1) * k; place++) {
      if (rows[place] === to) return memberships[place] ?? 0;
    }
    return 0;
  };
  const incoming: number[][] = Array.from({ length: count }, () => []);
  for (let edge = 0; edge < rows.length; edge++) incoming[rows[edge] ?? 0]?.push(Math.floor(edge / k));
  const heads: number[] = [];
  const tails: number[] = [];
  const weights: number[] = [];
  for (let point = 0; point < count; point++) {
    const others = new Set([...rows.subarray(point * k, (point + 1) * k), ...(incoming[point] ?? [])]);
    for (const other of [...others].toSorted((a, b) => a - b)) {
      const there = weightOf(point, other);
      const back = weightOf(other, point);
      heads.push(point);
      tails.push(other);
      weights.push(there + back - there * back);
    }
    const rest = turns.rest(0.5 + point / count / 2);
    if (rest) await rest;
  }
  return {
    heads: Int32Array.from(heads),
    tails: Int32Array.from(tails),
    weights: Float32Array.from(weights),
  };
}
