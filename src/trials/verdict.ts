/** Computes the verdict, a pure function of results, random order, margin and plan. It is never stored. */
import { runToCompletion, type Steps } from '../lib/steps.ts';
import {
  countResultsStepwise,
  fillMissingAnswers,
  computeMean,
  type ColumnCounts,
  type CountInputs,
  type IndependentUnit,
  type PairedResults,
} from './result-table.ts';
import { computeFixedSampleInterval, type Interval } from './statistics/intervals.ts';
import {
  computeDecisionInterval,
  decideComparisons,
  getHighestThreshold,
  laterThreshold,
  type Decision,
} from './statistics/planned-end.ts';
import { estimateDecidingUnits, maxPlannedCases } from './statistics/planning.ts';
import { createSequentialTest, type SequentialTest } from './statistics/sequential-test.ts';
import type { GatewayLimit } from './trial-pace.ts';
import { getTrialRules, type Trial, type TrialRules } from './trial.ts';

/** Minimum number of units for a verdict. */
export const minUnits = 15;

export type ComparisonOutcome = 'too few' | 'better' | 'worse' | 'about the same' | 'contradictory' | 'open';

/** Comparison of a column with the baseline. Differences and intervals are in [−1, 1]. */
export interface Comparison extends Decision {
  column: number;
  outcome: ComparisonOutcome;
  /** Number of comparisons ever made on these cases when this one began, its own included. */
  family: number;
  /** Number of cases, or groups of cases, that both columns answered. */
  units: number;
  /** Number of cases that count, with or without an answer, and number of all cases for the check. */
  counted: number;
  cases: number;
  /** Number of cases for the check that the plan contains. */
  plannedCases: number;
  /** True once all cases of the plan are counted. */
  hasReachedPlannedEnd: boolean;
  /** Mean difference, clamped to the interval. */
  difference: number;
  /** Confidence interval that stays valid at any time; the only one used for the outcome. */
  interval?: Interval;
  evidence: number;
  /** Natural logarithm of the evidence, which may exceed 1e308. */
  logEvidence: number;
  counts?: NonNullable<PairedResults['counts']>;
  signs: PairedResults['signs'];
  missingCount: number;
  /** True if the outcome would be open had the missing answers gone the other way. */
  dependsOnMissing: boolean;
  /** Fixed-sample interval, shown in "How this is calculated". */
  fixedSampleInterval?: Interval;
  /**
   * Estimated number of additional cases until a decision, rounded to two digits; Infinity above 10,000. Absent if no
   * number of cases would decide, or if already decided.
   */
  additionalCasesNeeded?: number;
  /** Result that the additional cases would show at the current difference. */
  additionalCasesShow?: 'difference' | 'about the same';
  /** True if the mean difference is outside the interval or in its last tenth, because earlier cases differed more. */
  isAtIntervalEdge: boolean;
}

export interface Verdict {
  /** Results that the verdict was computed from. */
  countInputs: CountInputs;
  rules: TrialRules;
  baseline: number;
  /** Number of cases for the deciding check; `counted` is how many of them count in all columns so far. */
  cases: number;
  counted: number;
  columns: ColumnCounts[];
  comparisons: Comparison[];
  /** Number of comparisons ever made on these cases, including those of stopped and retired columns. */
  family: number;
}

/** Data that describes the verdict, besides the verdict itself. */
export interface VerdictContext {
  /** The trial whose results were counted. */
  trial: Trial;
  /** Limits of the columns' gateways and their mean answer times, used to estimate the time for more cases. */
  limits: readonly (GatewayLimit & { meanMs?: number | undefined })[];
  /** Number of requests that the trial may have in flight. */
  slots: number;
  /** True once a case has been answered: later choices were made after seeing answers. */
  hasAnswers: boolean;
  /** True if a group reappeared in a later batch and counts as a new unit. */
  hasNewUnits: boolean;
  /** Numbers of the cases that a column with copied answers does not have, by column index; empty for other columns. */
  absentCases: readonly (readonly number[])[];
}

/** Tests by column that continue from the previous computation. A test restarts if its history has changed. */
export type SequentialTests = Map<
  string,
  { differences: readonly number[]; endUnits: number | undefined; test: SequentialTest }
