import type { Kernel } from './kernel.ts';

/**
 * The kernel for browsers that do not allow WebAssembly. It sums in float64, so its last bits differ. In Chromium, a
 * search takes 4 times as long, and computing the neighbours of all rows 17 times as long.
 */
export function createPlainKernel(): Kernel {
  let memory = new ArrayBuffer(0);
  let floats = new Float32Array(memory);
  let doubles = new Float64Array(memory);

  /** Addresses and lengths are in numbers here, not bytes. */
  const dot = (a: number, b: number, length: number): number => {
    let [l0, l1, l2, l3] = [0, 0, 0, 0];
    for (let n = 0; n < length; n += 4) {
      l0 += (floats[a + n] ?? 0) * (floats[b + n] ?? 0);
      l1 += (floats[a + n + 1] ?? 0) * (floats[b + n + 1] ?? 0);
      l2 += (floats[a + n + 2] ?? 0) * (floats[b + n + 2] ?? 0);
      l3 += (floats[a + n + 3] ?? 0) * (floats[b + n + 3] ?? 0);
    }
    return l0 + l1 + (l2 + l3);
  };

  return {
    get floats() {
      return floats;
    },
    get doubles() {
      return doubles;
    },
    reserve(bytes) {
      if (bytes <= memory.byteLength) return;
      const larger = new ArrayBuffer(Math.ceil(bytes / 8) * 8);
      new Uint8Array(larger).set(new Uint8Array(memory));
      memory = larger;
      floats = new Float32Array(memory);
      doubles = new Float64Array(memory);
    },
    dots(query, rows, stride, length, count, out) {
      for (let i = 0; i < count; i++) {
        floats[out / 4 + i] = dot(query / 4, (rows + i * stride) / 4, length / 4);
      }
    },
    pairs(pairs, length, count, out) {
      const addresses = new Uint32Array(memory, pairs, 2 * count);
      for (let pair = 0; pair < count; pair++) {
        const [a, b] = [addresses[2 * pair] ?? 0, addresses[2 * pair + 1] ?? 0];
        floats[out / 4 + pair] = dot(a / 4, b / 4, length / 4);
      }
    },
    tile(a, aCount, b, bCount, stride, length, out, outStride, accumulate) {
      for (let i = 0; i < aCount; i++) {
        for (let j = 0; j < bCount; j++) {
          const index = (out + i * outStride) / 4 + j;
          const value = dot((a + i * stride) / 4, (b + j * stride) / 4, length / 4);
          floats[index] = accumulate ? (floats[index] ?? 0) + value : value;
        }
      }
    },
    spread(v, rows, stride, length, count, centre, factors, out) {
      for (let i = 0; i < count; i++) {
        const row = (rows + i * stride) / 4;
        let factor = -centre;
        for (let n = 0; n < length / 4; n++) factor += (floats[row + n] ?? 0) * (doubles[v / 8 + n] ?? 0);
        doubles[factors / 8 + i] = factor;
        for (let n = 0; n < length / 4; n++) {
          doubles[out / 8 + n] = (doubles[out / 8 + n] ?? 0) + factor * (floats[row + n] ?? 0);
        }
      }
    },
    add(r0, r1, r2, r3, length, out) {
      for (const row of [r0, r1, r2, r3]) {
        for (let n = 0; n < length / 4; n++) {
          doubles[out / 8 + n] = (doubles[out / 8 + n] ?? 0) + (floats[row / 4 + n] ?? 0);
        }
      }
    },
  };
}
