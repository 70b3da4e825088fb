/** The gamma function and the binomial distribution, to the extent that the formulas in this folder need them. */

const lanczosCoefficients = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** Returns the logarithm of Γ(x) for x > 0 by the Lanczos approximation; the relative error is below 1e-14. */
export function computeLogGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * x))) - computeLogGamma(1 - x);
  const t = x + 6.5;
  const series = lanczosCoefficients.reduce((sum, coefficient, index) =>
    index === 0 ? coefficient : sum + coefficient / (x - 1 + index),
  );
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(series);
}

const negligibleProbability = 1e-60;

/** Returns the probabilities of 0, 1, …, n hits in n trials with hit probability q. */
export function computeBinomialProbabilities(n: number, q: number): Float64Array {
  const probabilities = new Float64Array(n + 1);
  if (q <= 0 || q >= 1) {
    probabilities[q <= 0 ? 0 : n] = 1;
    return probabilities;
  }
  const odds = q / (1 - q);
  // Starts at the most likely count and moves outwards until the probabilities are negligible.
  const mode = Math.min(n, Math.floor((n + 1) * q));
  const logCombinations = computeLogGamma(n + 1) - computeLogGamma(mode + 1) - computeLogGamma(n - mode + 1);
  probabilities[mode] = Math.exp(logCombinations + mode * Math.log(q) + (n - mode) * Math.log1p(-q));
  for (let hits = mode; hits < n && (probabilities[hits] ?? 0) > negligibleProbability; hits += 1)
    probabilities[hits + 1] = ((probabilities[hits] ?? 0) * (n - hits) * odds) / (hits + 1);
  for (let hits = mode; hits > 0 && (probabilities[hits] ?? 0) > negligibleProbability; hits -= 1)
    probabilities[hits - 1] = ((probabilities[hits] ?? 0) * hits) / ((n - hits + 1) * odds);
  return probabilities;
}
