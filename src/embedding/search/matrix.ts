import { EngineError } from '../engine/engine.ts';
import type { Kernel, MakeKernel } from '../kernel/kernel.ts';

/** Rows that a block of the big loops has: 64 rows of 1,024 numbers lie in a core's second-level cache. */
export const blockRows = 64;
/** Numbers that the scratch memory holds for results. */
const outNumbers = blockRows * blockRows;
const fewestRows = 64;

/** One side of a product: rows side by side from a first one, or what was gathered in slot 0 or 1. */
type Side = { from: number; count: number } | { slot: 0 | 1; count: number };

/**
 * Rows of one length in a kernel's memory, as WebAssembly reads them. Results and gathered rows lie in one scratch
 * memory: they last until the next call, and not over an await.
 */
export class Matrix {
  readonly dimensions: number;
  /** Numbers from one row to the next: the dimensions, padded with zeros to whole vectors. */
  readonly width: number;
  readonly #kernel: Kernel;
  readonly #makeKernel: MakeKernel;
  readonly #slotsAt: number;
  readonly #outAt: number;
  readonly #pairsAt: number;
  readonly #rowsAt: number;
  #capacity = 0;
  #count = 0;

  constructor(makeKernel: MakeKernel, dimensions: number) {
    this.dimensions = dimensions;
    this.width = Math.ceil(dimensions / 4) * 4;
    this.#makeKernel = makeKernel;
    this.#kernel = makeKernel();
    // First what `spread` needs: two float64 vectors.
    this.#slotsAt = 2 * this.width * 8;
    this.#outAt = this.#slotsAt + 2 * blockRows * this.width * 4;
    this.#pairsAt = this.#outAt + outNumbers * 4;
    this.#rowsAt = this.#pairsAt + outNumbers * 8;
    this.#reserve(fewestRows);
  }

  get count(): number {
    return this.#count;
  }

