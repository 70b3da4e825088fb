import type { PcaMap, Point } from '../engine/engine.ts';
import type { Turns } from '../engine/time-slices.ts';
import type { Matrix } from '../search/matrix.ts';
import { seededRandom } from './seeded-sample.ts';

export interface Pca {
  map: PcaMap;
  mean: Float64Array;
  /** Two unit directions. */
  axes: [Float64Array, Float64Array];
}

/** How far a direction may be off: no text lies farther than that from its place. */
const closeEnough = 1e-9;
/** The residual of an eigenpair, relative to the largest eigenvalue, below which rounding lets it not fall much. */
const tolerance = 1e-12;
const mostSteps = 400;

/**
 * The two directions of most variance: Lanczos on the covariance, which is never formed, in float64 with full
 * reorthogonalisation. About twenty passes over the rows, fifty where many directions vary nearly as much.
 */
export async function pcaOf(matrix: Matrix, turns: Turns): Promise<Pca> {
  const { count, dimensions } = matrix;
  const times = new Float64Array(count);
  const mean = meanOf(matrix, times);
  const variance = totalVariance(matrix, mean);
  const basis: Float64Array[] = [];
  const diagonal: number[] = [];
  const beside: number[] = [];
  let v = startVector(dimensions);
  let axes: [Float64Array, Float64Array] = [new Float64Array(dimensions), new Float64Array(dimensions)];
  let values = [0, 0];
  const most = Math.min(dimensions, count, mostSteps);
  for (let step = 0; step < most; step++) {
    basis.push(v);
    const next = new Float64Array(dimensions);
    matrix.spread(v, dotOf(mean, v), times, next);
    diagonal.push(dotOf(next, v));
    // Twice is enough (Kahan and Parlett): what rounding leaves of the basis the first time goes the second.
    for (let twice = 0; twice < 2; twice++) takeOut(next, basis);
    const left = Math.sqrt(dotOf(next, next));
    // No eigenvalue is larger than all the variance.
    const isLast = left <= tolerance * variance || step === most - 1;
    const { values: ritz, vectors: ends } = tridiagonalEigen(diagonal, beside, true);
    const [first = 0, second = 0, third = 0] = ritz;
    // A direction is off by no more than its residual over the distance to the next eigenvalue (Davis and Kahan).
    const isGood = [first - second, Math.min(first - second, second - third)].every(
      (gap, axis) => left * Math.abs(ends[axis]?.[0] ?? 1) <= Math.max(closeEnough * gap, tolerance * first),
    );
    if (isLast || isGood) {
      const { vectors } = tridiagonalEigen(diagonal, beside);
      axes = [combined(basis, vectors[0]), combined(basis, vectors[1])];
      values = [first, second];
      break;
    }
    beside.push(left);
    v = next.map((value) => value / left);
    const rest = turns.rest(step / 50);
    if (rest) await rest;
  }
  for (const axis of axes) fixSign(axis);
  const points = new Float32Array(2 * count);
  const unused = new Float64Array(dimensions);
  for (const [place, axis] of axes.entries()) {
    matrix.spread(axis, dotOf(mean, axis), times, unused);
    times.forEach((time, row) => (points[2 * row + place] = time));
  }
  const share = (value: number) => (variance === 0 ? 0 : Math.max(0, value) / variance);
  return { map: { points, explained: { x: share(values[0] ?? 0), y: share(values[1] ?? 0) } }, mean, axes };
}

/** Where a vector, cut and scaled like a row, lies on the map. */
export function projectOn({ mean, axes }: Pca, vector: Float32Array): Point {
  const cut = vector.subarray(0, mean.length);
  const norm = Math.sqrt(cut.reduce((sum, value) => sum + value * value, 0)) || 1;
  const on = (axis: Float64Array) =>
    axis.reduce((sum, value, n) => sum + value * ((cut[n] ?? 0) / norm - (mean[n] ?? 0)), 0);
  return { x: on(axes[0]), y: on(axes[1]) };
}

function meanOf(matrix: Matrix, times: Float64Array): Float64Array {
  const mean = new Float64Array(matrix.dimensions);
  // Every row · 0 − (−1) times itself.
  matrix.spread(mean, -1, times, mean);
  return mean.map((sum) => sum / Math.max(1, times.length));
}

/** The sum of all eigenvalues: squared distances from the mean. */
function totalVariance(matrix: Matrix, mean: Float64Array): number {
  let sum = 0;
  for (let row = 0; row < matrix.count; row++) sum += squaredDistance(matrix.row(row), mean);
  return sum;
}

/** A function of its own is soon compiled well: in a loop around all rows the same takes three times as long at first. */
function squaredDistance(numbers: Float32Array, mean: Float64Array): number {
  // Two sums: one would wait for itself.
  let [even, odd] = [0, 0];
  for (let n = 0; n < mean.length; n += 2) {
    const one = (numbers[n] ?? 0) - (mean[n] ?? 0);
    const other = (numbers[n + 1] ?? 0) - (mean[n + 1] ?? 0);
    even += one * one;
    odd += other * other;
  }
  return even + odd;
}

function startVector(dimensions: number): Float64Array {
  const random = seededRandom(7);
  const vector = Float64Array.from({ length: dimensions }, () => random() - 0.5);
  const norm = Math.sqrt(dotOf(vector, vector));
  return vector.map((value) => value / norm);
}

