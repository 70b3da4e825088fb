import { createSeededRandom } from '../../lib/random.ts';
import type { Estimate } from '../engine/engine.ts';

/** Total draws per interval: a thousand resamples of a few texts, two hundred resamples of two thousand texts. */
const totalDraws = 400_000;

/**
 * Returns a function that computes the mean of `count` values with its bootstrap 95% interval; the resamples are drawn
 * once.
 */
export function createEstimator(count: number, seed: number): (values: ArrayLike<number>) => Estimate {
  const random = createSeededRandom(seed);
  const resampleCount = Math.max(200, Math.min(1_000, Math.floor(totalDraws / count)));
  const draws = Int32Array.from({ length: count === 0 ? 0 : resampleCount * count }, () =>
    Math.floor(random() * count),
  );
  return (values) => {
    if (count === 0) return { mean: 0, low: 0, high: 0 };
    const sample = Float64Array.from(values);
    const mean = sample.reduce((sum, value) => sum + value, 0) / count;
    const means = Float64Array.from({ length: resampleCount }, (_, resample) => {
      let sum = 0;
      for (let index = resample * count; index < (resample + 1) * count; index++)
        sum += sample[draws[index] ?? 0] ?? 0;
      return sum / count;
    }).toSorted();
    const getQuantile = (share: number) =>
      means[Math.min(resampleCount - 1, Math.floor(share * resampleCount))] ?? mean;
    return { mean, low: getQuantile(0.025), high: getQuantile(0.975) };
  };
}

/**
 * Computes Spearman's rank correlation. Equal values share their mean rank; the result is 1 if one side does not vary.
 */
export function computeSpearman(valuesA: ArrayLike<number>, valuesB: ArrayLike<number>): number {
  const [a, b] = [computeRanks(valuesA), computeRanks(valuesB)];
  const middle = (a.length + 1) / 2;
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const x = (a[i] ?? 0) - middle;
    const y = (b[i] ?? 0) - middle;
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return aa === 0 || bb === 0 ? 1 : ab / Math.sqrt(aa * bb);
}

function computeRanks(values: ArrayLike<number>): Float64Array {
  const sorted = Float64Array.from(values).toSorted();
  const order = Int32Array.from({ length: values.length }, (_, index) => index).toSorted(
    (a, b) => (values[a] ?? 0) - (values[b] ?? 0),
  );
  const ranks = new Float64Array(values.length);
  for (let start = 0; start < sorted.length;) {
    let end = start + 1;
    while (end < sorted.length && sorted[end] === sorted[start]) end++;
    for (let index = start; index < end; index++) ranks[order[index] ?? 0] = (start + end + 1) / 2;
    start = end;
  }
  return ranks;
}

/** Returns the share of a sorted, ascending distribution below a score, 0 to 1; equal values count half. */
export function computePercentileRank(sorted: Float32Array, score: number): number {
  if (sorted.length === 0) return 0.5;
  const lowerCount = countUnder(sorted, (value) => value < score);
  const lowerOrEqualCount = countUnder(sorted, (value) => value <= score);
  return (lowerCount + lowerOrEqualCount) / 2 / sorted.length;
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
