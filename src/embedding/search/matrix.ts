import { EngineError } from '../engine/engine.ts';
import type { Kernel, MakeKernel } from '../kernel/kernel.ts';

/** Rows per block of the large loops: 64 rows of 1,024 numbers fit into a core's second-level cache. */
export const blockRows = 64;
/** Capacity of the scratch memory for results, in numbers. */
const scratchNumbers = blockRows * blockRows;
const minCapacity = 64;

/** One side of a product: consecutive rows, or the content of slot 0 or 1. */
type Side = { from: number; count: number } | { slot: 0 | 1; count: number };

/**
 * Rows of equal length in a kernel's memory. Results and gathered rows share one scratch memory and are valid only
 * until the next call, and not across an await.
 */
export class Matrix {
  readonly dimensions: number;
  /** Row stride in numbers: the dimensions, padded with zeros to whole SIMD vectors. */
  readonly width: number;
  readonly #kernel: Kernel;
  readonly #makeKernel: MakeKernel;
  readonly #slotsAddress: number;
  readonly #outAddress: number;
  readonly #pairsAddress: number;
  readonly #rowsAddress: number;
  #capacity = 0;
  #count = 0;

  constructor(makeKernel: MakeKernel, dimensions: number) {
    this.dimensions = dimensions;
    this.width = Math.ceil(dimensions / 4) * 4;
    this.#makeKernel = makeKernel;
    this.#kernel = makeKernel();
    // The memory for `spread` comes first: two float64 vectors.
    this.#slotsAddress = 2 * this.width * 8;
    this.#outAddress = this.#slotsAddress + 2 * blockRows * this.width * 4;
    this.#pairsAddress = this.#outAddress + scratchNumbers * 4;
    this.#rowsAddress = this.#pairsAddress + scratchNumbers * 8;
    this.#reserve(minCapacity);
  }

  get count(): number {
    return this.#count;
  }

