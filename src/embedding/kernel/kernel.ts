/**
 * The arithmetic on float32 rows in a memory of its own, in WebAssembly or, where that is refused, in JavaScript.
 * All addresses, strides and lengths are bytes; lengths are multiples of 16.
 */
export interface Kernel {
  /** The memory as numbers; another array after `reserve`. */
  readonly floats: Float32Array;
  readonly doubles: Float64Array;
  /** Makes the memory at least so many bytes, keeping what is in it. Throws a RangeError where there is no more. */
  reserve(bytes: number): void;
  /** out[i] = query · rows[i] */
  dots(query: number, rows: number, stride: number, length: number, count: number, out: number): void;
  /** out[p] = the dot product of the pair of rows whose addresses stand at pairs[p]. */
  pairs(pairs: number, length: number, count: number, out: number): void;
  /** out[i][j] = a[i] · b[j], or that much more where `accumulate` is 1. */
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
  /** factors[i] = rows[i] · v − centre, then out += factors[i] · rows[i]; v, factors and out in float64, factors with space for an even count. */
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
  /** out += the four rows, one after the other, in float64. */
  add(r0: number, r1: number, r2: number, r3: number, length: number, out: number): void;
}

/** Each set of rows has a kernel with its own memory, so that forgetting a set frees it. */
export type MakeKernel = () => Kernel;
