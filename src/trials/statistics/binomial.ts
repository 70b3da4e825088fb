/** The gamma function and the binomial distribution, as far as the formulas here need them. */

const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** The logarithm of Γ(x) for x > 0, by Lanczos; its relative error is under 1e-14. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * x))) - logGamma(1 - x);
  const t = x + 6.5;
  const series = lanczos.reduce((sum, coefficient, index) =>
    index === 0 ? coefficient : sum + coefficient / (x - 1 + index),
  );
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(series);
}

const nothing = 1e-60;

/** The chances of 0, 1, …, n hits in n tries that hit with the chance q. */
export function binomialChances(n: number, q: number): Float64Array {
  const chances = new Float64Array(n + 1);
  if (q <= 0 || q >= 1) {
    chances[q <= 0 ? 0 : n] = 1;
    return chances;
  }
  const odds = q / (1 - q);
  // From the likeliest count outwards, until what is left counts for nothing.
  const top = Math.min(n, Math.floor((n + 1) * q));
  const ways = logGamma(n + 1) - logGamma(top + 1) - logGamma(n - top + 1);
  chances[top] = Math.exp(ways + top * Math.log(q) + (n - top) * Math.log1p(-q));
  for (let hits = top; hits < n && (chances[hits] ?? 0) > nothing; hits += 1)
    chances[hits + 1] = ((chances[hits] ?? 0) * (n - hits) * odds) / (hits + 1);
  for (let hits = top; hits > 0 && (chances[hits] ?? 0) > nothing; hits -= 1)
    chances[hits - 1] = ((chances[hits] ?? 0) * hits) / ((n - hits + 1) * odds);
  return chances;
}
