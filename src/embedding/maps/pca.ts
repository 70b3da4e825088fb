import { createSeededRandom } from '../../lib/random.ts';
import type { PcaMap, Point } from '../engine/engine.ts';
import type { TimeSlices } from '../engine/time-slices.ts';
import type { Matrix } from '../search/matrix.ts';

export interface Pca {
  map: PcaMap;
  mean: Float64Array;
  /** Two unit directions. */
  axes: [Float64Array, Float64Array];
}

/** Maximum error of a direction, which bounds the error of every point. */
const maxDirectionError = 1e-9;
/** Residual of an eigenpair, relative to the largest eigenvalue, at which rounding dominates. */
const tolerance = 1e-12;
const maxSteps = 400;

/**
 * Computes the two directions of largest variance: Lanczos on the implicit covariance, in float64 with full
 * reorthogonalisation. Takes about twenty passes over the rows, fifty if many directions vary nearly as much.
 */
export async function computePca(matrix: Matrix, slices: TimeSlices): Promise<Pca> {
  const { count, dimensions } = matrix;
  const factors = new Float64Array(count);
  const mean = computeMeanVector(matrix, factors);
  const variance = computeTotalVariance(matrix, mean);
  const basis: Float64Array[] = [];
  const diagonal: number[] = [];
  const offDiagonal: number[] = [];
  let v = createStartVector(dimensions);
  let axes: [Float64Array, Float64Array] = [new Float64Array(dimensions), new Float64Array(dimensions)];
  let values = [0, 0];
  const stepLimit = Math.min(dimensions, count, maxSteps);
  for (let step = 0; step < stepLimit; step++) {
    basis.push(v);
    const next = new Float64Array(dimensions);
    matrix.spread(v, computeDot(mean, v), factors, next);
    diagonal.push(computeDot(next, v));
    // Two passes are enough (Kahan and Parlett): the second removes the rounding errors left by the first.
    for (let pass = 0; pass < 2; pass++) orthogonalize(next, basis);
    const residual = Math.sqrt(computeDot(next, next));
    // No eigenvalue exceeds the total variance.
    const isLast = residual <= tolerance * variance || step === stepLimit - 1;
    const { values: ritz, vectors: lastComponents } = computeEigenPairs(diagonal, offDiagonal, true);
    const [first = 0, second = 0, third = 0] = ritz;
    // The error of a direction is at most its residual divided by the distance to the next eigenvalue (Davis and
    // Kahan).
    const hasConverged = [first - second, Math.min(first - second, second - third)].every(
      (gap, axis) =>
        residual * Math.abs(lastComponents[axis]?.[0] ?? 1) <=
        Math.max(maxDirectionError * gap, tolerance * first),
    );
    if (isLast || hasConverged) {
      const { vectors } = computeEigenPairs(diagonal, offDiagonal);
      axes = [combineVectors(basis, vectors[0]), combineVectors(basis, vectors[1])];
      values = [first, second];
      break;
    }
    offDiagonal.push(residual);
    v = next.map((value) => value / residual);
    const pause = slices.yieldIfDue(step / 50);
    if (pause) await pause;
  }
  for (const axis of axes) fixSign(axis);
  const points = new Float32Array(2 * count);
  const unused = new Float64Array(dimensions);
  for (const [axisIndex, axis] of axes.entries()) {
    matrix.spread(axis, computeDot(mean, axis), factors, unused);
    factors.forEach((factor, row) => (points[2 * row + axisIndex] = factor));
  }
  const toShare = (value: number) => (variance === 0 ? 0 : Math.max(0, value) / variance);
  return {
    map: { points, explained: { x: toShare(values[0] ?? 0), y: toShare(values[1] ?? 0) } },
    mean,
    axes,
  };
}

/** Returns the position on the map of a vector that is cut and scaled like a row. */
export function projectVector({ mean, axes }: Pca, vector: Float32Array): Point {
  const truncatedVector = vector.subarray(0, mean.length);
  const norm = Math.sqrt(truncatedVector.reduce((sum, value) => sum + value * value, 0)) || 1;
  const projectOnAxis = (axis: Float64Array) =>
    axis.reduce((sum, value, n) => sum + value * ((truncatedVector[n] ?? 0) / norm - (mean[n] ?? 0)), 0);
  return { x: projectOnAxis(axes[0]), y: projectOnAxis(axes[1]) };
}

function computeMeanVector(matrix: Matrix, factors: Float64Array): Float64Array {
  const mean = new Float64Array(matrix.dimensions);
  // A factor of 0 − (−1) per row gives the plain sum.
  matrix.spread(mean, -1, factors, mean);
  return mean.map((sum) => sum / Math.max(1, factors.length));
}

/** Returns the sum of all eigenvalues: squared distances from the mean. */
function computeTotalVariance(matrix: Matrix, mean: Float64Array): number {
  let sum = 0;
  for (let row = 0; row < matrix.count; row++) sum += computeSquaredDistance(matrix.getRow(row), mean);
  return sum;
}

/**
 * A separate function is compiled sooner; inside the loop over all rows, it would take three times as long at first.
 */
