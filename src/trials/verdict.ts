/** Computes the verdict, a pure function of results, random order, margin and plan. It is never stored. */
import { runToCompletion, type Steps } from '../lib/steps.ts';
import {
  countResultsStepwise,
  computeWorstCaseDifferences,
  computeMean,
  type ColumnCounts,
  type CountInputs,
  type Counts,
  type PairedResults,
} from './result-table.ts';
import { computeFixedSampleInterval, type Interval } from './statistics/intervals.ts';
import { maxPlannedCases, projectRequiredCases } from './statistics/planning.ts';
import {
  evidenceThreshold,
  createSequentialTest,
  applyHolm,
  getIntervalThreshold,
  type HolmStep,
  type SequentialTest,
} from './statistics/sequential-test.ts';
import type { GatewayLimit } from './trial-pace.ts';
import type { Trial } from './trial.ts';

/** Minimum number of units for a verdict. */
export const minUnits = 15;

export type ComparisonOutcome = 'too few' | 'better' | 'worse' | 'about the same' | 'contradictory' | 'open';

/** Comparison of a column with the baseline. Differences and intervals are in [−1, 1]. */
export interface Comparison extends HolmStep {
  column: number;
  outcome: ComparisonOutcome;
  /** Number of cases, or groups of cases, that both columns answered. */
  units: number;
  /** Mean difference, clamped to the interval. */
  difference: number;
  /** Confidence interval that stays valid at any time; the only one used for the outcome. */
  interval?: Interval;
  evidence: number;
  counts?: NonNullable<PairedResults['counts']>;
  missingCount: number;
  /** Fixed-sample interval, shown in "How this is calculated". */
  fixedSampleInterval?: Interval;
  /**
   * Estimated number of additional cases until a decision, rounded to two digits; Infinity above 10,000. Absent if no
   * number of cases would decide, or if already decided.
   */
  additionalCasesNeeded?: number;
}

export interface Verdict {
  baseline: number;
  /** Number of cases for the deciding check; `counted` is how many of them count so far. */
  cases: number;
  counted: number;
  columns: ColumnCounts[];
  comparisons: Comparison[];
  /** Number of planned comparisons, including those of stopped columns. */
  family: number;
  /** Evidence threshold of all intervals. */
  threshold: number;
  /** True if something is decided, but nothing would be if all missing answers had gone the other way. */
  dependsOnMissing: boolean;
}

/** Data that describes the verdict, besides the verdict itself. */
export interface VerdictContext {
  /** The trial whose results were counted. */
  trial: Trial;
  /** Limits of the columns' gateways, used to estimate the time for more cases. Without a limit, no time is given. */
  limits: readonly GatewayLimit[];
  /** True once a case has been answered: later choices were made after seeing answers. */
  hasAnswers: boolean;
  /** True if a group reappeared in a later batch and counts as a new unit. */
  hasNewUnits: boolean;
}

/** Tests by column that continue from the previous computation. A test restarts if its history has changed. */
export type SequentialTests = Map<string, { differences: readonly number[]; test: SequentialTest }>;

interface VerdictPlan {
  /** Margin in points. */
  margin: number;
  /** Number of comparisons fixed by the plan. */
  family: number;
}

/** Returns the verdict. Passing the `tests` of the previous call makes an update cheap. */
export function computeVerdict(
  countInputs: CountInputs,
  plan: VerdictPlan,
  tests: SequentialTests = new Map(),
): Verdict {
  return runToCompletion(computeVerdictSteps(countInputs, plan, tests));
}

/** Computes the verdict in steps. The inputs must not change until the last step. */
export function* computeVerdictSteps(
  countInputs: CountInputs,
  { margin, family: plannedFamily }: VerdictPlan,
  tests: SequentialTests,
): Steps<Verdict> {
  const { cases, rows, columns, pairs } = yield* countResultsStepwise(countInputs);
  const family = Math.max(plannedFamily, pairs.length);
  const pairTests: (PairedResults & { means: number[]; test: SequentialTest })[] = [];
  for (const pair of pairs) {
    const means = pair.units.map(({ differences }) => computeMean(differences));
    pairTests.push({ ...pair, means, test: yield* updateTest(tests, String(pair.column), means, family) });
  }
  // A stopped column stays in the family, without evidence.
  const evidences = Array.from({ length: family }, (_, index) => pairTests[index]?.test.getEvidence() ?? 1);
  const steps = applyHolm(evidences);
  const threshold = getIntervalThreshold(steps);
  const comparisons: Comparison[] = [];
  for (const [index, { test, means, ...pair }] of pairTests.entries()) {
    const step = steps[index];
    if (step) comparisons.push(createComparison(pair, means, test, step, threshold, margin / 100));
    yield;
  }
  return {
    baseline: countInputs.baseline,
    cases,
    counted: rows.length,
    columns,
    comparisons,
    family,
    threshold,
    dependsOnMissing: yield* computeDependsOnMissing(
      countInputs,
      { rows, columns },
      comparisons,
      family,
      tests,
    ),
  };
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
  family: number,
): Steps<SequentialTest> {
  // A bet that is finished for one family size may still be open for a larger one.
  const key = `${name} of ${family}`;
  const previous = tests.get(key);
  const hasSameHistory =
    previous !== undefined &&
    previous.differences.length <= differences.length &&
    previous.differences.every((difference, index) => difference === differences[index]);
  const test = hasSameHistory ? previous.test : createSequentialTest(evidenceThreshold * Math.max(1, family));
  // An interrupted update must not leave a half-updated test behind.
  tests.delete(key);
  for (let index = hasSameHistory ? previous.differences.length : 0; index < differences.length; index += 1) {
    test.add(differences[index] ?? 0);
    if (index % betsPerStep === 0) yield;
  }
  tests.set(key, { differences, test });
  return test;
}

