// AssemblyScript. `node src/scripts/build-kernel.mjs` compiles it into kernel-bytes.ts; a test holds the two together.
//
// Dot products of float32 rows. A row is padded with zeros to whole vectors of four lanes. Every dot is summed in
// the same order whichever function makes it: lane l takes numbers l, l + 4, l + 8, …, then (l0 + l1) + (l2 + l3).
// fround-kernel.ts does the same sums in the same order and therefore gives the same bits. No relaxed SIMD: a
// fused multiply-add would round differently from one processor to the next.
// All addresses and strides are bytes.

// @ts-ignore: decorator
@inline
function sum(lanes: v128): f32 {
  return (
    (f32x4.extract_lane(lanes, 0) + f32x4.extract_lane(lanes, 1)) +
    (f32x4.extract_lane(lanes, 2) + f32x4.extract_lane(lanes, 3))
  );
}

// @ts-ignore: decorator
@inline
function muladd(total: v128, one: v128, other: v128): v128 {
  return f32x4.add(total, f32x4.mul(one, other));
}

/** out[i] = query · rows[i]. Four rows at a time: bound by memory. */
export function dots(query: usize, rows: usize, stride: usize, length: usize, count: usize, out: usize): void {
  const end = query + length;
  for (let i: usize = 0; i < count; i += 4) {
    let r0 = rows + i * stride;
    let r1 = i + 1 < count ? r0 + stride : r0;
    let r2 = i + 2 < count ? r0 + 2 * stride : r0;
    let r3 = i + 3 < count ? r0 + 3 * stride : r0;
    let s0 = f32x4.splat(0);
    let s1 = f32x4.splat(0);
    let s2 = f32x4.splat(0);
    let s3 = f32x4.splat(0);
    for (let q = query; q < end; q += 16) {
      const x = v128.load(q);
      s0 = muladd(s0, x, v128.load(r0));
      s1 = muladd(s1, x, v128.load(r1));
      s2 = muladd(s2, x, v128.load(r2));
      s3 = muladd(s3, x, v128.load(r3));
      r0 += 16;
      r1 += 16;
      r2 += 16;
      r3 += 16;
    }
    const o = out + (i << 2);
    store<f32>(o, sum(s0));
    if (i + 1 < count) store<f32>(o + 4, sum(s1));
    if (i + 2 < count) store<f32>(o + 8, sum(s2));
    if (i + 3 < count) store<f32>(o + 12, sum(s3));
  }
}

/**
 * out[i][j] = a[i] · b[j] over `length` bytes of each row, or that much more where `more` is not 0.
 * Eight sums at a time: with more the engine runs out of registers.
 */
export function tile(
  a: usize,
  aCount: usize,
  b: usize,
  bCount: usize,
  stride: usize,
  length: usize,
  out: usize,
  outStride: usize,
  more: i32,
): void {
  for (let i: usize = 0; i < aCount; i += 2) {
    const hasSecond = i + 1 < aCount;
    const o0 = out + i * outStride;
    const o1 = o0 + outStride;
    for (let j: usize = 0; j < bCount; j += 4) {
      const left = bCount - j;
      let a0 = a + i * stride;
      let a1 = hasSecond ? a0 + stride : a0;
      let b0 = b + j * stride;
      let b1 = left > 1 ? b0 + stride : b0;
      let b2 = left > 2 ? b0 + 2 * stride : b0;
      let b3 = left > 3 ? b0 + 3 * stride : b0;
      const end = a0 + length;
      let s00 = f32x4.splat(0);
      let s01 = f32x4.splat(0);
      let s02 = f32x4.splat(0);
      let s03 = f32x4.splat(0);
      let s10 = f32x4.splat(0);
      let s11 = f32x4.splat(0);
      let s12 = f32x4.splat(0);
      let s13 = f32x4.splat(0);
      while (a0 < end) {
        const x = v128.load(a0);
        const y = v128.load(a1);
        let z = v128.load(b0);
        s00 = muladd(s00, x, z);
        s10 = muladd(s10, y, z);
        z = v128.load(b1);
        s01 = muladd(s01, x, z);
        s11 = muladd(s11, y, z);
        z = v128.load(b2);
        s02 = muladd(s02, x, z);
        s12 = muladd(s12, y, z);
        z = v128.load(b3);
        s03 = muladd(s03, x, z);
        s13 = muladd(s13, y, z);
        a0 += 16;
        a1 += 16;
        b0 += 16;
        b1 += 16;
        b2 += 16;
        b3 += 16;
      }
      const p0 = o0 + (j << 2);
      const p1 = o1 + (j << 2);
      put(p0, sum(s00), more);
      if (left > 1) put(p0 + 4, sum(s01), more);
      if (left > 2) put(p0 + 8, sum(s02), more);
      if (left > 3) put(p0 + 12, sum(s03), more);
      if (hasSecond) {
        put(p1, sum(s10), more);
        if (left > 1) put(p1 + 4, sum(s11), more);
        if (left > 2) put(p1 + 8, sum(s12), more);
        if (left > 3) put(p1 + 12, sum(s13), more);
      }
    }
  }
}

