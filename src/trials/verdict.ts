/** The verdict as facts: a pure function of results, drawn order, margin and plan, never stored. */
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

/** From so many units on there is a verdict. */
export const minUnits = 15;

export type ComparisonOutcome = 'too few' | 'better' | 'worse' | 'about the same' | 'contradictory' | 'open';

/** A column against the baseline. Differences and ranges are in [−1, 1]. */
export interface Comparison extends HolmStep {
  column: number;
  outcome: ComparisonOutcome;
  /** Cases, or groups of them, in which both answered. */
  units: number;
  /** The mean difference; where that has been ruled out, the nearest that has not. */
  difference: number;
  /** The watched range: the only one in a verdict. */
  interval?: Interval;
  evidence: number;
  counts?: NonNullable<PairedResults['counts']>;
  missingCount: number;
  /** One planned look, for “How this is calculated”. */
  fixedSampleInterval?: Interval;
  /** About so many more would tell, to two digits; Infinity over 10,000. Absent: never, or there is a finding. */
  additionalCasesNeeded?: number;
}

export interface Verdict {
  baseline: number;
  /** Cases for the check that decides, and how many of them are counted. */
  cases: number;
  counted: number;
  columns: ColumnCounts[];
  comparisons: Comparison[];
  /** Comparisons by the plan, those of stopped columns too. */
  family: number;
  /** That of all ranges. */
  threshold: number;
  /** Something is decided, and nothing would be if what is missing had gone against it. */
  dependsOnMissing: boolean;
}

/** Bets that go on where the last look left them, by column; a new one where the past has changed. */
export type SequentialTests = Map<string, { differences: readonly number[]; test: SequentialTest }>;

interface VerdictPlan {
  /** Points. */
  margin: number;
  /** The comparisons that the plan fixed. */
  family: number;
}

/** `tests` makes a further look cheap. */
export function computeVerdict(
  countInputs: CountInputs,
  plan: VerdictPlan,
  tests: SequentialTests = new Map(),
): Verdict {
  return runToCompletion(computeVerdictSteps(countInputs, plan, tests));
}

/** The same in steps; what it is made from stays as it is until the last. */
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
  // A column that has stopped stays in the family with nothing to show.
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

/** What is decided stays decided: better, worse or about the same. */
export function isFinding({ outcome }: Pick<Comparison, 'outcome'>): boolean {
  return outcome === 'better' || outcome === 'worse' || outcome === 'about the same';
}

/** Whether a trial that stops when it is decided stops. */
export function isDecided({ comparisons, family }: Verdict): boolean {
  return family > 0 && comparisons.length > 0 && comparisons.every(isFinding);
}

/** So many differences are bet on between two steps. */
const betsPerStep = 200;

function* updateTest(
  tests: SequentialTests,
  name: string,
  differences: readonly number[],
  family: number,
): Steps<SequentialTest> {
  // A bet that is over for one family may not be for a larger one.
  const key = `${name} of ${family}`;
  const previous = tests.get(key);
  const hasSameHistory =
    previous !== undefined &&
    previous.differences.length <= differences.length &&
    previous.differences.every((difference, index) => difference === differences[index]);
  const test = hasSameHistory ? previous.test : createSequentialTest(evidenceThreshold * Math.max(1, family));
  // Left in the middle, it has not happened.
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

/** Decides the outcome. The first condition that holds counts. */
function getOutcome(units: number, interval: Interval | undefined, margin: number): ComparisonOutcome {
  if (units < minUnits) return 'too few';
  if (!interval) return 'contradictory';
  const [low, high] = interval;
  if (low > 0) return 'better';
  if (high < 0) return 'worse';
  return low > -margin && high < margin ? 'about the same' : 'open';
}

/** Estimates which of two outcomes is told sooner, if things go on like this. */
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