function combined(basis: readonly Float64Array[], weights: Float64Array | undefined): Float64Array {
  const sum = new Float64Array(basis[0]?.length ?? 0);
  if (weights) for (const [place, vector] of basis.entries()) addTimes(sum, vector, weights[place] ?? 0);
  return sum;
}

/** An eigenvector has no sign of its own: its largest number shall be positive. */
function fixSign(axis: Float64Array): void {
  const largest = axis.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);
  if (largest < 0) for (let n = 0; n < axis.length; n++) axis[n] = -(axis[n] ?? 0);
}

function dotOf(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let n = 0; n < one.length; n++) sum += (one[n] ?? 0) * (other[n] ?? 0);
  return sum;
}

/** Takes what lies along the basis out of a vector, four of the basis at a time: fewer passes over the numbers. */
function takeOut(vector: Float64Array, basis: readonly Float64Array[]): void {
  const none = new Float64Array(vector.length);
  for (let from = 0; from < basis.length; from += 4) {
    const [a = none, b = none, c = none, d = none] = basis.slice(from, from + 4);
    let [onA, onB, onC, onD] = [0, 0, 0, 0];
    for (let n = 0; n < vector.length; n++) {
      const value = vector[n] ?? 0;
      onA += value * (a[n] ?? 0);
      onB += value * (b[n] ?? 0);
      onC += value * (c[n] ?? 0);
      onD += value * (d[n] ?? 0);
    }
    for (let n = 0; n < vector.length; n++) {
      const along = onA * (a[n] ?? 0) + onB * (b[n] ?? 0) + onC * (c[n] ?? 0) + onD * (d[n] ?? 0);
      vector[n] = (vector[n] ?? 0) - along;
    }
  }
}

function addTimes(sum: Float64Array, vector: Float64Array, times: number): void {
  for (let n = 0; n < sum.length; n++) sum[n] = (sum[n] ?? 0) + times * (vector[n] ?? 0);
}

/** Eigenvalues, descending, of a symmetric tridiagonal matrix, each with its unit eigenvector. */
interface EigenPairs {
  values: Float64Array;
  /** vectors[i] belongs to values[i]. */
  vectors: Float64Array[];
}

/**
 * Implicit QL (the tql2 of EISPACK) on a diagonal of n numbers and the n − 1 beside it. Where `lastOnly`, each vector
 * is only its last number, which takes n² steps instead of n³.
 */
function tridiagonalEigen(
  diagonal: ArrayLike<number>,
  beside: ArrayLike<number>,
  lastOnly = false,
): EigenPairs {
  const size = diagonal.length;
  const d = Float64Array.from(diagonal);
  const e = Float64Array.from({ length: size }, (_, index) => beside[index] ?? 0);
  e[size - 1] = 0;
  // columns[j][i]: row i of eigenvector j.
  const columns = Array.from({ length: size }, (_, index) => {
    const column = new Float64Array(size);
    column[index] = 1;
    return lastOnly ? column.subarray(-1) : column;
  });
  for (let l = 0; l < size; l++) {
    for (let round = 0; round < 60; round++) {
      let m = l;
      while (m < size - 1) {
        const near = Math.abs(d[m] ?? 0) + Math.abs(d[m + 1] ?? 0);
        if (Math.abs(e[m] ?? 0) <= Number.EPSILON * near) break;
        m++;
      }
      if (m === l) break;
      rotate(d, e, columns, l, m);
    }
  }
  const ranking = Array.from(d, (_, index) => index).toSorted((a, b) => (d[b] ?? 0) - (d[a] ?? 0));
  return {
    values: Float64Array.from(ranking, (index) => d[index] ?? 0),
    vectors: ranking.map((index) => columns[index] ?? new Float64Array(size)),
  };
}

/** One implicit QL step with Wilkinson's shift on the unreduced part from l to m. */
function rotate(d: Float64Array, e: Float64Array, columns: Float64Array[], l: number, m: number): void {
  const el = e[l] ?? 0;
  const dl = d[l] ?? 0;
  let g = ((d[l + 1] ?? 0) - dl) / (2 * el);
  let r = Math.hypot(g, 1);
  g = (d[m] ?? 0) - dl + el / (g + (g >= 0 ? r : -r));
  let [s, c, p] = [1, 1, 0];
  for (let i = m - 1; i >= l; i--) {
    const f = s * (e[i] ?? 0);
    const b = c * (e[i] ?? 0);
    r = Math.hypot(f, g);
    e[i + 1] = r;
    if (r === 0) {
      d[i + 1] = (d[i + 1] ?? 0) - p;
      e[m] = 0;
      return;
    }
    s = f / r;
    c = g / r;
    g = (d[i + 1] ?? 0) - p;
    r = ((d[i] ?? 0) - g) * s + 2 * c * b;
    p = s * r;
    d[i + 1] = g + p;
    g = c * r - b;
    const [one, other] = [columns[i], columns[i + 1]];
    if (!one || !other) continue;
    for (let k = 0; k < one.length; k++) {
      const [x, y] = [one[k] ?? 0, other[k] ?? 0];
      other[k] = s * x + c * y;
      one[k] = c * x - s * y;
    }
  }
  d[l] = (d[l] ?? 0) - p;
  e[l] = g;
  e[m] = 0;
}