  /** Returns an empty matrix of the same kind. */
  createEmpty(dimensions = this.dimensions): Matrix {
    return new Matrix(this.#makeKernel, dimensions);
  }

  /**
   * Adds rows and returns their original lengths. Unless `isRaw`, rows are scaled to length 1; a row of zeros stays
   * unchanged. Adds nothing if a number is not finite or the last row is incomplete.
   */
  append(vectors: Float32Array, isRaw = false): Float32Array<ArrayBuffer> {
    const { dimensions } = this;
    const addedRows = vectors.length / dimensions;
    if (!Number.isInteger(addedRows)) {
      throw new EngineError(`${vectors.length} numbers cannot be split into vectors of ${dimensions}.`);
    }
    const norms = new Float32Array(addedRows);
    for (let row = 0; row < addedRows; row++) {
      const norm = computeNorm(vectors, row * dimensions, dimensions);
      if (!Number.isFinite(norm))
        throw new EngineError('A vector contains a value that is not a finite number.');
      norms[row] = norm;
    }
    this.#reserve(this.#count + addedRows);
    for (let row = 0; row < addedRows; row++) {
      const start = row * dimensions;
      this.#write(this.#getAddress(this.#count + row), vectors.subarray(start, start + dimensions), isRaw);
    }
    this.#count += addedRows;
    return norms;
  }

  /** Returns the row in place; valid only until rows are appended. */
  getRow(row: number): Float32Array {
    const start = this.#getAddress(row) / 4;
    return this.#kernel.floats.subarray(start, start + this.dimensions);
  }

  /** Returns a copy of all rows without padding. */
  copyRows(): Float32Array<ArrayBuffer> {
    const copy = new Float32Array(this.#count * this.dimensions);
    for (let row = 0; row < this.#count; row++) copy.set(this.getRow(row), row * this.dimensions);
    return copy;
  }

  /** Returns the rows with only their first numbers, scaled to length 1 again. */
  truncateRows(dimensions: number): Matrix {
    const shorter = this.createEmpty(dimensions);
    shorter.#reserve(this.#count);
    for (let row = 0; row < this.#count; row++) {
      shorter.#write(shorter.#getAddress(row), this.getRow(row).subarray(0, dimensions), false);
    }
    shorter.#count = this.#count;
    return shorter;
  }

  /** Returns a copy with only these rows, in this order. */
  selectRows(rows: Int32Array): Matrix {
    const copy = this.createEmpty();
    copy.#reserve(rows.length);
    for (const row of rows) copy.append(this.getRow(row), true);
    return copy;
  }

  /** Computes the similarity of a row, or of a vector that is cut and scaled like a row, to each of the first rows. */
  dots(query: number | Float32Array, out: Float32Array): void {
    const { width } = this;
    const kernel = this.#kernel;
    const address = this.#getQueryAddress(query);
    for (let start = 0; start < out.length; start += scratchNumbers) {
      const count = Math.min(scratchNumbers, out.length - start);
      kernel.dots(address, this.#getAddress(start), width * 4, width * 4, count, this.#outAddress);
      out.set(kernel.floats.subarray(this.#outAddress / 4, this.#outAddress / 4 + count), start);
    }
  }

  /** Computes the similarity of each pair of rows over the numbers from `from` (a multiple of 4) to `to`. */
  pairDots(rowsA: Int32Array, rowsB: Int32Array, out: Float32Array, from = 0, to = this.width): void {
    const kernel = this.#kernel;
    const addresses = new Uint32Array(kernel.floats.buffer, this.#pairsAddress, 2 * scratchNumbers);
    for (let first = 0; first < rowsB.length; first += scratchNumbers) {
      const count = Math.min(scratchNumbers, rowsB.length - first);
      for (let index = 0; index < count; index++) {
        addresses[2 * index] = this.#getAddress(rowsA[first + index] ?? 0) + from * 4;
        addresses[2 * index + 1] = this.#getAddress(rowsB[first + index] ?? 0) + from * 4;
      }
      kernel.pairs(this.#pairsAddress, Math.ceil((to - from) / 4) * 16, count, this.#outAddress);
      out.set(kernel.floats.subarray(this.#outAddress / 4, this.#outAddress / 4 + count), first);
    }
  }

  /** Computes the similarity of at most a block of rows to each of the first rows: out[query · count + row]. */
  scores(queries: Int32Array, count: number, out: Float32Array): void {
    this.gather(0, queries);
    const a = { slot: 0 as const, count: queries.length };
    for (let from = 0; from < count; from += blockRows) {
      const b = { from, count: Math.min(blockRows, count - from) };
      const block = this.product(a, b);
      for (let query = 0; query < queries.length; query++) {
        out.set(block.subarray(query * b.count, (query + 1) * b.count), query * count + from);
      }
    }
  }

  /** Returns the similarity of two rows. */
  dot(row: number, other: number): number {
    const kernel = this.#kernel;
    const length = this.width * 4;
    kernel.dots(this.#getAddress(row), this.#getAddress(other), length, length, 1, this.#outAddress);
    return kernel.floats[this.#outAddress / 4] ?? 0;
  }

  /** Copies at most a block of rows into a slot. */
  gather(slot: 0 | 1, rows: Int32Array): void {
    const { width } = this;
    const { floats } = this.#kernel;
    const targetOffset = this.#getSlotAddress(slot) / 4;
    for (const [index, row] of rows.entries()) {
      const sourceOffset = this.#getAddress(row) / 4;
      floats.copyWithin(targetOffset + index * width, sourceOffset, sourceOffset + width);
    }
  }

  /** Copies at most a block of other vectors unchanged into a slot. */
  put(slot: 0 | 1, vectors: Float32Array): void {
    const { dimensions, width } = this;
    for (let index = 0; index * dimensions < vectors.length; index++) {
      const vector = vectors.subarray(index * dimensions, (index + 1) * dimensions);
      this.#write(this.#getSlotAddress(slot) + index * width * 4, vector, true);
    }
  }

  /**
   * Multiplies every row of a by every row of b, at most a block of each, row-major, over the numbers from `from` (a
   * multiple of 4) to `to`. With `accumulate`, adds to the previous result.
   */
  product(a: Side, b: Side, from = 0, to = this.width, accumulate = false): Float32Array {
    const kernel = this.#kernel;
    const getSideAddress = (side: Side) =>
      ('slot' in side ? this.#getSlotAddress(side.slot) : this.#getAddress(side.from)) + from * 4;
    const length = Math.ceil((to - from) / 4) * 16;
    const stride = this.width * 4;
    const outStride = b.count * 4;
    const add = accumulate ? 1 : 0;
    kernel.tile(
      getSideAddress(a),
      a.count,
      getSideAddress(b),
      b.count,
      stride,
      length,
      this.#outAddress,
      outStride,
      add,
    );
    return kernel.floats.subarray(this.#outAddress / 4, this.#outAddress / 4 + a.count * b.count);
  }

  /**
   * out = the sum over the first rows of (row · v − centre) · row, in float64; `factors` receives each row · v −
   * centre.
   */
  spread(v: Float64Array, centre: number, factors: Float64Array, out: Float64Array): void {
    const { width } = this;
    const kernel = this.#kernel;
    const length = width * 4;
    const [outAddress, factorsAddress] = [width * 8, this.#outAddress];
    kernel.doubles.fill(0, 0, 2 * width);
    kernel.doubles.set(v);
    for (let from = 0; from < factors.length; from += scratchNumbers / 2) {
      const count = Math.min(scratchNumbers / 2, factors.length - from);
      kernel.spread(0, this.#getAddress(from), length, length, count, centre, factorsAddress, outAddress);
      factors.set(kernel.doubles.subarray(factorsAddress / 8, factorsAddress / 8 + count), from);
    }
    out.set(kernel.doubles.subarray(width, width + out.length));
  }

  /** Computes the sum of these rows in float64. */
  sum(rows: Int32Array, out: Float64Array): void {
    const { width } = this;
    const kernel = this.#kernel;
    const zeroAddress = width * 8;
    kernel.doubles.fill(0, 0, 2 * width);
    const getAddress = (index: number) => {
      const row = rows[index];
      return row === undefined ? zeroAddress : this.#getAddress(row);
    };
    for (let from = 0; from < rows.length; from += 4) {
      kernel.add(
        getAddress(from),
        getAddress(from + 1),
        getAddress(from + 2),
        getAddress(from + 3),
        width * 4,
        0,
      );
    }
    out.set(kernel.doubles.subarray(0, out.length));
  }

  #write(address: number, vector: Float32Array, isRaw: boolean): void {
    const { floats } = this.#kernel;
    const norm = isRaw ? 0 : computeNorm(vector, 0, vector.length);
    const scale = norm === 0 ? 1 : 1 / norm;
    const offset = address / 4;
    if (scale === 1) floats.set(vector, offset);
    else for (let n = 0; n < vector.length; n++) floats[offset + n] = (vector[n] ?? 0) * scale;
    floats.fill(0, offset + vector.length, offset + this.width);
  }

  /** Returns the address of the query: its row, or slot 0 with the cut and scaled vector. */
  #getQueryAddress(query: number | Float32Array): number {
    if (typeof query === 'number') return this.#getAddress(query);
    const { dimensions } = this;
    if (query.length < dimensions) {
      throw new EngineError(`The query has ${query.length} dimensions, but the texts have ${dimensions}.`);
    }
    const truncatedQuery = query.subarray(0, dimensions);
    if (!Number.isFinite(computeNorm(truncatedQuery, 0, dimensions))) {
      throw new EngineError('The query contains a value that is not a finite number.');
    }
    this.#write(this.#slotsAddress, truncatedQuery, false);
    return this.#slotsAddress;
  }

  #getAddress(row: number): number {
    return this.#rowsAddress + row * this.width * 4;
  }

  #getSlotAddress(slot: 0 | 1): number {
    return this.#slotsAddress + slot * blockRows * this.width * 4;
  }

  #reserve(rows: number): void {
    if (rows <= this.#capacity) return;
    // Doubles the capacity, so that many small batches copy little.
    this.#capacity = Math.max(rows, Math.min(2 * this.#capacity, this.#capacity + 16_384));
    try {
      this.#kernel.reserve(this.#getAddress(this.#capacity));
    } catch {
      throw new EngineError('Not enough memory for this many vectors. Close other tabs or use fewer texts.');
    }
  }
}

function computeNorm(vectors: Float32Array, start: number, count: number): number {
  let squares = 0;
  for (let n = start; n < start + count; n++) {
    const value = vectors[n] ?? 0;
    squares += value * value;
  }
  return Math.sqrt(squares);
}