function createComparison(
  { column, units, counts, missingCount }: PairedResults,
  means: readonly number[],
  test: SequentialTest,
  step: HolmStep,
  threshold: number,
  margin: number,
): Comparison {
  const interval = test.getInterval(threshold);
  const mean = means.length === 0 ? 0 : computeMean(means);
  const difference = interval ? Math.min(interval[1], Math.max(interval[0], mean)) : mean;
  const outcome = getOutcome(units.length, interval, margin);
  const fixedSample = computeFixedSampleInterval(units.map(({ differences }) => differences));
  const additionalCases =
    outcome === 'open' && interval
      ? estimateAdditionalCases(units, means, difference, interval, step.requiredEvidence, margin)
      : undefined;
  return {
    ...step,
    column,
    outcome,
    units: units.length,
    difference,
    ...(interval ? { interval } : {}),
    evidence: test.getEvidence(),
    ...(counts ? { counts } : {}),
    missingCount,
    ...(fixedSample ? { fixedSampleInterval: fixedSample } : {}),
    ...(additionalCases === undefined ? {} : { additionalCasesNeeded: additionalCases }),
  };
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
 * Estimates the number of additional cases until the columns count as different or as about the same, whichever comes
 * first at the current difference.
 */
function estimateAdditionalCases(
  units: PairedResults['units'],
  means: readonly number[],
  difference: number,
  [low, high]: Interval,
  requiredEvidence: number,
  margin: number,
): number | undefined {
  const n = means.length;
  const sumDifferences = (sign: 1 | -1): number =>
    means.reduce((sum, mean) => sum + Math.max(0, sign * mean), 0);
  const casesToSeparate = projectRequiredCases(
    { better: sumDifferences(1), worse: sumDifferences(-1) },
    n,
    requiredEvidence,
  );
  const remainingMargin = margin - Math.abs(difference);
  const casesToEqual = remainingMargin > 0 ? n * ((high - low) / 2 / remainingMargin) ** 2 : undefined;
  const estimates = [casesToSeparate, casesToEqual].filter((count) => count !== undefined && count > n);
  if (estimates.length === 0) return undefined;
  const cases = units.reduce((sum, { rows }) => sum + rows.length, 0);
  const additionalCases = (Math.min(...estimates.map((count) => count ?? 0)) - n) * (cases / n);
  return additionalCases > maxPlannedCases
    ? Number.POSITIVE_INFINITY
    : Math.max(1, Number(additionalCases.toPrecision(2)));
}

function* computeDependsOnMissing(
  countInputs: CountInputs,
  { rows, columns }: Pick<Counts, 'rows' | 'columns'>,
  comparisons: readonly Comparison[],
  family: number,
  tests: SequentialTests,
): Steps<boolean> {
  const decidedComparisons = comparisons.filter(({ outcome }) => outcome === 'better' || outcome === 'worse');
  const hasMissing = [countInputs.baseline, ...decidedComparisons.map(({ column }) => column)].some(
    (column) => (columns[column]?.missing ?? 0) > 0,
  );
  if (decidedComparisons.length === 0 || countInputs.markedAt || !hasMissing) return false;
  const evidences: number[] = [];
  for (const { column, outcome } of decidedComparisons) {
    const differences = computeWorstCaseDifferences(countInputs, rows, column, outcome === 'better');
    const test = yield* updateTest(tests, `${column} if missing`, differences, family);
    const hasSameDirection =
      outcome === 'better' ? computeMean(differences) > 0 : computeMean(differences) < 0;
    evidences.push(hasSameDirection ? test.getEvidence() : 1);
  }
  const otherEvidence = Array.from({ length: family - decidedComparisons.length }, () => 1);
  return !applyHolm([...evidences, ...otherEvidence]).some(({ decided: remainsDecided }) => remainsDecided);
}
