/** The verdict as facts: a pure function of results, drawn order, margin and plan, never stored. */
import { runToCompletion, type Steps } from '../lib/steps.ts';
import {
  countSteps,
  differencesIfMissing,
  meanOf,
  type ColumnCounts,
  type Counting,
  type Counts,
  type Pairs,
} from './result-table.ts';
import { plannedLook, type Range } from './statistics/intervals.ts';
import { mostCases, projectedCases } from './statistics/planning.ts';
import {
  baseThreshold,
  createWatch,
  holm,
  rangeThreshold,
  type HolmStep,
  type Watch,
} from './statistics/sequential-test.ts';

/** From so many units on there is a verdict. */
export const fewestUnits = 15;

export type Outcome = 'too few' | 'better' | 'worse' | 'about the same' | 'contradictory' | 'open';

/** A column against the baseline. Differences and ranges are in [−1, 1]. */
export interface Comparison extends HolmStep {
  column: number;
  outcome: Outcome;
  /** Cases, or groups of them, in which both answered. */
  units: number;
  /** The mean difference; where that has been ruled out, the nearest that has not. */
  difference: number;
  /** The watched range: the only one in a verdict. */
  range?: Range;
  evidence: number;
  counts?: NonNullable<Pairs['counts']>;
  noAnswer: number;
  /** One planned look, for “How this is counted”. */
  plannedLook?: Range;
  /** About so many more would tell, to two digits; Infinity over 10,000. Absent: never, or there is a finding. */
  moreCases?: number;
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
  hangsOnMissing: boolean;
}

/** Bets that go on where the last look left them, by column; a new one where the past has changed. */
export type Watches = Map<string, { differences: readonly number[]; watch: Watch }>;

interface VerdictPlan {
  /** Points. */
  margin: number;
  /** The comparisons that the plan fixed. */
  family: number;
}

/** `watches` makes a further look cheap. */
export function verdictOf(counting: Counting, plan: VerdictPlan, watches: Watches = new Map()): Verdict {
  return runToCompletion(verdictSteps(counting, plan, watches));
}