>;

/** Properties of the verdict that the plan of a trial fixes. */
export interface VerdictPlan {
  rules: TrialRules;
  /** Margin in points. */
  margin: number;
  /** Number of comparisons in the plan. */
  family: number;
  /** Number of comparisons when a column was added after the plan, by column; the baseline's is that of all. */
  laterFamilies: readonly (number | undefined)[];
  /** False if the number of repeats has changed, so that the cases are counted a second time. */
  hasPlannedRepeats: boolean;
}

/** Returns the properties of the verdict that the trial's plan fixes. A trial without a plan follows its current columns. */
export function getVerdictPlan(trial: Trial): VerdictPlan {
  const { plan, columns, margin, repeats } = trial;
  return {
    rules: getTrialRules(trial),
    margin,
    family: (plan?.columns.length ?? columns.length) - 1,
    laterFamilies: columns.map(({ comparisons }) => comparisons),
    hasPlannedRepeats: plan === undefined || plan.repeats === repeats,
  };
}

/** Returns the verdict. Passing the `tests` of the previous call makes an update cheap. */
export function computeVerdict(
  countInputs: CountInputs,
  plan: VerdictPlan,
  tests: SequentialTests = new Map(),
): Verdict {
  return runToCompletion(computeVerdictSteps(countInputs, plan, tests));
}

/** A comparison before it is decided. */
interface OpenComparison {
  pair: PairedResults;
  family: number;
  means: number[];
  test: SequentialTest;
  isBinary: boolean;
}

/** Computes the verdict in steps. The inputs must not change until the last step. */
export function* computeVerdictSteps(
  countInputs: CountInputs,
  plan: VerdictPlan,
  tests: SequentialTests,
): Steps<Verdict> {
  const { rules, margin } = plan;
  const { cases, rows, columns, pairs } = yield* countResultsStepwise(countInputs);
  const getFamily = createFamilyLookup(countInputs, plan, pairs.length);
  const isBinary = countInputs.table.repeats === 1 && countInputs.groups === undefined;
  const openComparisons: OpenComparison[] = [];
  for (const pair of pairs) {
    const means = pair.units.map(({ differences }) => computeMean(differences));
    const family = getFamily(pair.column);
    const test = yield* updateTest(tests, String(pair.column), means, getEndUnits(pair, plan), {
      rules,
      family,
    });
    openComparisons.push({ pair, family, means, test, isBinary });
  }
  const decisions = decideComparisons(openComparisons, rules);
  const comparisons: Comparison[] = [];
  for (const [index, openComparison] of openComparisons.entries()) {
    const decision = decisions[index];
    if (!decision) continue;
    const comparison = createComparison(openComparison, decision, rules, margin / 100);
    comparisons.push({
      ...comparison,
      dependsOnMissing: yield* computeDependsOnMissing(
        countInputs,
        { openComparisons, index, outcome: comparison.outcome },
        plan,
        tests,
      ),
    });
    yield;
  }
  return {
    countInputs,
    rules,
    baseline: countInputs.baseline,
    cases,
    counted: rows.length,
    columns,
    comparisons,
    family: Math.max(plan.family, ...columns.map((_, column) => getFamily(column))),
  };
}

/**
 * Returns a function that gives the number of comparisons that share the error with that of a column. Under version 1,
 * all columns count for each other, whenever they were added.
 */
function createFamilyLookup(
  { baseline }: CountInputs,
  { rules, family, laterFamilies }: VerdictPlan,
  pairCount: number,
): (column: number) => number {
  if (rules === 1) return () => Math.max(family, pairCount);
  return (column) => Math.max(1, laterFamilies[column] ?? family, laterFamilies[baseline] ?? 0);
}

/**
 * Returns the number of units before the planned end, once it is reached. Cases that are counted a second time all
 * belong to the part after it.
 */
function getEndUnits(
  { plannedUnits, hasReachedPlannedEnd }: Pick<PairedResults, 'plannedUnits' | 'hasReachedPlannedEnd'>,
  { rules, hasPlannedRepeats }: VerdictPlan,
): number | undefined {
  if (rules === 1) return undefined;
  if (!hasPlannedRepeats) return 0;
  return hasReachedPlannedEnd ? plannedUnits : undefined;
}

