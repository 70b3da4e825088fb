import type { Kernel } from './kernel.ts';

const { fround } = Math;

/**
 * The kernel without WebAssembly: the same sums in the same order, each rounded to float32, and therefore the
 * same bits; about twenty times slower.
 */
export function froundKernel(): Kernel {
  let memory = new ArrayBuffer(0);

  const dot = (floats: Float32Array, one: number, other: number, numbers: number): number => {
    let [l0, l1, l2, l3] = [fround(0), fround(0), fround(0), fround(0)];
    for (let i = 0; i < numbers; i += 4) {
      l0 = fround(l0 + fround((floats[one + i] ?? 0) * (floats[other + i] ?? 0)));
      l1 = fround(l1 + fround((floats[one + i + 1] ?? 0) * (floats[other + i + 1] ?? 0)));
      l2 = fround(l2 + fround((floats[one + i + 2] ?? 0) * (floats[other + i + 2] ?? 0)));
      l3 = fround(l3 + fround((floats[one + i + 3] ?? 0) * (floats[other + i + 3] ?? 0)));
    }
    return fround(fround(l0 + l1) + fround(l2 + l3));
  };

  const kernel: Kernel & { floats: Float32Array; doubles: Float64Array } = {
    floats: new Float32Array(memory),
    doubles: new Float64Array(memory),
    reserve(bytes) {
      if (bytes <= memory.byteLength) return;
      const larger = new ArrayBuffer(Math.ceil(bytes / 8) * 8);
      new Uint8Array(larger).set(new Uint8Array(memory));
      memory = larger;
      kernel.floats = new Float32Array(memory);
      kernel.doubles = new Float64Array(memory);
    },
    dots(query, rows, stride, length, count, out) {
      const { floats } = kernel;
      for (let i = 0; i < count; i++) {
        floats[out / 4 + i] = dot(floats, query / 4, (rows + i * stride) / 4, length / 4);
      }
    },
    pairs(pairs, length, count, out) {
      const { floats } = kernel;
      const addresses = new Uint32Array(memory, pairs, 2 * count);
      for (let pair = 0; pair < count; pair++) {
        const [one = 0, other = 0] = addresses.subarray(2 * pair);
        floats[out / 4 + pair] = dot(floats, one / 4, other / 4, length / 4);
      }
    },
    tile(a, aCount, b, bCount, stride, length, out, outStride, more) {
      const { floats } = kernel;
      for (let i = 0; i < aCount; i++) {
        for (let j = 0; j < bCount; j++) {
          const value = dot(floats, (a + i * stride) / 4, (b + j * stride) / 4, length / 4);
          const at = (out + i * outStride) / 4 + j;
          floats[at] = more ? (floats[at] ?? 0) + value : value;
        }
      }
    },
    spread(v, rows, stride, length, count, centre, times, out) {
      const { floats, doubles } = kernel;
      for (let i = 0; i < count; i++) {
        const row = (rows + i * stride) / 4;
        let [l0, l1, l2, l3] = [0, 0, 0, 0];
        for (let n = 0; n < length / 4; n += 4) {
          l0 += (floats[row + n] ?? 0) * (doubles[v / 8 + n] ?? 0);
          l1 += (floats[row + n + 1] ?? 0) * (doubles[v / 8 + n + 1] ?? 0);
          l2 += (floats[row + n + 2] ?? 0) * (doubles[v / 8 + n + 2] ?? 0);
          l3 += (floats[row + n + 3] ?? 0) * (doubles[v / 8 + n + 3] ?? 0);
        }
        const time = l0 + l1 + (l2 + l3) - centre;
        doubles[times / 8 + i] = time;
        for (let n = 0; n < length / 4; n++) {
          doubles[out / 8 + n] = (doubles[out / 8 + n] ?? 0) + time * (floats[row + n] ?? 0);
        }
      }
    },
    add(r0, r1, r2, r3, length, out) {
      const { floats, doubles } = kernel;
      for (const row of [r0, r1, r2, r3]) {
        for (let n = 0; n < length / 4; n++) {
          doubles[out / 8 + n] = (doubles[out / 8 + n] ?? 0) + (floats[row / 4 + n] ?? 0);
        }
      }
    },
  };
  return kernel;
}
