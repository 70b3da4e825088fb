/**
 * Arithmetic on float32 rows in separate memory, in WebAssembly or, if that is not allowed, in JavaScript. All
 * addresses, strides and lengths are in bytes; lengths are multiples of 16.
 */
export interface Kernel {
  /** The memory as numbers; replaced by `reserve`. */
  readonly floats: Float32Array;
  readonly doubles: Float64Array;
  /**
   * Grows the memory to at least this many bytes, keeping its content. Throws a RangeError if the memory cannot grow.
   */
  reserve(bytes: number): void;
  /** out[i] = query · rows[i] */
  dots(query: number, rows: number, stride: number, length: number, count: number, out: number): void;
  /** out[p] = the dot product of the pair of rows whose addresses are at pairs[p]. */
  pairs(pairs: number, length: number, count: number, out: number): void;
  /** out[i][j] = a[i] · b[j], added to the previous value if `accumulate` is 1. */
  tile(
    a: number,
    aCount: number,
    b: number,
    bCount: number,
    stride: number,
    length: number,
    out: number,
    outStride: number,
    accumulate: 0 | 1,
  ): void;
  /**
   * factors[i] = rows[i] · v − centre, then out += factors[i] · rows[i]; v, factors and out in float64, factors with
   * space for an even count.
   */
  spread(
    v: number,
    rows: number,
    stride: number,
    length: number,
    count: number,
    centre: number,
    factors: number,
    out: number,
  ): void;
  /** out += the four rows, one after another, in float64. */
  add(r0: number, r1: number, r2: number, r3: number, length: number, out: number): void;
}

/** Each set of rows has a kernel with its own memory, so dropping a set frees it. */
export type MakeKernel = () => Kernel;