/** Returns true for final outcomes: better, worse or about the same. */
export function isFinding({ outcome }: Pick<Comparison, 'outcome'>): boolean {
  return outcome === 'better' || outcome === 'worse' || outcome === 'about the same';
}

/** Returns true if all comparisons are decided. A trial with `stopWhenDecided` then stops. */
export function isDecided({ comparisons, family }: Verdict): boolean {
  return family > 0 && comparisons.length > 0 && comparisons.every(isFinding);
}

/** Number of differences added to a test between two steps. */
const betsPerStep = 200;

function* updateTest(
  tests: SequentialTests,
  name: string,
  differences: readonly number[],
  endUnits: number | undefined,
  { rules, family }: { rules: TrialRules; family: number },
): Steps<SequentialTest> {
  // A bet that is finished for one family size may still be open for a larger one.
  const key = `${name} of ${family}`;
  const previous = tests.get(key);
  const hasSameEnd =
    previous?.endUnits === endUnits ||
    (previous?.endUnits === undefined && (previous?.differences.length ?? 0) <= (endUnits ?? 0));
  const hasSameHistory =
    previous !== undefined &&
    hasSameEnd &&
    previous.differences.length <= differences.length &&
    previous.differences.every((difference, index) => difference === differences[index]);
  const test = hasSameHistory ? previous.test : createSequentialTest(getHighestThreshold(rules, family));
  // An interrupted update must not leave a half-updated test behind.
  tests.delete(key);
  const isNewEnd = !hasSameHistory || previous.endUnits === undefined;
  for (
    let index = hasSameHistory ? previous.differences.length : 0;
    index <= differences.length;
    index += 1
  ) {
    if (index === endUnits && isNewEnd) test.markPlannedEnd();
    if (index === differences.length) break;
    test.add(differences[index] ?? 0);
    if (index % betsPerStep === 0) yield;
  }
  tests.set(key, { differences, endUnits, test });
  return test;
}

function createComparison(
  { pair, family, means, test }: OpenComparison,
  decision: Decision,
  rules: TrialRules,
  margin: number,
): Omit<Comparison, 'dependsOnMissing'> {
  const { column, rows, cases, units, counts, signs, missingCount, plannedCases, hasReachedPlannedEnd } =
    pair;
  const interval = computeDecisionInterval(test, decision, rules);
  const mean = means.length === 0 ? 0 : computeMean(means);
  const difference = interval ? Math.min(interval[1], Math.max(interval[0], mean)) : mean;
  const outcome = getOutcome(units.length, interval, margin);
  const fixedSample = computeUnitsInterval(units, rules);
  const additionalCases =
    outcome === 'open' && interval
      ? estimateAdditionalCases(pair, means, difference, interval, decision, margin)
      : {};
  return {
    ...decision,
    column,
    outcome,
    family,
    units: units.length,
    counted: rows.length,
    cases,
    plannedCases,
    hasReachedPlannedEnd,
    difference,
    ...(interval ? { interval } : {}),
    evidence: test.getEvidence(),
    logEvidence: test.getLogEvidence(),
    ...(counts ? { counts } : {}),
    signs,
    missingCount,
    ...(fixedSample ? { fixedSampleInterval: fixedSample } : {}),
    ...additionalCases,
    isAtIntervalEdge: interval !== undefined && isAtEdge(mean, interval),
  };
}

/**
 * Returns the interval of one planned look at these units. Under version 2 every unit counts the same, as in the
 * evidence. `z` is the normal quantile of the confidence level.
 */
export function computeUnitsInterval(
  units: readonly Pick<IndependentUnit, 'differences'>[],
  rules: TrialRules,
  z?: number,
): Interval | undefined {
  return computeFixedSampleInterval(
    units.map(({ differences }) => (rules === 1 ? differences : [computeMean(differences)])),
    z,
  );
}

/** Share of an interval at each end that counts as its edge. */
const edgeShare = 0.1;

function isAtEdge(value: number, [low, high]: Interval): boolean {
  const edge = edgeShare * (high - low);
  // An interval that ends at a bound of all differences has not been narrowed there.
  return (low > -1 && value < low + edge) || (high < 1 && value > high - edge);
}