/** The same in steps; what it is made from stays as it is until the last. */
export function* verdictSteps(
  counting: Counting,
  { margin, family: planned }: VerdictPlan,
  watches: Watches,
): Steps<Verdict> {
  const { cases, rows, columns, pairs } = yield* countSteps(counting);
  const family = Math.max(planned, pairs.length);
  const watched: (Pairs & { means: number[]; watch: Watch })[] = [];
  for (const each of pairs) {
    const means = each.units.map(({ differences }) => meanOf(differences));
    watched.push({ ...each, means, watch: yield* watchOf(watches, String(each.column), means, family) });
  }
  // A column that has stopped stays in the family with nothing to show.
  const evidences = Array.from({ length: family }, (_, index) => watched[index]?.watch.evidence() ?? 1);
  const steps = holm(evidences);
  const threshold = rangeThreshold(steps);
  const comparisons: Comparison[] = [];
  for (const [index, { watch, means, ...each }] of watched.entries()) {
    const step = steps[index];
    if (step) comparisons.push(comparisonOf(each, means, watch, step, threshold, margin / 100));
    yield;
  }
  return {
    baseline: counting.baseline,
    cases,
    counted: rows.length,
    columns,
    comparisons,
    family,
    threshold,
    hangsOnMissing: yield* hangsOnMissing(counting, { rows, columns }, comparisons, family, watches),
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
const betsAtATime = 200;

function* watchOf(
  watches: Watches,
  name: string,
  differences: readonly number[],
  family: number,
): Steps<Watch> {
  // A bet that is over for one family may not be for a larger one.
  const key = `${name} of ${family}`;
  const known = watches.get(key);
  const isSamePast =
    known !== undefined &&
    known.differences.length <= differences.length &&
    known.differences.every((difference, index) => difference === differences[index]);
  const watch = isSamePast ? known.watch : createWatch(baseThreshold * Math.max(1, family));
  // Left in the middle, it has not happened.
  watches.delete(key);
  for (let at = isSamePast ? known.differences.length : 0; at < differences.length; at += 1) {
    watch.add(differences[at] ?? 0);
    if (at % betsAtATime === 0) yield;
  }
  watches.set(key, { differences, watch });
  return watch;
}

function comparisonOf(
  { column, units, counts, noAnswer }: Pairs,
  means: readonly number[],
  watch: Watch,
  step: HolmStep,
  threshold: number,
  margin: number,
): Comparison {
  const range = watch.range(threshold);
  const mean = means.length === 0 ? 0 : meanOf(means);
  const difference = range ? Math.min(range[1], Math.max(range[0], mean)) : mean;
  const outcome = outcomeOf(units.length, range, margin);
  const look = plannedLook(units.map(({ differences }) => differences));
  const more =
    outcome === 'open' && range
      ? moreCasesFor(units, means, difference, range, step.needed, margin)
      : undefined;
  return {
    ...step,
    column,
    outcome,
    units: units.length,
    difference,
    ...(range ? { range } : {}),
    evidence: watch.evidence(),
    ...(counts ? { counts } : {}),
    noAnswer,
    ...(look ? { plannedLook: look } : {}),
    ...(more === undefined ? {} : { moreCases: more }),
  };
}

/** Decides the outcome. The first condition that holds counts. */
function outcomeOf(units: number, range: Range | undefined, margin: number): Outcome {
  if (units < fewestUnits) return 'too few';
  if (!range) return 'contradictory';
  const [low, high] = range;
  if (low > 0) return 'better';
  if (high < 0) return 'worse';
  return low > -margin && high < margin ? 'about the same' : 'open';
}

/** Estimates which of two outcomes is told sooner, if things go on like this. */
function moreCasesFor(
  units: Pairs['units'],
  means: readonly number[],
  difference: number,
  [low, high]: Range,
  needed: number,
  margin: number,
): number | undefined {
  const n = means.length;
  const sumOf = (sign: 1 | -1): number => means.reduce((sum, mean) => sum + Math.max(0, sign * mean), 0);
  const apart = projectedCases({ better: sumOf(1), worse: sumOf(-1) }, n, needed);
  const room = margin - Math.abs(difference);
  const same = room > 0 ? n * ((high - low) / 2 / room) ** 2 : undefined;
  const found = [apart, same].filter((at) => at !== undefined && at > n);
  if (found.length === 0) return undefined;
  const cases = units.reduce((sum, { rows }) => sum + rows.length, 0);
  const more = (Math.min(...found.map((at) => at ?? 0)) - n) * (cases / n);
  return more > mostCases ? Number.POSITIVE_INFINITY : Math.max(1, Number(more.toPrecision(2)));
}

function* hangsOnMissing(
  counting: Counting,
  { rows, columns }: Pick<Counts, 'rows' | 'columns'>,
  comparisons: readonly Comparison[],
  family: number,
  watches: Watches,
): Steps<boolean> {
  const decided = comparisons.filter(({ outcome }) => outcome === 'better' || outcome === 'worse');
  const missing = [counting.baseline, ...decided.map(({ column }) => column)].some(
    (column) => (columns[column]?.missing ?? 0) > 0,
  );
  if (decided.length === 0 || counting.markedAt || !missing) return false;
  const evidences: number[] = [];
  for (const { column, outcome } of decided) {
    const differences = differencesIfMissing(counting, rows, column, outcome === 'better');
    const watch = yield* watchOf(watches, `${column} if missing`, differences, family);
    const isStill = outcome === 'better' ? meanOf(differences) > 0 : meanOf(differences) < 0;
    evidences.push(isStill ? watch.evidence() : 1);
  }
  const others = Array.from({ length: family - decided.length }, () => 1);
  return !holm([...evidences, ...others]).some(({ decided: isDecidedStill }) => isDecidedStill);
}
