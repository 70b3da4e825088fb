import { describe, expect, it } from 'vitest';

import { createLocalEngine } from '../engine/local-engine.ts';
import { turnsOf } from '../engine/turns.ts';
import { compileWasmKernel } from '../kernel/wasm-kernel.ts';
import { bitsOf, groupedVectors, testTurns } from '../testing-vectors.ts';
import { Matrix } from './matrix.ts';
import { neighboursOf } from './neighbours.ts';
import { searchRows } from './search.ts';
import { Sketch, sketchOf } from './sketch.ts';

/** Groups, with a row of zeros, rows that are all alike, and rows that one large number rules. */
function oddVectors(rows: number, dimensions: number): Float32Array {
  const vectors = groupedVectors(rows, dimensions, 6, 0.7);
  vectors.fill(0, dimensions, 2 * dimensions);
  for (let row = 3; row < rows; row += 7) {
    const at = row * dimensions;
    if (row % 2 === 0) vectors.copyWithin(at, 0, dimensions);
    else vectors[at + (row % dimensions)] = 40;
  }
  return vectors;
}

function matrixOf(rows: number, dimensions: number): Matrix {
  const matrix = new Matrix(compileWasmKernel(), dimensions);
  matrix.append(oddVectors(rows, dimensions));
  return matrix;
}

describe('a sketch', () => {
  it.each([1, 5, 64, 130, 1024])('never strays further than it says, of %d dimensions', (dimensions) => {
    const matrix = matrixOf(90, dimensions);
    const sketch = new Sketch(90, dimensions);
    for (let row = 0; row < 90; row++) sketch.set(row, matrix.row(row));
    const asking = [0, 1, 3, 10, 17, 59];
    sketch.ask(asking.map((row) => matrix.row(row)));
    const products = sketch.products(7, 64);
    let widest = 0;
    for (const [place, one] of asking.entries()) {
      for (let j = 0; j < 64; j++) {
        const told =
          (products[place * 64 + j] ?? 0) * (sketch.askedScales[place] ?? 0) * (sketch.scales[7 + j] ?? 0);
        const most = (sketch.askedRadii[place] ?? 0) + 1.01 * (sketch.radii[7 + j] ?? 0);
        expect(Math.abs(told - matrix.dot(one, 7 + j))).toBeLessThanOrEqual(most);
        widest = Math.max(widest, most);
      }
    }
    expect(widest).toBeLessThan(0.1);
  });
});

describe('what is found with a sketch is what is found without', () => {
  const rows = 2_500;
  const matrix = matrixOf(rows, 40);
  const turns = () => turnsOf(testTurns);

  it.each([0, 1, 3, 10, 2_499])('when row %d looks for its like', async (row) => {
    const sketch = await sketchOf(matrix, turns());
    expect(sketch).toBeDefined();
    for (const k of [1, 12, rows]) {
      const [with_, without] = [sketch, undefined].map((one) => searchRows(matrix, { row }, k, one));
      expect(with_?.rows).toEqual(without?.rows);
      expect(bitsOf(with_?.scores ?? new Float32Array())).toEqual(
        bitsOf(without?.scores ?? new Float32Array()),
      );
    }
  });

  it('when a vector of any length does', async () => {
    const vector = matrix.row(8).map((value, index) => 9 * value + Math.sin(index));
    const sketch = await sketchOf(matrix, turns());
    expect(searchRows(matrix, { vector }, 9, sketch)).toEqual(searchRows(matrix, { vector }, 9));
  });

  it('when every row does', async () => {
    const sketch = await sketchOf(matrix, turns());
    const found = await neighboursOf(matrix, 15, turns(), { sketch });
    expect(found).toEqual(await neighboursOf(matrix, 15, turns()));
  });
});

it('a sketch that could not be made once is made the next time', async () => {
  let fails = true;
  const engine = createLocalEngine({
    ...testTurns,
    pause: () => (fails ? Promise.reject(new Error('out of memory')) : testTurns.pause()),
  });
  await engine.create('a', 8);
  await engine.append('a', groupedVectors(3000, 8, 6, 0.7));
  await expect(engine.search({ set: 'a' }, { row: 3 }, 2)).rejects.toThrow('out of memory');
  fails = false;
  expect((await engine.search({ set: 'a' }, { row: 3 }, 2)).rows).toHaveLength(2);
});
