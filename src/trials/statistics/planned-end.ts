/**
 * Rules of version 2: results may be inspected at any time, and the planned number of cases allows one more look.
 *
 * A wrong decision has a probability of at most 5% for all comparisons together. Until the planned end, the evidence
 * must reach 40 k, with k for the comparisons that are still open. The look at the planned end uses what is then left
 * of 4%. For cases added later, the evidence must reach 100 k, which takes the last 1%.
 */
import { walkEvidence } from './evidence-walk.ts';
import type { Interval } from './intervals.ts';
import { computeNormalQuantile } from './quantiles.ts';
import {
  differenceStep,
  evidenceThreshold,
  type Direction,
  type PlannedEnd,
  type SequentialTest,
} from './sequential-test.ts';

/** Version 1 has one threshold and no planned end. Trials that began with it keep it. */
export type RulesVersion = 1 | 2;

/** Evidence required of a single comparison until the planned end, or at any time without one. */
export const watchThresholds: Record<RulesVersion, number> = { 1: evidenceThreshold, 2: 40 };
/** Evidence required of a single comparison for cases added after the planned end. */
export const laterThreshold = 100;
/** Probability of a wrong decision until the planned end, including the look. */
const errorUntilEnd = 0.04;
/** Probability of a wrong decision by the look alone if the differences are means. The rest of 4% is for 40 k. */
const meanLookError = 0.015;

const tolerance = 1e-12;

const leadsByComparisons = new Map<number, Int32Array>();

/**
 * Returns the leads that decide at the planned end after 0, 1, …, `maxCount` or more discordant cases, if k comparisons
 * are open. A lead g is the smallest for which, without a difference, the evidence has reached 40 k or the lead is at
 * least g with a probability of at most 4% ÷ k.
 */
export function listDecidingLeads(maxCount: number, comparisons: number): Int32Array {
  const cachedLeads = leadsByComparisons.get(comparisons);
  if (cachedLeads && cachedLeads.length > maxCount) return cachedLeads;
  // Doubling keeps the time for a growing number of cases proportional to that of a single walk.
  const leads = new Int32Array(Math.max(256, 2 * maxCount));
  for (const { count, better, worse, openProbabilities, firstWins } of walkEvidence(
    0.5,
    watchThresholds[2] * comparisons,
  )) {
    const available = errorUntilEnd / comparisons - better - worse;
    let index = openProbabilities.length;
    let probability = 0;
    while (index > 0) {
      // A lead of the other column by as much has the same probability.
      probability += 2 * (openProbabilities[index - 1] ?? 0);
      if (probability > available + tolerance || 2 * (firstWins + index - 1) <= count) break;
      index -= 1;
    }
    leads[count] = 2 * (firstWins + index) - count;
    if (count + 1 === leads.length) break;
  }
  leadsByComparisons.set(comparisons, leads);
  return leads;
}

/** Returns the normal quantile of the look at the planned end if differences are means and k comparisons are open. */
export function getLookQuantile(comparisons: number): number {
  return computeNormalQuantile(1 - meanLookError / (2 * comparisons));
}

/**
 * Returns the Bonett-Price interval of the look at the planned end at 1 − 1.5% ÷ k. Every unit counts the same, as in
 * the evidence.
 */
export function computeLookInterval({ count, total, squares }: PlannedEnd, comparisons: number): Interval {
  const z = getLookQuantile(comparisons);
  // The method adds the differences 1 and −1.
  const middle = total / (count + 2);
  const halfWidth = z * Math.sqrt(((squares + 2) / (count + 2) - middle * middle) / (count + 2));
  return [Math.max(-1, middle - halfWidth), Math.min(1, middle + halfWidth)];
}

/** Returns the column that the look at the planned end decides for, or 0, if k comparisons are open. */
function lookAtPlannedEnd(end: PlannedEnd, comparisons: number, isBinary: boolean): Direction {
  if (isBinary) {
    const lead = listDecidingLeads(end.squares, comparisons)[end.squares] ?? 0;
    if (Math.abs(end.total) < lead) return 0;
    return end.total > 0 ? 1 : -1;
  }
  const [low, high] = computeLookInterval(end, comparisons);
  return low > 0 ? 1 : high < 0 ? -1 : 0;
}

/** State of a comparison. */
export interface ComparisonState {
  /**
   * Number of comparisons ever counted on these cases when this one began, with itself, those of stopped columns and
   * retired ones.
   */
  family: number;
  test: Pick<SequentialTest, 'getEvidence' | 'getDirection' | 'getPlannedEnd'>;
  /** True if each unit is one case with one answer in each column, so that its difference is −1, 0 or 1. */
  isBinary: boolean;
}

