/** Returns a generator of numbers from 0 (inclusive) to 1 (exclusive), determined by its seed (mulberry32). */
export function createSeededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Returns distinct whole numbers below `count` in ascending order; all of them if `count` is not larger than requested.
 */
export function sampleIndexes(
  count: number,
  maxCount: number,
  random: () => number,
): Int32Array<ArrayBuffer> {
  if (count <= maxCount) return Int32Array.from({ length: count }, (_, index) => index);
  const indexes = new Set<number>();
  // Floyd's algorithm: each step adds exactly one number.
  for (let top = count - maxCount; top < count; top++) {
    const index = Math.floor(random() * (top + 1));
    indexes.add(indexes.has(index) ? top : index);
  }
  return Int32Array.from(indexes).toSorted();
}
