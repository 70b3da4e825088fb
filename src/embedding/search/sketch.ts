import type { Turns } from '../engine/turns.ts';
import { sketchKernel } from '../kernel/sketch-kernel.ts';
import { blockRows, type Matrix } from './matrix.ts';
import { emptyLists, offer } from './top-lists.ts';

/** Products that can be made in one call. */
const mostProducts = blockRows * blockRows;
const largestByte = 127;
/** Whole numbers hold 2^31; a little less, for what rounding adds. */
const largestProduct = 0.95 * 2 ** 31;

/**
 * Rows with their numbers rounded to one byte: a quarter to read, and whole numbers multiply about twice as fast. It
 * tells what a similarity can be at most and at least, so that few pairs need an exact look, and no result depends on it.
 */
export class Sketch {
  readonly count: number;
  /** Of each row: what its whole numbers are to be multiplied by, and the length of what rounding left out. */
  readonly scales: Float64Array;
  readonly radii: Float64Array;
  /** The same of each asked row. */
  readonly askedScales = new Float64Array(blockRows);
  readonly askedRadii = new Float64Array(blockRows);
  /** What float32 may have rounded away in the exact similarity. */
  readonly slack: number;
  readonly #width: number;
  readonly #leastStep: number;
  readonly #kernel = sketchKernel();
  readonly #rowAt: number;
  readonly #toldAt: number;
  readonly #outAt: number;
  readonly #rowsAt: number;
  #asked = 0;

  /** Throws where there is not enough memory, or WebAssembly is refused. */
  constructor(count: number, dimensions: number) {
    this.count = count;
    this.scales = new Float64Array(count);
    this.radii = new Float64Array(count);
    this.slack = (dimensions / 4 + 4) * 2 ** -24 + 2e-6;
    this.#width = Math.ceil(dimensions / 32) * 32;
    this.#leastStep = (largestByte * Math.sqrt(dimensions)) / largestProduct;
    this.#toldAt = blockRows * this.#width * 2;
    this.#rowAt = this.#toldAt + 16;
    this.#outAt = this.#rowAt + this.#width * 4;
    this.#rowsAt = this.#outAt + mostProducts * 4;
    this.#kernel.grow(this.#rowsAt + count * this.#width);
  }

  /** Takes a row of the matrix. */
  set(row: number, numbers: Float32Array): void {
    const { step, radius } = this.#shrink(numbers, this.#rowsAt + row * this.#width, 0);
    this.scales[row] = step;
    this.radii[row] = radius;
  }

  /** Takes at most a block of unit vectors, which `products` compares with the rows. */
  ask(vectors: readonly Float32Array[]): void {
    this.#asked = vectors.length;
    for (const [place, numbers] of vectors.entries()) {
      const { step, radius } = this.#shrink(numbers, place * this.#width * 2, 1);
      this.askedScales[place] = step;
      this.askedRadii[place] = radius + this.slack;
    }
  }

  /**
   * Each asked vector with `count` rows from a first one, row-major, until the next call. Times `askedScales` and
   * `scales` this is the similarity, wrong by at most `askedRadii` + 1.01 · `radii`.
   */
  products(from: number, count: number): Int32Array {
    const rows = this.#rowsAt + from * this.#width;
    this.#kernel.rough(0, this.#asked, rows, count, this.#width, this.#outAt);
    return new Int32Array(this.#kernel.memory.buffer, this.#outAt, this.#asked * count);
  }

  /** The rows that can be among the k nearest to a unit vector, or k and itself; undefined where those are many. */
  nearest(vector: Float32Array, k: number): Int32Array | undefined {
    const { count, scales, radii } = this;
    this.ask([vector]);
    const scale = this.askedScales[0] ?? 0;
    const radius = this.askedRadii[0] ?? 0;
    const most = new Float64Array(count);
    const least = emptyLists(1, Math.min(k + 1, count));
    for (let from = 0; from < count; from += mostProducts) {
      const products = this.products(from, Math.min(mostProducts, count - from));
      for (let at = 0; at < products.length; at++) {
        const row = from + at;
        const near = (products[at] ?? 0) * scale * (scales[row] ?? 0);
        const apart = radius + 1.01 * (radii[row] ?? 0);
        most[row] = near + apart;
        if (near - apart >= (least.worst[0] ?? 0)) offer(least, 0, row, near - apart);
      }
    }
    const bar = least.worst[0] ?? 0;
    const possible: number[] = [];
    for (let row = 0; row < count; row++) if ((most[row] ?? 0) >= bar) possible.push(row);
    return possible.length * 4 > count ? undefined : Int32Array.from(possible);
  }

  #shrink(numbers: Float32Array, to: number, wide: 0 | 1): { step: number; radius: number } {
    const floats = new Float32Array(this.#kernel.memory.buffer, this.#rowAt, numbers.length);
    floats.set(numbers);
    this.#kernel.shrink(this.#rowAt, this.#width, to, wide, wide * this.#leastStep, this.#toldAt);
    const [step = 1, squares = 0] = new Float32Array(this.#kernel.memory.buffer, this.#toldAt, 2);
    // The square was summed in float32.
    return { step, radius: 1.01 * Math.sqrt(squares) };
  }
}

/** Of all rows; undefined where there is no memory for it, or WebAssembly is refused: all is looked at exactly then. */
export async function sketchOf(matrix: Matrix, turns: Turns): Promise<Sketch | undefined> {
  const sketch = emptySketch(matrix);
  if (!sketch) return undefined;
  for (let row = 0; row < sketch.count; row++) {
    sketch.set(row, matrix.row(row));
    const rest = row % blockRows === 0 ? turns.rest(row / sketch.count) : undefined;
    if (rest) await rest;
  }
  return sketch;
}

function emptySketch({ count, dimensions }: Matrix): Sketch | undefined {
  try {
    return new Sketch(count, dimensions);
  } catch {
    return undefined;
  }
}