export type DecisionReason = 'evidence' | 'planned end' | 'evidence after planned end';

export interface Decision {
  /** Number of comparisons that share the error, once those that are decided no longer count. */
  comparisons: number;
  /** Evidence that decides now, or the evidence that was required when the comparison was decided. */
  requiredEvidence: number;
  decided: boolean;
  /** Column that the comparison is decided for; 0 if it is open. */
  direction: Direction;
  /** Present if it is decided. */
  reason?: DecisionReason;
}

/**
 * Decides comparisons step by step (Holm 1979; with evidence Vovk and Wang 2021): each decided comparison lowers the
 * number of those that share the error, also in the look at the planned end. A comparison that begins later has a
 * larger family and changes nothing for earlier ones. Comparisons of a family without a state count as open.
 */
export function decideComparisons(states: readonly ComparisonState[], rules: RulesVersion): Decision[] {
  const decisions: (Decision | undefined)[] = states.map(() => undefined);
  const countOpen = (family: number): number =>
    family - states.filter((state, index) => state.family <= family && decisions[index]).length;
  const order = Array.from(states.entries()).toSorted(
    ([, a], [, b]) => b.test.getEvidence() - a.test.getEvidence(),
  );
  /** Decides the open comparison with the highest evidence among those that can be decided. */
  const decideNext = (): boolean =>
    order.some(([index, state]) => {
      if (decisions[index]) return false;
      const decision = decideComparison(state, countOpen(state.family), rules);
      if (decision.decided) decisions[index] = decision;
      return decision.decided;
    });
  while (decideNext());
  return states.map((state, index) => {
    const comparisons = Math.max(1, countOpen(state.family));
    return { ...(decisions[index] ?? decideComparison(state, comparisons, rules)), comparisons };
  });
}

function decideComparison(
  { test, isBinary }: ComparisonState,
  comparisons: number,
  rules: RulesVersion,
): Decision {
  const hasReached = (evidence: number, threshold: number): boolean =>
    evidence >= threshold * (1 - tolerance);
  const decide = (requiredEvidence: number, reason: DecisionReason, direction: Direction): Decision => ({
    comparisons,
    requiredEvidence,
    decided: true,
    direction,
    reason,
  });
  const watchThreshold = watchThresholds[rules] * comparisons;
  const end = rules === 1 ? undefined : test.getPlannedEnd();
  const { evidence, direction } = end ?? { evidence: test.getEvidence(), direction: test.getDirection() };
  if (hasReached(evidence, watchThreshold)) return decide(watchThreshold, 'evidence', direction);
  const lookDirection = end ? lookAtPlannedEnd(end, comparisons, isBinary) : 0;
  if (lookDirection !== 0) return decide(watchThreshold, 'planned end', lookDirection);
  const requiredEvidence = end ? laterThreshold * comparisons : watchThreshold;
  if (end && hasReached(test.getEvidence(), requiredEvidence))
    return decide(requiredEvidence, 'evidence after planned end', test.getDirection());
  return { comparisons, requiredEvidence, decided: false, direction: 0 };
}

/**
 * Returns the interval of a comparison, which agrees with its decision; `undefined` if earlier and later results
 * contradict each other. After the planned end, it is limited by the look, contains 0 if the comparison is open, and
 * excludes 0 if it is decided.
 */
export function computeDecisionInterval(
  test: Pick<SequentialTest, 'getInterval' | 'getPlannedEnd'>,
  { comparisons, decided, direction }: Decision,
  rules: RulesVersion,
): Interval | undefined {
  const watchThreshold = watchThresholds[rules] * comparisons;
  const end = rules === 1 ? undefined : test.getPlannedEnd();
  if (!end) return test.getInterval(watchThreshold);
  const interval = test.getInterval(laterThreshold * comparisons, {
    endThreshold: watchThreshold,
    look: computeLookInterval(end, comparisons),
  });
  if (!interval) return undefined;
  const [low, high] = interval;
  if (!decided) return [Math.min(low, 0), Math.max(high, 0)];
  if (direction > 0) return high > 0 ? [Math.max(low, differenceStep), high] : undefined;
  return low < 0 ? [low, Math.min(high, -differenceStep)] : undefined;
}

/** Returns the highest threshold that a test with these rules needs for its intervals. */
export function getHighestThreshold(rules: RulesVersion, family: number): number {
  return (rules === 1 ? evidenceThreshold : laterThreshold) * Math.max(1, family);
}
