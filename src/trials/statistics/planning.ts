/** Estimates what a trial can decide, before and while it runs. */
import { computeBinomialProbabilities } from './binomial.ts';
import { walkEvidence } from './evidence-walk.ts';
import { getLookQuantile, listDecidingLeads, watchThresholds, type RulesVersion } from './planned-end.ts';
import { evidenceThreshold, computeLogEvidence } from './sequential-test.ts';

const tolerance = 1e-12;
/** Required power: a difference counts as detectable if 4 of 5 such trials detect it. */
const targetPower = 0.8;
/** Larger numbers of cases are described as "more than" this. */
export const maxPlannedCases = 10_000;

/** Properties of a trial that determine what a number of cases can decide. */
export interface TrialDesign {
  rules: RulesVersion;
  comparisons: number;
  /** Mean number of cases in a group; cases of a group count together as one unit. */
  groupSize?: number;
  /** Answers per case and column. */
  repeats?: number;
  /** Share of the spread of differences that is between cases, so that more repeats do not reduce it. */
  betweenShare?: number;
}

const singleComparison: TrialDesign = { rules: 1, comparisons: 1 };
/** This share is rather high, so that a plan with repeats does not promise too much. */
const defaultBetweenShare = 0.4;

/** Returns the variance of the difference of a case with repeats, relative to that with one answer in each column. */
function computeRelativeVariance({ repeats = 1, betweenShare = defaultBetweenShare }: TrialDesign): number {
  return betweenShare + (1 - betweenShare) / repeats;
}

/** Returns the number of cases that say as much as one independent case with one answer in each column. */
function computeCasesPerUnit(design: TrialDesign): number {
  return (design.groupSize ?? 1) * computeRelativeVariance(design);
}

/**
 * Returns a function from a number of discordant units to the lead that decides at the planned end. The lead for means
 * is that of the Bonett-Price interval, which adds two differences of full size. `discordantShare` is that of all
 * units.
 */
function createLeadFunction(
  maxCount: number,
  discordantShare: number,
  design: TrialDesign,
): (count: number) => number {
  const { rules, comparisons, groupSize = 1, repeats = 1 } = design;
  if (rules === 1) return () => Number.POSITIVE_INFINITY;
  if (groupSize === 1 && repeats === 1) {
    const leads = listDecidingLeads(maxCount, comparisons);
    return (count) => leads[count] ?? 0;
  }
  const variance = computeRelativeVariance(design);
  const z2 = getLookQuantile(comparisons) ** 2;
  return (count) =>
    Math.sqrt((z2 * (count + 2 / variance ** 2)) / (1 + z2 / ((count / discordantShare) * variance + 2)));
}

/**
 * Returns the probabilities of calling the column better with 0, 1, …, `maxCount` discordant units. With rules 2, these
 * include the look at the planned end, if the plan ends after that number.
 */