  /** An empty matrix of the same kind. */
  empty(dimensions = this.dimensions): Matrix {
    return new Matrix(this.#makeKernel, dimensions);
  }

  /**
   * Adds rows and gives the length that each had. Unless `raw`, they are scaled to length 1; a row of zeros stays.
   * Nothing is added where a number is not finite or the last row is not whole.
   */
  append(vectors: Float32Array, raw = false): Float32Array<ArrayBuffer> {
    const { dimensions } = this;
    const more = vectors.length / dimensions;
    if (!Number.isInteger(more)) {
      throw new EngineError(`${vectors.length} numbers do not make whole vectors of ${dimensions}.`);
    }
    const norms = new Float32Array(more);
    for (let row = 0; row < more; row++) {
      const norm = normOf(vectors, row * dimensions, dimensions);
      if (!Number.isFinite(norm))
        throw new EngineError('A vector contains a value that is not a finite number.');
      norms[row] = norm;
    }
    this.#reserve(this.#count + more);
    for (let row = 0; row < more; row++) {
      const from = row * dimensions;
      this.#write(this.#addressOf(this.#count + row), vectors.subarray(from, from + dimensions), raw);
    }
    this.#count += more;
    return norms;
  }

  /** The row in place; not to be kept over an append. */
  row(row: number): Float32Array {
    const from = this.#addressOf(row) / 4;
    return this.#kernel.floats.subarray(from, from + this.dimensions);
  }

  /** A copy of all rows, without what pads them. */
  rows(): Float32Array<ArrayBuffer> {
    const copy = new Float32Array(this.#count * this.dimensions);
    for (let row = 0; row < this.#count; row++) copy.set(this.row(row), row * this.dimensions);
    return copy;
  }

  /** These rows with only their first numbers, scaled to length 1 again. */
  truncated(dimensions: number): Matrix {
    const shorter = this.empty(dimensions);
    shorter.#reserve(this.#count);
    for (let row = 0; row < this.#count; row++) {
      shorter.#write(shorter.#addressOf(row), this.row(row).subarray(0, dimensions), false);
    }
    shorter.#count = this.#count;
    return shorter;
  }

  /** A copy with only these rows, in this order. */
  chosen(rows: Int32Array): Matrix {
    const copy = this.empty();
    copy.#reserve(rows.length);
    for (const row of rows) copy.append(this.row(row), true);
    return copy;
  }

  /** The similarity to each of the first rows of a row, or of a vector, which is cut and scaled like a row. */
  dots(query: number | Float32Array, into: Float32Array): void {
    const { width } = this;
    const kernel = this.#kernel;
    const address = this.#queryAt(query);
    for (let from = 0; from < into.length; from += outNumbers) {
      const count = Math.min(outNumbers, into.length - from);
      kernel.dots(address, this.#addressOf(from), width * 4, width * 4, count, this.#outAt);
      into.set(kernel.floats.subarray(this.#outAt / 4, this.#outAt / 4 + count), from);
    }
  }

  /** The similarity of each pair of rows; over the numbers from `from` (a multiple of 4) to `to`. */
  pairDots(ones: Int32Array, others: Int32Array, into: Float32Array, from = 0, to = this.width): void {
    const kernel = this.#kernel;
    const addresses = new Uint32Array(kernel.floats.buffer, this.#pairsAt, 2 * outNumbers);
    for (let first = 0; first < others.length; first += outNumbers) {
      const count = Math.min(outNumbers, others.length - first);
      for (let at = 0; at < count; at++) {
        addresses[2 * at] = this.#addressOf(ones[first + at] ?? 0) + from * 4;
        addresses[2 * at + 1] = this.#addressOf(others[first + at] ?? 0) + from * 4;
      }
      kernel.pairs(this.#pairsAt, Math.ceil((to - from) / 4) * 16, count, this.#outAt);
      into.set(kernel.floats.subarray(this.#outAt / 4, this.#outAt / 4 + count), first);
    }
  }

  /** The similarity of at most a block of rows to each of the first rows: into[query · count + row]. */
  scores(queries: Int32Array, count: number, into: Float32Array): void {
    this.gather(0, queries);
    const a = { slot: 0 as const, count: queries.length };
    for (let from = 0; from < count; from += blockRows) {
      const b = { from, count: Math.min(blockRows, count - from) };
      const block = this.product(a, b);
      for (let query = 0; query < queries.length; query++) {
        into.set(block.subarray(query * b.count, (query + 1) * b.count), query * count + from);
      }
    }
  }

  /** The similarity of two rows. */
  dot(row: number, other: number): number {
    const kernel = this.#kernel;
    const length = this.width * 4;
    kernel.dots(this.#addressOf(row), this.#addressOf(other), length, length, 1, this.#outAt);
    return kernel.floats[this.#outAt / 4] ?? 0;
  }

  /** Puts at most a block of rows into a slot. */
  gather(slot: 0 | 1, rows: Int32Array): void {
    const { width } = this;
    const { floats } = this.#kernel;
    const to = this.#slotAt(slot) / 4;
    for (const [place, row] of rows.entries()) {
      const from = this.#addressOf(row) / 4;
      floats.copyWithin(to + place * width, from, from + width);
    }
  }

  /** Puts at most a block of vectors that are not rows, as they are, into a slot. */
  put(slot: 0 | 1, vectors: Float32Array): void {
    const { dimensions, width } = this;
    for (let place = 0; place * dimensions < vectors.length; place++) {
      const vector = vectors.subarray(place * dimensions, (place + 1) * dimensions);
      this.#write(this.#slotAt(slot) + place * width * 4, vector, true);
    }
  }

  /**
   * Every row of a with every row of b, at most a block of each, row-major; over the numbers of the rows from
   * `from` (a multiple of 4) to `to`, added to what the last call left where `more`.
   */
  product(a: Side, b: Side, from = 0, to = this.width, more = false): Float32Array {
    const kernel = this.#kernel;
    const addressOf = (side: Side) =>
      ('slot' in side ? this.#slotAt(side.slot) : this.#addressOf(side.from)) + from * 4;
    const length = Math.ceil((to - from) / 4) * 16;
    const stride = this.width * 4;
    const outStride = b.count * 4;
    const add = more ? 1 : 0;
    kernel.tile(addressOf(a), a.count, addressOf(b), b.count, stride, length, this.#outAt, outStride, add);
    return kernel.floats.subarray(this.#outAt / 4, this.#outAt / 4 + a.count * b.count);
  }

  /** out = the sum over the first rows of (row · v − centre) · row, in float64; `times` takes each row · v − centre. */
  spread(v: Float64Array, centre: number, times: Float64Array, out: Float64Array): void {
    const { width } = this;
    const kernel = this.#kernel;
    const length = width * 4;
    const [outAt, timesAt] = [width * 8, this.#outAt];
    kernel.doubles.fill(0, 0, 2 * width);
    kernel.doubles.set(v);
    for (let from = 0; from < times.length; from += outNumbers / 2) {
      const count = Math.min(outNumbers / 2, times.length - from);
      kernel.spread(0, this.#addressOf(from), length, length, count, centre, timesAt, outAt);
      times.set(kernel.doubles.subarray(timesAt / 8, timesAt / 8 + count), from);
    }
    out.set(kernel.doubles.subarray(width, width + out.length));
  }

  /** The sum of these rows, in float64. */
  sum(rows: Int32Array, out: Float64Array): void {
    const { width } = this;
    const kernel = this.#kernel;
    const noneAt = width * 8;
    kernel.doubles.fill(0, 0, 2 * width);
    const at = (place: number) => {
      const row = rows[place];
      return row === undefined ? noneAt : this.#addressOf(row);
    };
    for (let from = 0; from < rows.length; from += 4) {
      kernel.add(at(from), at(from + 1), at(from + 2), at(from + 3), width * 4, 0);
    }
    out.set(kernel.doubles.subarray(0, out.length));
  }

  #write(address: number, vector: Float32Array, raw: boolean): void {
    const { floats } = this.#kernel;
    const norm = raw ? 0 : normOf(vector, 0, vector.length);
    const scale = norm === 0 ? 1 : 1 / norm;
    const at = address / 4;
    if (scale === 1) floats.set(vector, at);
    else for (let n = 0; n < vector.length; n++) floats[at + n] = (vector[n] ?? 0) * scale;
    floats.fill(0, at + vector.length, at + this.width);
  }

  /** Where the query stands: its row, or slot 0 with the vector, cut and scaled. */
  #queryAt(query: number | Float32Array): number {
    if (typeof query === 'number') return this.#addressOf(query);
    const { dimensions } = this;
    if (query.length < dimensions) {
      throw new EngineError(`The query has ${query.length} dimensions, the texts have ${dimensions}.`);
    }
    const cut = query.subarray(0, dimensions);
    if (!Number.isFinite(normOf(cut, 0, dimensions))) {
      throw new EngineError('The query contains a value that is not a finite number.');
    }
    this.#write(this.#slotsAt, cut, false);
    return this.#slotsAt;
  }

  #addressOf(row: number): number {
    return this.#rowsAt + row * this.width * 4;
  }

  #slotAt(slot: 0 | 1): number {
    return this.#slotsAt + slot * blockRows * this.width * 4;
  }

  #reserve(rows: number): void {
    if (rows <= this.#capacity) return;
    // Twice what there was, so that many small batches copy little.
    this.#capacity = Math.max(rows, Math.min(2 * this.#capacity, this.#capacity + 16_384));
    try {
      this.#kernel.reserve(this.#addressOf(this.#capacity));
    } catch {
      throw new EngineError('Not enough memory for this many vectors. Close other tabs or use fewer texts.');
    }
  }
}

function normOf(vectors: Float32Array, from: number, count: number): number {
  let squares = 0;
  for (let n = from; n < from + count; n++) {
    const value = vectors[n] ?? 0;
    squares += value * value;
  }
  return Math.sqrt(squares);
}
