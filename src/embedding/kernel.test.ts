import { describe, expect, it } from 'vitest';

import { toBits, createGroupedVectors } from '../testing/grouped-vectors.ts';
import { createPlainKernel } from './kernel/plain-kernel.ts';
import { compileWasmKernel } from './kernel/wasm-kernel.ts';
import { Matrix } from './search/matrix.ts';

const [wasm, plain] = [compileWasmKernel(), createPlainKernel];

describe.each([
  ['WebAssembly', wasm],
  ['JavaScript', plain],
])('kernel in %s', (_, makeKernel) => {
  const createMatrix = (rows: number, dimensions: number) => {
    const matrix = new Matrix(makeKernel, dimensions);
    matrix.append(createGroupedVectors(rows, dimensions, 5, 1));
    return matrix;
  };

  it.each([
    [1, 1],
    [7, 5],
    [64, 64],
    [65, 130],
    [101, 1024],
  ])('agrees with float64 arithmetic for %d × %d values', (rows, dimensions) => {
    const matrix = createMatrix(rows, dimensions);
    const dot = (a: number, b: number) =>
      matrix.getRow(a).reduce((sum, value, n) => sum + value * (matrix.getRow(b)[n] ?? 0), 0);
    const expectClose = (values: Iterable<number>, reference: readonly number[], digits: number) =>
      expect([...values]).toEqual(reference.map((value) => expect.closeTo(value, digits)));
    const indices = Array.from({ length: rows }, (__, row) => row);
    const scores = new Float32Array(rows);
    matrix.dots(rows - 1, scores);
    expectClose(
      scores,
      indices.map((row) => dot(rows - 1, row)),
      6,
    );

    const count = Math.min(rows, 64);
    matrix.gather(0, Int32Array.of(rows - 1, 0));
    const half = Math.floor(matrix.width / 8) * 4;
    matrix.product({ slot: 0, count: 2 }, { from: 0, count }, 0, half);
    const products = matrix.product({ slot: 0, count: 2 }, { from: 0, count }, half, matrix.width, true);
    expectClose(
      products,
      [rows - 1, 0].flatMap((a) => indices.slice(0, count).map((b) => dot(a, b))),
      6,
    );

    const v = Float64Array.from({ length: dimensions }, (__, index) => Math.sin(index));
    const [factors, out] = [new Float64Array(rows), new Float64Array(dimensions)];
    matrix.spread(v, 0.125, factors, out);
    const expectedFactors = indices.map((row) =>
      matrix.getRow(row).reduce((sum, value, n) => sum + value * (v[n] ?? 0), -0.125),
    );
    expectClose(factors, expectedFactors, 12);
    expectClose(
      out,
      [...v].map((__, n) =>
        indices.reduce((sum, row) => sum + (expectedFactors[row] ?? 0) * (matrix.getRow(row)[n] ?? 0), 0),
      ),
      12,
    );
  });

  it('computes identical values for a dot, a tile, a row of scores and a pair', () => {
    const matrix = createMatrix(70, 96);
    const scores = new Float32Array(70);
    matrix.dots(3, scores);
    const tile = matrix.product({ from: 3, count: 1 }, { from: 6, count: 64 });
    expect(toBits(scores.subarray(6))).toEqual(toBits(tile));
    expect(matrix.dot(3, 69)).toBe(scores[69]);
    const otherRows = Int32Array.from({ length: 70 }, (__, row) => (row * 11) % 70);
    const pairScores = new Float32Array(70);
    const vectorScores = new Float32Array(70);
    matrix.dots(matrix.getRow(3), vectorScores);
    expect(toBits(vectorScores)).toEqual(toBits(scores));
    matrix.pairDots(
      otherRows.map(() => 3),
      otherRows,
      pairScores,
    );
    expect(toBits(pairScores)).toEqual(toBits(scores.map((__, index) => scores[otherRows[index] ?? 0] ?? 0)));
  });

  it.each([1, 4, 6])('sums rows in float64 one after the other (%d)', (count) => {
    const matrix = new Matrix(makeKernel, 30);
    const vectors = createGroupedVectors(6, 30, 2, 1);
    matrix.append(vectors, true);
    const rows = Int32Array.of(5, 0, 3, 3, 1, 2).subarray(0, count);
    const sum = new Float64Array(30);
    matrix.sum(rows, sum);
    const reference = Float64Array.from(sum, (__, n) =>
      [...rows].reduce((total, row) => total + (vectors[row * 30 + n] ?? 0), 0),
    );
    expect(sum).toEqual(reference);
  });

  it('keeps the rows when its memory grows', () => {
    const grown = new Matrix(makeKernel, 257);
    const vectors = createGroupedVectors(900, 257, 3, 1);
    for (let row = 0; row < 900; row++) grown.append(vectors.subarray(row * 257, (row + 1) * 257));
    const whole = new Matrix(makeKernel, 257);
    whole.append(vectors);
    for (const row of [0, 63, 64, 500, 899]) expect(grown.getRow(row)).toEqual(whole.getRow(row));
  });
});

/** Converts a float32 exactly to a whole multiple of 2^-149. */
function toExactInteger(value: number): bigint {
  const [bits = 0] = new Uint32Array(Float32Array.of(value).buffer);
  const exponent = (bits >>> 23) & 0xff;
  const fraction = BigInt(bits & 0x7fffff) + (exponent === 0 ? 0n : 0x800000n);
  const size = fraction << BigInt(Math.max(0, exponent - 1));
  return bits >>> 31 === 1 ? -size : size;
}

it('differs from exact arithmetic by less than a millionth', () => {
  const matrix = new Matrix(wasm, 1024);
  matrix.append(createGroupedVectors(40, 1024, 4, 0.7));
  let worst = 0;
  for (let i = 0; i < 40; i += 3) {
    for (let j = 0; j < 40; j += 7) {
      const b = matrix.getRow(j);
      const exact = matrix
        .getRow(i)
        .reduce((sum, value, n) => sum + toExactInteger(value) * toExactInteger(b[n] ?? 0), 0n);
      // Multiplies by 2^-298 in two steps: a shift of the exact integer, then a multiplication.
      const expectedDot = Number(exact >> 149n) * 2 ** -149;
      worst = Math.max(worst, Math.abs(matrix.dot(i, j) - expectedDot));
    }
  }
  expect(worst).toBeLessThan(1e-6);
  expect(worst).toBeGreaterThan(0);
});

describe('matrix rows', () => {
  const createEmptyMatrix = () => new Matrix(plain, 3);

  it('scales rows to length 1 and returns their original length', () => {
    const emptyMatrix = createEmptyMatrix();
    expect([...emptyMatrix.append(Float32Array.of(3, 0, 4, 0, 0, 0))]).toEqual([5, 0]);
    expect([...emptyMatrix.getRow(0)].map((value) => value.toFixed(6))).toEqual([
      '0.600000',
      '0.000000',
      '0.800000',
    ]);
    expect([...emptyMatrix.getRow(1)]).toEqual([0, 0, 0]);
  });

  it.each([NaN, Infinity, -Infinity])('rejects a batch with %d and adds no part of it', (invalidValue) => {
    const emptyMatrix = createEmptyMatrix();
    expect(() => emptyMatrix.append(Float32Array.of(1, 2, 3, 1, invalidValue, 2))).toThrow(
      'not a finite number',
    );
    expect(emptyMatrix.count).toBe(0);
  });
});
