/** Estimates what a trial can decide, before and while it runs. */
import { computeBinomialProbabilities } from './binomial.ts';
import { evidenceThreshold, computeLogEvidence } from './sequential-test.ts';

const tolerance = 1e-12;
/** Required power: a difference counts as detectable if 4 of 5 such trials detect it. */
const targetPower = 0.8;
/** Larger numbers of cases are described as "more than" this. */
export const maxPlannedCases = 10_000;

/**
 * Returns the probabilities that the evidence has reached the threshold in favour of the better column within 0, 1, …,
 * `maxCount` discordant cases. `share` is the better column's share of these cases.
 */
function computeReachProbabilities(maxCount: number, share: number, threshold: number): Float64Array {
  const logThreshold = Math.log(threshold) - tolerance;
  const reachProbabilities = new Float64Array(maxCount + 1);
  let openProbabilities = Float64Array.of(1);
  /** Number of wins at the first index of `openProbabilities`; with fewer wins, the comparison is already decided. */
  let firstWins = 0;
  for (let count = 1; count <= maxCount; count += 1) {
    const nextProbabilities = new Float64Array(openProbabilities.length + 1);
    openProbabilities.forEach((chance, index) => {
      nextProbabilities[index] = (nextProbabilities[index] ?? 0) + chance * (1 - share);
      nextProbabilities[index + 1] = (nextProbabilities[index + 1] ?? 0) + chance * share;
    });
    let [start, end] = [0, nextProbabilities.length];
    let decidedProbability = 0;
    // Evidence grows with the distance from a tie, so only the smallest and the largest number of wins can reach the threshold.
    while (
      end > start &&
      2 * (firstWins + end - 1) > count &&
      computeLogEvidence(firstWins + end - 1, count - firstWins - end + 1) >= logThreshold
    ) {
      end -= 1;
      decidedProbability += nextProbabilities[end] ?? 0;
    }
    while (
      start < end &&
      2 * (firstWins + start) < count &&
      computeLogEvidence(firstWins + start, count - firstWins - start) >= logThreshold
    )
      start += 1;
    reachProbabilities[count] = (reachProbabilities[count - 1] ?? 0) + decidedProbability;
    openProbabilities = nextProbabilities.slice(start, end);
    firstWins += start;
  }
  return reachProbabilities;
}

/** Shares of cases that only the column passes, and that only the baseline passes. */
export interface Shares {
  better: number;
  worse: number;
}

/** Returns an upper bound for the discordant cases among n; exceeding it has a negligible probability. */
function computeMaxDiscordant(n: number, share: number): number {
  return Math.min(n, Math.ceil(n * share + 8 * Math.sqrt(n * share) + 20));
}

function mixProbabilities(reachProbabilities: Float64Array, n: number, share: number): number {
  return computeBinomialProbabilities(n, share).reduce(
    (sum, chance, count) => sum + chance * (reachProbabilities[count] ?? 0),
    0,
  );
}

/**
 * Returns the probability of calling the column better within n cases. `threshold` is 20 times the number of
 * comparisons.
 */
export function computePower(n: number, { better, worse }: Shares, threshold = evidenceThreshold): number {
  const share = better + worse;
  return mixProbabilities(
    computeReachProbabilities(computeMaxDiscordant(n, share), better / share, threshold),
    n,
    share,
  );
}

/**
 * Returns the smallest integer in [low, high] for which the monotonic `predicate` is true; `undefined` if there is
 * none.
 */
function findSmallest(low: number, high: number, predicate: (value: number) => boolean): number | undefined {
  if (!predicate(high)) return undefined;
  let [lowerBound, upperBound] = [low, high];
  while (lowerBound < upperBound) {
    const middle = Math.floor((lowerBound + upperBound) / 2);
    if (predicate(middle)) upperBound = middle;
    else lowerBound = middle + 1;
  }
  return lowerBound;
}

/** Returns the number of cases needed to detect these shares in 4 of 5 trials; `undefined` above `maxPlannedCases`. */
export function estimateRequiredCases(
  { better, worse }: Shares,
  threshold = evidenceThreshold,
): number | undefined {
  const share = better + worse;
  for (let limit = 128; limit < 2 * maxPlannedCases; limit *= 2) {
    const maxCount = Math.min(limit, maxPlannedCases);
    const reachProbabilities = computeReachProbabilities(
      computeMaxDiscordant(maxCount, share),
      better / share,
      threshold,
    );
    const needed = findSmallest(
      1,
      maxCount,
      (n) => mixProbabilities(reachProbabilities, n, share) >= targetPower,
    );
    if (needed !== undefined) return needed;
  }
  return undefined;
}

/**
 * Returns the smallest difference in whole points that n cases can detect if the baseline alone passes a share `worse` of them;
 * `undefined` if there is none.
 */
export function computeDetectableDifference(
  n: number,
  worse: number,
  threshold = evidenceThreshold,
): number | undefined {
  return findSmallest(1, Math.floor((1 - 2 * worse) * 100 + tolerance), (points) => {
    const shares = { better: worse + points / 100, worse };
    return computePower(n, shares, threshold) >= targetPower;
  });
}

/**
 * Returns the share of cases that go against the leading column: 5% for fewer than 30 cases, then estimated from the
 * results.
 */
export function estimateReverseShare(better: number, worse: number, n: number): number {
  return n < 30 ? 0.05 : (Math.min(better, worse) + 1) / (n + 2);
}

/**
 * Returns the total number of cases at which the evidence reaches the threshold if the shares stay the same;
 * `undefined` if never, or above a million. `better` and `worse` are the sums of the positive and negative differences
 * among n.
 */
export function projectRequiredCases(
  { better, worse }: Shares,
  n: number,
  threshold = evidenceThreshold,
): number | undefined {
  if (better === worse) return undefined;
  const logThreshold = Math.log(threshold);
  return findSmallest(
    n,
    1e6,
    (total) => computeLogEvidence((better * total) / n, (worse * total) / n) >= logThreshold,
  );
}
