/** Quantiles of the normal distribution and of Student's t distribution. */
import { computeLogGamma } from './binomial.ts';

/** Coefficients of the polynomials in Wichura's algorithm AS 241 (PPND16), from the constant term up. */
const centralNumerator = [
  3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987,
  67265.7709270087, 33430.57558358813, 2509.0809287301227,
];
const centralDenominator = [
  1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
  28729.085735721943, 5226.495278852854,
];
const middleNumerator = [
  1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
  0.2417807251774506, 0.022723844989269184, 0.0007745450142783414,
];
const middleDenominator = [
  1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
  0.0005475938084995345, 1.0507500716444169e-9,
];
const outerNumerator = [
  6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
  0.0012426609473880784, 2.7115555687434876e-5, 2.0103343992922881e-7,
];
const outerDenominator = [
  1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133,
  1.8463183175100548e-5, 1.421511758316446e-7, 2.0442631033899397e-15,
];

const evaluatePolynomial = (coefficients: readonly number[], x: number): number =>
  coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);

const computeRatio = (numerator: readonly number[], denominator: readonly number[], x: number): number =>
  evaluatePolynomial(numerator, x) / evaluatePolynomial(denominator, x);

/** Returns the quantile of the normal distribution for 0 < p < 1 (Wichura 1988, AS 241; relative error about 1e-16). */
export function computeNormalQuantile(p: number): number {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return q * computeRatio(centralNumerator, centralDenominator, 0.180625 - q * q);
  const r = Math.sqrt(-Math.log(Math.min(p, 1 - p)));
  const distance =
    r <= 5
      ? computeRatio(middleNumerator, middleDenominator, r - 1.6)
      : computeRatio(outerNumerator, outerDenominator, r - 5);
  return q < 0 ? -distance : distance;
}

/** Returns the probability that |T| ≤ t (Abramowitz and Stegun, 26.7.3 and 26.7.4). */
function computeCentralProbability(t: number, degreesOfFreedom: number): number {
  const angle = Math.atan(t / Math.sqrt(degreesOfFreedom));
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const isOdd = degreesOfFreedom % 2 === 1;
  let term = isOdd ? cosine : 1;
  let sum = degreesOfFreedom === 1 ? 0 : term;
  for (let power = isOdd ? 3 : 2; power <= degreesOfFreedom - 2; power += 2) {
    term *= ((power - 1) / power) * cosine * cosine;
    sum += term;
  }
  return isOdd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum;
}

/** Returns t with 2.5% of Student's distribution on each side, for a whole number of degrees of freedom from 1 on. */
export function computeStudentQuantile95(degreesOfFreedom: number): number {
  const logScale =
    computeLogGamma((degreesOfFreedom + 1) / 2) -
    computeLogGamma(degreesOfFreedom / 2) -
    Math.log(degreesOfFreedom * Math.PI) / 2;
  const computeDensity = (t: number): number =>
    Math.exp(logScale - ((degreesOfFreedom + 1) / 2) * Math.log1p((t * t) / degreesOfFreedom));
  // The probability is concave in t, so Newton's method approaches the quantile from below.
  let t = computeNormalQuantile(0.975);
  for (let step = 0; step < 60; step += 1) {
    const change = (0.95 - computeCentralProbability(t, degreesOfFreedom)) / (2 * computeDensity(t));
    t += change;
    if (Math.abs(change) < 1e-13 * t) break;
  }
  return t;
}
