/** Estimates what a trial can decide, before and while it runs. */
import { computeBinomialProbabilities } from './binomial.ts';
import { evidenceThreshold, computeLogEvidence } from './sequential-test.ts';

const tolerance = 1e-12;
/** What “would tell” means: in 4 of 5 such trials. */
const targetPower = 0.8;
/** Beyond this a count of cases is said as “more than”. */
export const maxPlannedCases = 10_000;

/**
 * The chances that the evidence has reached the threshold on the right side by 0, 1, …, `maxCount` cases in which the
 * columns part, of which the better one gets this share.
 */
function computeReachProbabilities(maxCount: number, share: number, threshold: number): Float64Array {
  const logThreshold = Math.log(threshold) - tolerance;
  const reachProbabilities = new Float64Array(maxCount + 1);
  let openProbabilities = Float64Array.of(1);
  /** Wins of the first chance in `openProbabilities`: what lies under it is over. */
  let firstWins = 0;
  for (let count = 1; count <= maxCount; count += 1) {
    const nextProbabilities = new Float64Array(openProbabilities.length + 1);
    openProbabilities.forEach((chance, index) => {
      nextProbabilities[index] = (nextProbabilities[index] ?? 0) + chance * (1 - share);
      nextProbabilities[index + 1] = (nextProbabilities[index + 1] ?? 0) + chance * share;
    });
    let [start, end] = [0, nextProbabilities.length];
    let decidedProbability = 0;
    // Evidence grows with the distance from a tie: only the two ends can be over.
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

/** Shares of cases that go to the column alone, and to the baseline alone. */
export interface Shares {
  better: number;
  worse: number;
}

/** So many cases in which the columns part are more than n of them ever give, but for a chance that counts for nothing. */
function computeMaxDiscordant(n: number, share: number): number {
  return Math.min(n, Math.ceil(n * share + 8 * Math.sqrt(n * share) + 20));
}

function mixProbabilities(reachProbabilities: Float64Array, n: number, share: number): number {
  return computeBinomialProbabilities(n, share).reduce(
    (sum, chance, count) => sum + chance * (reachProbabilities[count] ?? 0),
    0,
  );
}

/** The chance to call the column better by n cases. `threshold`: 20 times the number of comparisons. */
export function computePower(n: number, { better, worse }: Shares, threshold = evidenceThreshold): number {
  const share = better + worse;
  return mixProbabilities(
    computeReachProbabilities(computeMaxDiscordant(n, share), better / share, threshold),
    n,
    share,
  );
}

/** The least whole number in [low, high] from which on `predicate` is true; undefined where it is not even at the end. */
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

/** How many cases tell these shares apart in 4 of 5 trials; undefined over `maxPlannedCases`. */
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

/** The smallest difference, in whole points, that n cases would tell where this share goes the other way. */
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

/** The share of cases that go the other way: 5 of 100 before 30 cases, then from what was seen. */
export function estimateReverseShare(better: number, worse: number, n: number): number {
  return n < 30 ? 0.05 : (Math.min(better, worse) + 1) / (n + 2);
}

/**
 * If things go on in the same shares: at how many cases in all the evidence reaches the threshold. `better` and
 * `worse` are the sums of the positive and of the negative differences among n. Undefined: never, or over a million.
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