function computeDecisionProbabilities(
  maxCount: number,
  { better, worse }: Shares,
  design: TrialDesign,
): Float64Array {
  const probabilities = new Float64Array(maxCount + 1);
  const share = better + worse;
  const getLead = createLeadFunction(maxCount, share, design);
  for (const step of walkEvidence(better / share, watchThresholds[design.rules] * design.comparisons)) {
    const { count, openProbabilities, firstWins } = step;
    const minWins = (getLead(count) + count) / 2;
    let probability = step.better;
    for (let index = openProbabilities.length - 1; index >= 0 && firstWins + index >= minWins; index -= 1)
      probability += openProbabilities[index] ?? 0;
    probabilities[count] = probability;
    if (count === maxCount) break;
  }
  return probabilities;
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

/** Returns the mean of probabilities by the number of discordant cases, over that number among n cases. */
function mixProbabilities(probabilities: Float64Array, n: number, share: number): number {
  return computeBinomialProbabilities(n, share).reduce(
    (sum, chance, count) => sum + chance * (probabilities[count] ?? 0),
    0,
  );
}

/** Returns the probability of calling the column better within n planned cases. */
export function computePower(n: number, shares: Shares, design = singleComparison): number {
  const share = shares.better + shares.worse;
  const units = Math.floor(n / computeCasesPerUnit(design) + tolerance);
  return mixProbabilities(
    computeDecisionProbabilities(computeMaxDiscordant(units, share), shares, design),
    units,
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

/**
 * Returns the smallest number of units with a power of at least 4 in 5, if the probabilities by the number of discordant
 * units are those of `computeProbabilities`; `undefined` above `maxUnits`.
 */
function findUnits(
  maxUnits: number,
  share: number,
  computeProbabilities: (maxCount: number) => Float64Array,
): number | undefined {
  for (let limit = 128; limit < 2 * maxUnits; limit *= 2) {
    const highest = Math.min(limit, maxUnits);
    const probabilities = computeProbabilities(computeMaxDiscordant(highest, share));
    const needed = findSmallest(1, highest, (n) => mixProbabilities(probabilities, n, share) >= targetPower);
    if (needed !== undefined) return needed;
  }
  return undefined;
}

/** Returns the number of cases needed to detect these shares in 4 of 5 trials; `undefined` above `maxPlannedCases`. */
export function estimateRequiredCases(shares: Shares, design = singleComparison): number | undefined {
  const casesPerUnit = computeCasesPerUnit(design);
  const units = findUnits(
    Math.floor(maxPlannedCases / casesPerUnit),
    shares.better + shares.worse,
    (maxCount) => computeDecisionProbabilities(maxCount, shares, design),
  );
  return units === undefined ? undefined : Math.ceil(units * casesPerUnit - tolerance);
}

/**
 * Returns the smallest difference in whole points that n cases can detect if the baseline alone passes a share `worse` of them;
 * `undefined` if there is none.
 */
export function computeDetectableDifference(
  n: number,
  worse: number,
  design = singleComparison,
): number | undefined {
  return findSmallest(1, Math.floor((1 - 2 * worse) * 100 + tolerance), (points) => {
    const shares = { better: worse + points / 100, worse };
    return computePower(n, shares, design) >= targetPower;
  });
}

/** Results of pairs: cases that a column and its baseline both answered. */
export interface PairSum {
  pairs: number;
  /** Number of pairs that went against the leading column. */
  reversed: number;
}

/** Smallest number of pairs that a share is estimated from. */
const minEstimatedPairs = 30;

/** Returns the estimated share of cases that go against the leading column; `undefined` for fewer than 30 pairs. */
export function estimateReverseShare({ pairs, reversed }: PairSum): number | undefined {
  return pairs < minEstimatedPairs ? undefined : (reversed + 1) / (pairs + 2);
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

/**
 * Returns the number of further units after which 4 of 5 such trials have decided, if the shares so far are the true
 * ones; Infinity above `maxPlannedCases`, and `undefined` if the columns are level. `differences` are those of all units
 * so far. Means count as fewer differences of larger size, with the same sum and the same sum of squares as theirs.
 */
export function estimateDecidingUnits(differences: readonly number[], threshold: number): number | undefined {
  const n = differences.length;
  const [sums, squares] = [
    { better: 0, worse: 0 },
    differences.reduce((sum, value) => sum + value * value, 0),
  ];
  for (const difference of differences) sums[difference > 0 ? 'better' : 'worse'] += Math.abs(difference);
  if (Math.abs(sums.better - sums.worse) < tolerance) return undefined;
  const size = squares / (sums.better + sums.worse);
  const start = {
    better: Math.max(sums.better, sums.worse) / size,
    worse: Math.min(sums.better, sums.worse) / size,
  };
  const total = start.better + start.worse;
  const projected = projectRequiredCases(start, n, threshold);
  // Less than 4 of 5 trials have decided where the shares alone lead to a decision.
  if (projected === undefined || projected > n + maxPlannedCases) return Number.POSITIVE_INFINITY;
  const units = findUnits(maxPlannedCases, Math.min(1, total / n), (maxCount) => {
    const probabilities = new Float64Array(maxCount + 1);
    for (const { count, better } of walkEvidence(start.better / total, threshold, start)) {
      probabilities[count] = better;
      if (count === maxCount) break;
    }
    return probabilities;
  });
  return units ?? Number.POSITIVE_INFINITY;
}
