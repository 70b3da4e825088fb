// AssemblyScript. After an edit, compile it here into kernel.wasm, commit both and update the checksum below:
//   cp vector-kernel.as kernel.ts && npx --package=assemblyscript@0.28.20 asc kernel.ts --outFile kernel.wasm \
//     --runtime stub --enable simd -O3 --noAssert --converge; rm kernel.ts; sha256sum kernel.wasm
// 64d853985d4d03c288b2b5d40912dbc517432d5485f548c56ced6b0a89d87354
//
// Dot products of float32 rows. A row is padded with zeros to whole vectors of four lanes. Every dot is summed in
// the same order in every function: lane l takes numbers l, l + 4, l + 8, …, then (l0 + l1) + (l2 + l3).
// No relaxed SIMD: a fused multiply-add would round differently from one processor to the next.
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

/** out[p] = one · other over the pair of addresses that stands at pairs[p]. Four pairs at a time. */
export function pairs(pairs: usize, length: usize, count: usize, out: usize): void {
  for (let p: usize = 0; p < count; p += 4) {
    const at = pairs + (p << 3);
    const a1 = p + 1 < count ? at + 8 : at;
    const a2 = p + 2 < count ? at + 16 : at;
    const a3 = p + 3 < count ? at + 24 : at;
    let x0: usize = load<u32>(at);
    let y0: usize = load<u32>(at, 4);
    let x1: usize = load<u32>(a1);
    let y1: usize = load<u32>(a1, 4);
    let x2: usize = load<u32>(a2);
    let y2: usize = load<u32>(a2, 4);
    let x3: usize = load<u32>(a3);
    let y3: usize = load<u32>(a3, 4);
    const end = x0 + length;
    let s0 = f32x4.splat(0);
    let s1 = f32x4.splat(0);
    let s2 = f32x4.splat(0);
    let s3 = f32x4.splat(0);
    while (x0 < end) {
      s0 = muladd(s0, v128.load(x0), v128.load(y0));
      s1 = muladd(s1, v128.load(x1), v128.load(y1));
      s2 = muladd(s2, v128.load(x2), v128.load(y2));
      s3 = muladd(s3, v128.load(x3), v128.load(y3));
      x0 += 16;
      y0 += 16;
      x1 += 16;
      y1 += 16;
      x2 += 16;
      y2 += 16;
      x3 += 16;
      y3 += 16;
    }
    const o = out + (p << 2);
    store<f32>(o, sum(s0));
    if (p + 1 < count) store<f32>(o + 4, sum(s1));
    if (p + 2 < count) store<f32>(o + 8, sum(s2));
    if (p + 3 < count) store<f32>(o + 12, sum(s3));
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

// Two numbers as float64. Loaded by themselves: an engine then reads and widens them in one instruction.
// @ts-ignore: decorator
@inline
function low(at: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(at));
}

// @ts-ignore: decorator
@inline
function high(at: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(at, 8));
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

/**
 * times[i] = rows[i] · v − centre, then out += times[i] · rows[i], in float64; `times` has room for an even count.
 * One loop takes the dots of a pair of rows and adds the pair before it, which still lies in the cache: memory is
 * read all the while.
 */
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
  // A missing row is replaced by an existing one, whose result is not used.
  let f0 = f64x2.splat(0);
  let f1 = f64x2.splat(0);
  let r0 = rows;
  let r1 = rows;
  for (let i: usize = 0; i < count + 2; i += 2) {
    const b0 = r0;
    const b1 = r1;
    if (i < count) r0 = rows + i * stride;
    r1 = i + 1 < count ? r0 + stride : r0;
    let s0 = f64x2.splat(0);
    let s1 = f64x2.splat(0);
    let s2 = f64x2.splat(0);
    let s3 = f64x2.splat(0);
    for (let at: usize = 0; at < length; at += 16) {
      const x = v + 2 * at;
      const o = out + 2 * at;
      s0 = muladd64(s0, low(r0 + at), v128.load(x));
      s1 = muladd64(s1, high(r0 + at), v128.load(x, 16));
      s2 = muladd64(s2, low(r1 + at), v128.load(x));
      s3 = muladd64(s3, high(r1 + at), v128.load(x, 16));
      v128.store(o, muladd64(muladd64(v128.load(o), f0, low(b0 + at)), f1, low(b1 + at)));
      v128.store(o, muladd64(muladd64(v128.load(o, 16), f0, high(b0 + at)), f1, high(b1 + at)), 16);
    }
    if (i >= count) break;
    const t0 = sum64(s0, s1) - centre;
    const t1 = sum64(s2, s3) - centre;
    store<f64>(times + (i << 3), t0);
    store<f64>(times + (i << 3) + 8, t1);
    f0 = f64x2.splat(t0);
    f1 = f64x2.splat(i + 1 < count ? t1 : 0);
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
    const x = r0 + at;
    const y = r1 + at;
    const z = r2 + at;
    const w = r3 + at;
    v128.store(o, add64(add64(add64(add64(v128.load(o), low(x)), low(y)), low(z)), low(w)));
    v128.store(o, add64(add64(add64(add64(v128.load(o, 16), high(x)), high(y)), high(z)), high(w)), 16);
  }
}

// @ts-ignore: decorator
@inline
function add64(one: v128, other: v128): v128 {
  return f64x2.add(one, other);
}
