// AssemblyScript. `node src/scripts/build-kernel.mjs` compiles it into sketch-bytes.ts; a test holds the two together.
//
// Products of rows in whole numbers, for a sketch (sketch.ts). Whole numbers add up to the same in any order. Addresses
// are bytes, widths are numbers.

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
function muladd16(total: v128, one: v128, other: v128): v128 {
  return i32x4.add(total, i32x4.dot_i16x8_s(one, other));
}

// @ts-ignore: decorator
@inline
function total(lanes: v128): i32 {
  return (
    i32x4.extract_lane(lanes, 0) +
    i32x4.extract_lane(lanes, 1) +
    i32x4.extract_lane(lanes, 2) +
    i32x4.extract_lane(lanes, 3)
  );
}

/**
 * out[i][j] = a[i] · b[j] in whole numbers: of two bytes in a, of one in b; rows of `width` numbers, a multiple of 32,
 * side by side.
 */
export function rough(a: usize, aCount: usize, b: usize, bCount: usize, width: usize, out: usize): void {
  let i: usize = 0;
  for (; i + 1 < aCount; i += 2) two(a + 2 * i * width, b, bCount, width, out + ((i * bCount) << 2));
  if (i < aCount) one(a + 2 * i * width, b, bCount, width, out + ((i * bCount) << 2));
}

/** Row by row: one that asks many waits for memory, which is read fastest in one stream. */
function one(a: usize, b: usize, bCount: usize, width: usize, out: usize): void {
  for (let j: usize = 0; j < bCount; j++) {
    const end = b + width;
    let at = a;
    let s0 = i32x4.splat(0);
    let s1 = i32x4.splat(0);
    while (b < end) {
      s0 = muladd16(s0, v128.load(at), v128.load_ext<i8>(b));
      s1 = muladd16(s1, v128.load(at, 16), v128.load_ext<i8>(b, 8));
      s0 = muladd16(s0, v128.load(at, 32), v128.load_ext<i8>(b, 16));
      s1 = muladd16(s1, v128.load(at, 48), v128.load_ext<i8>(b, 24));
      at += 64;
      b += 32;
    }
    store<i32>(out + (j << 2), total(i32x4.add(s0, s1)));
  }
}

/** Four of b at a time, one step of the loop at a time: with more the engine runs out of registers. */
function two(a: usize, b: usize, bCount: usize, width: usize, out: usize): void {
  for (let j: usize = 0; j < bCount; j += 4) {
    const left = bCount - j;
    let a0 = a;
    let a1 = a + 2 * width;
    let b0 = b + j * width;
    let b1 = left > 1 ? b0 + width : b0;
    let b2 = left > 2 ? b0 + 2 * width : b0;
    let b3 = left > 3 ? b0 + 3 * width : b0;
    const end = b0 + width;
    let s00 = i32x4.splat(0);
    let s01 = i32x4.splat(0);
    let s02 = i32x4.splat(0);
    let s03 = i32x4.splat(0);
    let s10 = i32x4.splat(0);
    let s11 = i32x4.splat(0);
    let s12 = i32x4.splat(0);
    let s13 = i32x4.splat(0);
    while (b0 < end) {
      const x = v128.load(a0);
      const y = v128.load(a1);
      let z = v128.load_ext<i8>(b0);
      s00 = muladd16(s00, x, z);
      s10 = muladd16(s10, y, z);
      z = v128.load_ext<i8>(b1);
      s01 = muladd16(s01, x, z);
      s11 = muladd16(s11, y, z);
      z = v128.load_ext<i8>(b2);
      s02 = muladd16(s02, x, z);
      s12 = muladd16(s12, y, z);
      z = v128.load_ext<i8>(b3);
      s03 = muladd16(s03, x, z);
      s13 = muladd16(s13, y, z);
      a0 += 16;
      a1 += 16;
      b0 += 8;
      b1 += 8;
      b2 += 8;
      b3 += 8;
    }
    const o = out + (j << 2);
    putAll(o, left, s00, s01, s02, s03);
    putAll(o + (bCount << 2), left, s10, s11, s12, s13);
  }
}

// @ts-ignore: decorator
@inline
function putAll(o: usize, left: usize, s0: v128, s1: v128, s2: v128, s3: v128): void {
  store<i32>(o, total(s0));
  if (left > 1) store<i32>(o + 4, total(s1));
  if (left > 2) store<i32>(o + 8, total(s2));
  if (left > 3) store<i32>(o + 12, total(s3));
}

// @ts-ignore: decorator
@inline
function rounded(four: v128, times: v128): v128 {
  return f32x4.nearest(f32x4.mul(four, times));
}

// @ts-ignore: decorator
@inline
function rest(four: v128, whole: v128, step: v128): v128 {
  const left = f32x4.sub(four, f32x4.mul(whole, step));
  return f32x4.mul(left, left);
}

/**
 * A row as whole numbers of one byte, or of two where `wide`; `width` numbers, a multiple of 32. Puts at `told` what one
 * of them is worth, at least `least`, and the square of the length that rounding left out.
 */
export function shrink(row: usize, width: usize, to: usize, wide: i32, least: f32, told: usize): void {
  const end = row + 4 * width;
  let most = f32x4.splat(0);
  for (let at = row; at < end; at += 16) most = f32x4.max(most, f32x4.abs(v128.load(at)));
  const largest = max(
    max(f32x4.extract_lane(most, 0), f32x4.extract_lane(most, 1)),
    max(f32x4.extract_lane(most, 2), f32x4.extract_lane(most, 3)),
  );
  const one: f32 = largest == 0 ? 1 : max<f32>(least, largest / <f32>(wide ? 32767 : 127));
  const step = f32x4.splat(one);
  const times = f32x4.splat(1 / one);
  let left = f32x4.splat(0);
  for (let at = row; at < end; at += 32) {
    const first = v128.load(at);
    const second = v128.load(at, 16);
    const a = rounded(first, times);
    const b = rounded(second, times);
    left = f32x4.add(left, f32x4.add(rest(first, a, step), rest(second, b, step)));
    const words = i16x8.narrow_i32x4_s(i32x4.trunc_sat_f32x4_s(a), i32x4.trunc_sat_f32x4_s(b));
    if (wide) v128.store(to, words);
    else v128.store64_lane(to, i8x16.narrow_i16x8_s(words, words), 0);
    to += wide ? 16 : 8;
  }
  store<f32>(told, one);
  store<f32>(told, sum(left), 4);
}
