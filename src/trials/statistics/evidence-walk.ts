/** Exact walk over the discordant cases of a comparison, without the outcomes in which the evidence has decided it. */
import { computeLogEvidence, type ResultCounts } from './sequential-test.ts';

const tolerance = 1e-12;

/** State of a comparison after a number of discordant cases, as probabilities. */
export interface WalkStep {
  /** Number of discordant cases since the start. */
  count: number;
  /** Probability that the evidence has reached the threshold in favour of the better column. */
  better: number;
  /** Probability that it has reached the threshold in favour of the other column. */
  worse: number;
  /** Probabilities of `firstWins`, `firstWins` + 1, … wins since the start without a decision. */
  openProbabilities: Float64Array;
  firstWins: number;
}

/**
 * Yields the state after 0, 1, 2, … discordant cases without end. `share` is the better column's share of these cases,
 * and `start` contains the results before the walk.
 */
export function* walkEvidence(
  share: number,
  threshold: number,
  start: ResultCounts = { better: 0, worse: 0 },
): Generator<WalkStep, never> {
  const logThreshold = Math.log(threshold) - tolerance;
  let openProbabilities = Float64Array.of(1);
  let [firstWins, better, worse] = [0, 0, 0];
  for (let count = 0; ; count += 1) {
    yield { count, better, worse, openProbabilities, firstWins };
    const nextProbabilities = new Float64Array(openProbabilities.length + 1);
    for (let index = 0; index < openProbabilities.length; index += 1) {
      const chance = openProbabilities[index] ?? 0;
      nextProbabilities[index] = (nextProbabilities[index] ?? 0) + chance * (1 - share);
      nextProbabilities[index + 1] = (nextProbabilities[index + 1] ?? 0) + chance * share;
    }
    let [low, high] = [0, nextProbabilities.length];
    let [decidedBetter, decidedWorse] = [0, 0];
    const hasReached = (wins: number, losses: number): boolean =>
      computeLogEvidence(wins, losses) >= logThreshold;
    // Evidence grows with the distance from a tie, so only the smallest and the largest number of wins can reach the threshold.
    for (; high > low; high -= 1) {
      const wins = firstWins + high - 1;
      const [allWins, allLosses] = [start.better + wins, start.worse + count + 1 - wins];
      if (allWins <= allLosses || !hasReached(allWins, allLosses)) break;
      decidedBetter += nextProbabilities[high - 1] ?? 0;
    }
    for (; low < high; low += 1) {
      const wins = firstWins + low;
      const [allWins, allLosses] = [start.better + wins, start.worse + count + 1 - wins];
      if (allWins >= allLosses || !hasReached(allWins, allLosses)) break;
      decidedWorse += nextProbabilities[low] ?? 0;
    }
    better += decidedBetter;
    worse += decidedWorse;
    openProbabilities = nextProbabilities.slice(low, high);
    firstWins += low;
  }
}