/** Returns the outcome; the first matching condition applies. */
function getOutcome(units: number, interval: Interval | undefined, margin: number): ComparisonOutcome {
  if (units < minUnits) return 'too few';
  if (!interval) return 'contradictory';
  const [low, high] = interval;
  if (low > 0) return 'better';
  if (high < 0) return 'worse';
  return low > -margin && high < margin ? 'about the same' : 'open';
}

/**
 * Estimates the number of additional cases after which 4 of 5 such trials decide that the columns are different or
 * about the same, whichever comes first at the current difference.
 */
function estimateAdditionalCases(
  { units, plannedUnits, hasReachedPlannedEnd, cases, rows }: PairedResults,
  means: readonly number[],
  difference: number,
  [low, high]: Interval,
  { requiredEvidence, comparisons }: Decision,
  margin: number,
): Pick<Comparison, 'additionalCasesNeeded' | 'additionalCasesShow'> {
  const n = means.length;
  const casesPerUnit = units.reduce((sum, unit) => sum + unit.rows.length, 0) / n;
  const remainingUnits = (cases - rows.length) / casesPerUnit;
  const unitsBeforeEnd = estimateDecidingUnits(means, requiredEvidence);
  const isBeyondEnd = plannedUnits > 0 && !hasReachedPlannedEnd && (unitsBeforeEnd ?? 0) > remainingUnits;
  // After the planned end, more evidence is required.
  const unitsToSeparate = isBeyondEnd
    ? estimateDecidingUnits(means, laterThreshold * comparisons)
    : unitsBeforeEnd;
  const remainingMargin = margin - Math.abs(difference);
  const unitsToEqual = remainingMargin > 0 ? n * (((high - low) / 2 / remainingMargin) ** 2 - 1) : undefined;
  const estimates = [
    { units: unitsToSeparate, additionalCasesShow: 'difference' as const },
    { units: unitsToEqual, additionalCasesShow: 'about the same' as const },
  ].flatMap(({ units: count, ...shows }) => (count !== undefined && count > 0 ? [{ count, ...shows }] : []));
  const [soonest] = estimates.toSorted((a, b) => a.count - b.count);
  if (!soonest) return {};
  const additionalCases = soonest.count * casesPerUnit;
  return {
    additionalCasesNeeded:
      additionalCases > maxPlannedCases
        ? Number.POSITIVE_INFINITY
        : Math.max(1, Number(additionalCases.toPrecision(2))),
    additionalCasesShow: soonest.additionalCasesShow,
  };
}

/**
 * Returns true if the outcome of this comparison would be open had its missing answers gone the other way. Columns that
 * are about the same are tried in both directions.
 */
function* computeDependsOnMissing(
  countInputs: CountInputs,
  {
    openComparisons,
    index,
    outcome,
  }: { openComparisons: readonly OpenComparison[]; index: number; outcome: ComparisonOutcome },
  plan: VerdictPlan,
  tests: SequentialTests,
): Steps<boolean> {
  const openComparison = openComparisons[index];
  if (!openComparison || !isFinding({ outcome }) || countInputs.markedAt) return false;
  const { pair, family } = openComparison;
  if (pair.missingCount === 0) return false;
  const favoursColumn = outcome === 'better' ? [false] : outcome === 'worse' ? [true] : [false, true];
  for (const isColumnFavoured of favoursColumn) {
    const { units, plannedUnits } = fillMissingAnswers(countInputs, pair.rows, pair.column, isColumnFavoured);
    const means = units.map(({ differences }) => computeMean(differences));
    const endUnits = getEndUnits({ ...pair, plannedUnits }, plan);
    const name = `${pair.column} if missing ${isColumnFavoured ? 'passed' : 'failed'}`;
    const test = yield* updateTest(tests, name, means, endUnits, { rules: plan.rules, family });
    const states = openComparisons.map((other) => (other === openComparison ? { ...other, test } : other));
    const decision = decideComparisons(states, plan.rules)[index];
    const interval = decision && computeDecisionInterval(test, decision, plan.rules);
    if (getOutcome(units.length, interval, plan.margin / 100) !== outcome) return true;
  }
  return false;
}