function computeSquaredDistance(numbers: Float32Array, mean: Float64Array): number {
  // Two sums, since with one, each addition would wait for the previous one.
  let [even, odd] = [0, 0];
  for (let n = 0; n < mean.length; n += 2) {
    const evenDifference = (numbers[n] ?? 0) - (mean[n] ?? 0);
    const oddDifference = (numbers[n + 1] ?? 0) - (mean[n + 1] ?? 0);
    even += evenDifference * evenDifference;
    odd += oddDifference * oddDifference;
  }
  return even + odd;
}

function createStartVector(dimensions: number): Float64Array {
  const random = createSeededRandom(7);
  const vector = Float64Array.from({ length: dimensions }, () => random() - 0.5);
  const norm = Math.sqrt(computeDot(vector, vector));
  return vector.map((value) => value / norm);
}

function combineVectors(basis: readonly Float64Array[], weights: Float64Array | undefined): Float64Array {
  const sum = new Float64Array(basis[0]?.length ?? 0);
  if (weights) for (const [index, vector] of basis.entries()) addScaled(sum, vector, weights[index] ?? 0);
  return sum;
}

/** Fixes the sign of an eigenvector, so that its largest component is positive. */
function fixSign(axis: Float64Array): void {
  const largest = axis.reduce((extreme, value) => (Math.abs(value) > Math.abs(extreme) ? value : extreme), 0);
  if (largest < 0) for (let n = 0; n < axis.length; n++) axis[n] = -(axis[n] ?? 0);
}

function computeDot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let n = 0; n < a.length; n++) sum += (a[n] ?? 0) * (b[n] ?? 0);
  return sum;
}

/** Subtracts the components along the basis from a vector, four at a time for fewer passes over the numbers. */
function orthogonalize(vector: Float64Array, basis: readonly Float64Array[]): void {
  const zeros = new Float64Array(vector.length);
  for (let start = 0; start < basis.length; start += 4) {
    const [a = zeros, b = zeros, c = zeros, d = zeros] = basis.slice(start, start + 4);
    let [onA, onB, onC, onD] = [0, 0, 0, 0];
    for (let n = 0; n < vector.length; n++) {
      const value = vector[n] ?? 0;
      onA += value * (a[n] ?? 0);
      onB += value * (b[n] ?? 0);
      onC += value * (c[n] ?? 0);
      onD += value * (d[n] ?? 0);
    }
    for (let n = 0; n < vector.length; n++) {
      const projection = onA * (a[n] ?? 0) + onB * (b[n] ?? 0) + onC * (c[n] ?? 0) + onD * (d[n] ?? 0);
      vector[n] = (vector[n] ?? 0) - projection;
    }
  }
}

function addScaled(sum: Float64Array, vector: Float64Array, factor: number): void {
  for (let n = 0; n < sum.length; n++) sum[n] = (sum[n] ?? 0) + factor * (vector[n] ?? 0);
}

/** Eigenvalues of a symmetric tridiagonal matrix in descending order, with unit eigenvectors. */
interface EigenPairs {
  values: Float64Array;
  /** vectors[i] belongs to values[i]. */
  vectors: Float64Array[];
}

/**
 * Implicit QL (tql2 of EISPACK) for n diagonal numbers and n − 1 off-diagonal numbers. With `lastOnly`, computes only
 * the last component of each vector, which takes n² steps instead of n³.
 */
function computeEigenPairs(
  diagonal: ArrayLike<number>,
  offDiagonal: ArrayLike<number>,
  lastOnly = false,
): EigenPairs {
  const size = diagonal.length;
  const d = Float64Array.from(diagonal);
  const e = Float64Array.from({ length: size }, (_, index) => offDiagonal[index] ?? 0);
  e[size - 1] = 0;
  // columns[j][i] is row i of eigenvector j.
  const columns = Array.from({ length: size }, (_, index) => {
    const column = new Float64Array(size);
    column[index] = 1;
    return lastOnly ? column.subarray(-1) : column;
  });
  for (let l = 0; l < size; l++) {
    for (let round = 0; round < 60; round++) {
      let m = l;
      while (m < size - 1) {
        const scale = Math.abs(d[m] ?? 0) + Math.abs(d[m + 1] ?? 0);
        if (Math.abs(e[m] ?? 0) <= Number.EPSILON * scale) break;
        m++;
      }
      if (m === l) break;
      applyQlStep(d, e, columns, l, m);
    }
  }
  const ranking = Array.from(d, (_, index) => index).toSorted((a, b) => (d[b] ?? 0) - (d[a] ?? 0));
  return {
    values: Float64Array.from(ranking, (index) => d[index] ?? 0),
    vectors: ranking.map((index) => columns[index] ?? new Float64Array(size)),
  };
}

/** One implicit QL step with Wilkinson's shift on the unreduced part from l to m. */
function applyQlStep(d: Float64Array, e: Float64Array, columns: Float64Array[], l: number, m: number): void {
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
    const [column, nextColumn] = [columns[i], columns[i + 1]];
    if (!column || !nextColumn) continue;
    for (let k = 0; k < column.length; k++) {
      const [x, y] = [column[k] ?? 0, nextColumn[k] ?? 0];
      nextColumn[k] = s * x + c * y;
      column[k] = c * x - s * y;
    }
  }
  d[l] = (d[l] ?? 0) - p;
  e[l] = g;
  e[m] = 0;
}