// @ts-ignore: decorator
@inline
function low(four: v128): v128 {
  return f64x2.promote_low_f32x4(four);
}

// @ts-ignore: decorator
@inline
function high(four: v128): v128 {
  return f64x2.promote_low_f32x4(i64x2.shuffle(four, four, 1, 1));
}

// @ts-ignore: decorator
@inline
function muladd64(total: v128, one: v128, other: v128): v128 {
  return f64x2.add(total, f64x2.mul(one, other));
}

// @ts-ignore: decorator
@inline
function sum64(one: v128, other: v128): f64 {
  return (
    (f64x2.extract_lane(one, 0) + f64x2.extract_lane(one, 1)) +
    (f64x2.extract_lane(other, 0) + f64x2.extract_lane(other, 1))
  );
}

/** times[i] = rows[i] · v − centre, then out += times[i] · rows[i], in float64; the count is a multiple of 2. */
export function spread(
  v: usize,
  rows: usize,
  stride: usize,
  length: usize,
  count: usize,
  centre: f64,
  times: usize,
  out: usize,
): void {
  for (let i: usize = 0; i < count; i += 2) {
    const first = rows + i * stride;
    const second = first + stride;
    let s0 = f64x2.splat(0);
    let s1 = f64x2.splat(0);
    let s2 = f64x2.splat(0);
    let s3 = f64x2.splat(0);
    for (let at: usize = 0; at < length; at += 16) {
      const v0 = v128.load(v + 2 * at);
      const v1 = v128.load(v + 2 * at, 16);
      const x = v128.load(first + at);
      const y = v128.load(second + at);
      s0 = muladd64(s0, low(x), v0);
      s1 = muladd64(s1, high(x), v1);
      s2 = muladd64(s2, low(y), v0);
      s3 = muladd64(s3, high(y), v1);
    }
    const t0 = sum64(s0, s1) - centre;
    const t1 = sum64(s2, s3) - centre;
    store<f64>(times + (i << 3), t0);
    store<f64>(times + (i << 3) + 8, t1);
    const f0 = f64x2.splat(t0);
    const f1 = f64x2.splat(t1);
    for (let at: usize = 0; at < length; at += 16) {
      const o = out + 2 * at;
      const x = v128.load(first + at);
      const y = v128.load(second + at);
      v128.store(o, muladd64(muladd64(v128.load(o), f0, low(x)), f1, low(y)));
      v128.store(o, muladd64(muladd64(v128.load(o, 16), f0, high(x)), f1, high(y)), 16);
    }
  }
}

// @ts-ignore: decorator
@inline
function put(at: usize, value: f32, more: i32): void {
  store<f32>(at, more ? load<f32>(at) + value : value);
}

/** out += the four rows, one after the other, in float64. Four at a time: one alone waits for memory. */
export function add(r0: usize, r1: usize, r2: usize, r3: usize, length: usize, out: usize): void {
  for (let at: usize = 0; at < length; at += 16) {
    const o = out + 2 * at;
    const x = v128.load(r0 + at);
    const y = v128.load(r1 + at);
    const z = v128.load(r2 + at);
    const w = v128.load(r3 + at);
    v128.store(o, add64(add64(add64(add64(v128.load(o), low(x)), low(y)), low(z)), low(w)));
    v128.store(o, add64(add64(add64(add64(v128.load(o, 16), high(x)), high(y)), high(z)), high(w)), 16);
  }
}

// @ts-ignore: decorator
@inline
function add64(one: v128, other: v128): v128 {
  return f64x2.add(one, other);
}
