/** Estimates what a trial can decide, before and while it runs. */
import { binomialChances } from './binomial.ts';
import { baseThreshold, logEvidence } from './sequential-test.ts';

const tolerance = 1e-12;
/** What “would tell” means: in 4 of 5 such trials. */
const wantedPower = 0.8;
/** Beyond this a count of cases is said as “more than”. */
export const mostCases = 10_000;

/**
 * The chances that the evidence has reached the threshold on the right side by 0, 1, …, `most` cases in which the
 * columns part, of which the better one gets this share.
 */
function reachedBy(most: number, share: number, threshold: number): Float64Array {
  const needed = Math.log(threshold) - tolerance;
  const reached = new Float64Array(most + 1);
  let alive = Float64Array.of(1);
  /** Wins of the first chance in `alive`: what lies under it is over. */
  let first = 0;
  for (let count = 1; count <= most; count += 1) {
    const next = new Float64Array(alive.length + 1);
    alive.forEach((chance, index) => {
      next[index] = (next[index] ?? 0) + chance * (1 - share);
      next[index + 1] = (next[index + 1] ?? 0) + chance * share;
    });
    let [from, to] = [0, next.length];
    let decided = 0;
    // Evidence grows with the distance from a tie: only the two ends can be over.
    while (
      to > from &&
      2 * (first + to - 1) > count &&
      logEvidence(first + to - 1, count - first - to + 1) >= needed
    ) {
      to -= 1;
      decided += next[to] ?? 0;
    }
    while (
      from < to &&
      2 * (first + from) < count &&
      logEvidence(first + from, count - first - from) >= needed
    )
      from += 1;
    reached[count] = (reached[count - 1] ?? 0) + decided;
    alive = next.slice(from, to);
    first += from;
  }
  return reached;
}

/** Shares of cases that go to the column alone, and to the baseline alone. */
export interface Shares {
  better: number;
  worse: number;
}

/** So many cases in which the columns part are more than n of them ever give, but for a chance that counts for nothing. */
function mostParting(n: number, share: number): number {
  return Math.min(n, Math.ceil(n * share + 8 * Math.sqrt(n * share) + 20));
}

function mixed(reached: Float64Array, n: number, share: number): number {
  return binomialChances(n, share).reduce((sum, chance, count) => sum + chance * (reached[count] ?? 0), 0);
}

/** The chance to call the column better by n cases. `threshold`: 20 times the number of comparisons. */
export function powerToDecide(n: number, { better, worse }: Shares, threshold = baseThreshold): number {
  const share = better + worse;
  return mixed(reachedBy(mostParting(n, share), better / share, threshold), n, share);
}

/** The least whole number in [low, high] from which on `holds` is true; undefined where it is not even at the end. */
function leastOf(low: number, high: number, holds: (value: number) => boolean): number | undefined {
  if (!holds(high)) return undefined;
  let [under, over] = [low, high];
  while (under < over) {
    const middle = Math.floor((under + over) / 2);
    if (holds(middle)) over = middle;
    else under = middle + 1;
  }
  return under;
}

/** How many cases tell these shares apart in 4 of 5 trials; undefined over `mostCases`. */
export function casesNeeded({ better, worse }: Shares, threshold = baseThreshold): number | undefined {
  const share = better + worse;
  for (let most = 128; most < 2 * mostCases; most *= 2) {
    const end = Math.min(most, mostCases);
    const reached = reachedBy(mostParting(end, share), better / share, threshold);
    const needed = leastOf(1, end, (n) => mixed(reached, n, share) >= wantedPower);
    if (needed !== undefined) return needed;
  }
  return undefined;
}

/** The smallest difference, in whole points, that n cases would tell where this share goes the other way. */
export function differenceTold(n: number, worse: number, threshold = baseThreshold): number | undefined {
  return leastOf(1, Math.floor((1 - 2 * worse) * 100 + tolerance), (points) => {
    const shares = { better: worse + points / 100, worse };
    return powerToDecide(n, shares, threshold) >= wantedPower;
  });
}

/** The share of cases that go the other way: 5 of 100 before 30 cases, then from what was seen. */
export function otherWay(better: number, worse: number, n: number): number {
  return n < 30 ? 0.05 : (Math.min(better, worse) + 1) / (n + 2);
}

/**
 * If things go on in the same shares: at how many cases in all the evidence reaches the threshold. `better` and
 * `worse` are the sums of the positive and of the negative differences among n. Undefined: never, or over a million.
 */
export function projectedCases(
  { better, worse }: Shares,
  n: number,
  threshold = baseThreshold,
): number | undefined {
  if (better === worse) return undefined;
  const needed = Math.log(threshold);
  return leastOf(n, 1e6, (at) => logEvidence((better * at) / n, (worse * at) / n) >= needed);
}
