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
