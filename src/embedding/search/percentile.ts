/** The share of a sorted, ascending distribution that lies below a score, 0 to 1; equal ones count half. */
export function percentileOf(sorted: Float32Array, score: number): number {
  if (sorted.length === 0) return 0.5;
  const below = countUnder(sorted, (value) => value < score);
  const notAbove = countUnder(sorted, (value) => value <= score);
  return (below + notAbove) / 2 / sorted.length;
}

function countUnder(sorted: Float32Array, isUnder: (value: number) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isUnder(sorted[middle] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}
