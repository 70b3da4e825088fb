/**
 * Describes a verdict in sentences. The same function is used for the screen, files and screen readers; the result
 * depends only on the verdict and its context.
 */
import { formatCount, pluralize } from '../../../lib/format.ts';
import type { VerdictSummary } from '../../../state/trials/repository/trial-files.ts';
import type { OpenTrialState } from '../../../state/trials/store/trial-store.ts';
import { estimateRequiredCases } from '../../../trials/statistics/planning.ts';
import { estimateTimeLeft } from '../../../trials/trial-pace.ts';
import { countCases, getColumnLetter, type Trial } from '../../../trials/trial.ts';
import {
  minUnits,
  type Comparison,
  type ComparisonOutcome,
  type Verdict,
  type VerdictContext,
} from '../../../trials/verdict.ts';
import { getColumnNames, type ColumnName } from '../format-columns.ts';
import { formatLongDuration } from '../format-duration.ts';

/** Parts of a sentence: plain strings, and values with their own formatting. */
export type RichTextPart = string | { column: ColumnName } | { points: string } | { range: string };
export type RichText = RichTextPart[];

/** Returns the sentence as plain text. */
export function toPlainText(text: RichText): string {
  return text
    .map((part) => {
      if (typeof part === 'string') return part;
      if ('column' in part) return part.column.name;
      return 'points' in part ? part.points : part.range;
    })
    .join('');
}

/** Formats a difference as whole points. A difference other than 0 that would round to 0 keeps one decimal. */
export function formatPoints(difference: number): string {
  // Removes binary rounding errors first: 14.499999 becomes 14.5.
  const points = Number((100 * difference).toFixed(4));
  const magnitude = Math.abs(points);
  const rounded = Math.round(magnitude);
  const number = rounded === 0 && magnitude >= 0.05 ? magnitude.toFixed(1) : formatCount(rounded);
  return points < 0 && Number(number) !== 0 ? `−${number}` : number;
}

function formatPointsWithUnit(difference: number): string {
  const number = formatPoints(Math.abs(difference));
  return `${number} ${number === '1' ? 'point' : 'points'}`;
}

function formatInterval(low: number, high: number): string {
  return `(${formatPoints(low)} to ${formatPoints(high)})`;
}

/**
 * Formats evidence rounded down, so that it never appears to have reached the threshold; values above 1,000 become
 * "over 1,000".
 */
export function formatEvidence(evidence: number): string {
  if (evidence > 1000) return 'over 1,000';
  return evidence < 10 ? String(Math.floor(evidence * 10) / 10) : String(Math.floor(evidence));
}

const ordinals = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
  'eleventh',
];

export interface VerdictText {
  /** First line: the outcome with the highest priority. */
  first: RichText;
  /** Sentences below the first line, in order. */
  details: RichText[];
  /** Method of counting, as one line. */
  method: string;
}

/** Outcomes in the order of description. */
const outcomeOrder: readonly ComparisonOutcome[] = [
  'better',
  'worse',
  'about the same',
  'contradictory',
  'open',
  'too few',
];

/** Returns all sentences about a verdict. `verdict` is undefined if no check decides. */
export function describeVerdict({
  verdict,
  verdictContext: context,
}: Pick<OpenTrialState, 'verdict' | 'verdictContext'>): VerdictText {
  if (!verdict) return { first: ['Choose a check that decides.'], details: [], method: '' };
  const names = getColumnNames(context.trial.columns, context.limits);
  const groups = groupComparisons(verdict);
  const [firstGroup, ...otherGroups] = groups;
  const rates = describeRates(verdict, names);
  return {
    first: firstGroup ? describeGroup(firstGroup, verdict, context, names, true) : rates,
    details: [
      ...(firstGroup ? [rates] : []),
      ...describeTooFew(firstGroup, verdict),
      ...(hasFewUnits(firstGroup?.[0]) ? [['Few cases.']] : []),
      ...describeAdditionalCases(firstGroup ?? [], context),
      // The number of cases needed follows its own group; elsewhere it would seem to refer to another column.
      ...otherGroups.flatMap((group) => [
        describeGroup(group, verdict, context, names, false),
        ...describeAdditionalCases(group, context),
      ]),
      ...listRemarks(verdict, context, names),
    ],
    method: describeMethod(verdict, context, firstGroup?.[0]),
  };
}

/** Returns the sentences about a verdict as they are stored in a file. */
export function summarizeVerdict(state: Pick<OpenTrialState, 'verdict' | 'verdictContext'>): VerdictSummary {
  const { first, details, method } = describeVerdict(state);
  return { words: [first, ...details].map(toPlainText), method };
}

/** Groups the comparisons that share a sentence, best first. If all are open, the first line mentions only the best. */
function groupComparisons({ comparisons }: Verdict): Comparison[][] {
  return outcomeOrder
    .flatMap((outcome) => {
      const sameOutcome = comparisons
        .filter((comparison) => comparison.outcome === outcome)
        .toSorted((a, b) => b.difference - a.difference);
      return outcome === 'contradictory' ? sameOutcome.map((comparison) => [comparison]) : [sameOutcome];
    })
    .filter((group) => group.length > 0)
    .flatMap((group, index) =>
      index === 0 && group[0]?.outcome === 'open' ? [group.slice(0, 1), group.slice(1)] : [group],
    )
    .filter((group) => group.length > 0);
}

const toColumnPart = (names: readonly ColumnName[], column: number): { column: ColumnName } => ({
  column: names[column] ?? { letter: getColumnLetter(column), name: getColumnLetter(column) },
});

/** Joins items: "B", "B and D", "B, D and E". */
function joinRichText(items: readonly RichText[]): RichText {
  return items.flatMap((part, index): RichText => {
    if (index === 0) return [...part];
    return [index === items.length - 1 ? ' and ' : ', ', ...part];
  });
}

function describeGroup(
  group: readonly Comparison[],
  verdict: Verdict,
  { trial }: VerdictContext,
  names: readonly ColumnName[],
  isFirst: boolean,
): RichText {
  const [firstComparison] = group;
  if (!firstComparison) return [];
  const baseline = toColumnPart(names, verdict.baseline);
  const columns = joinRichText(group.map(({ column }) => [toColumnPart(names, column)]));
  const hasSeveralColumns = group.length > 1;
  const verb = hasSeveralColumns ? ' are ' : ' is ';
  const endMark = isFirst && !hasSeveralColumns ? '' : '.';
  const notComparedText: RichText = hasSeveralColumns
    ? [' Between ', ...columns, ' nothing was compared.']
    : [];
  switch (firstComparison.outcome) {
    case 'too few': {
      const units = Math.max(...group.map((comparison) => comparison.units));
      const countText = pluralize(units, trial.groupField === undefined ? 'case' : 'group');
      return isFirst ? [`${countText}: too few to say`] : [...columns, `: ${countText}, too few to say.`];
    }
    case 'better':
    case 'worse': {
      const differenceTexts = joinRichText(
        group.map((comparison) => describeDifference(comparison, trial.margin / 100)),
      );
      return [
        ...columns,
        `${verb}${firstComparison.outcome} than `,
        baseline,
        hasSeveralColumns ? ': by ' : ' by ',
        ...differenceTexts,
        endMark,
        ...notComparedText,
      ];
    }
    case 'about the same': {
      const ranges = joinRichText(
        group.map(({ interval }) => (interval ? [{ range: formatInterval(...interval) }] : [])),
      );
      const marginText = formatPointsWithUnit(trial.margin / 100);
      return [
        ...columns,
        `${verb}about the same as `,
        baseline,
        ': ',
        { points: `within ${marginText}` },
        ' ',
        ...ranges,
        endMark,
        ...notComparedText,
      ];
    }
    case 'contradictory': {
      const contradictionText = 'the first cases and the later ones contradict each other';
      return isFirst
        ? [`Not decided: ${contradictionText}`]
        : [...columns, ` is not decided: ${contradictionText}.`];
    }
    case 'open': {
      const openText = describeOpen(firstComparison, baseline);
      const yetText = trial.state.name === 'running' ? ' yet' : '';
      if (hasSeveralColumns) {
        const predicates = joinRichText(
          group.map((comparison) => describeOpen(comparison, undefined).withoutVerb),
        );
        return [...columns, ` are not decided${yetText}: `, ...predicates, endMark];
      }
      if (!isFirst) return [...columns, ` is not decided${yetText}: `, ...openText.withoutVerb, endMark];
      return [`Not decided${yetText}: `, ...columns, ...openText.withVerb, endMark];
    }
  }
}

/** Describes a difference: "14 points (2 to 27)". The distance is also positive for a worse column. */
function describeDifference({ outcome, difference, interval }: Comparison, margin: number): RichText {
  if (!interval) return [];
  const [low, high] = outcome === 'worse' ? [-interval[1], -interval[0]] : interval;
  const isSmall = high < margin;
  return [
    { points: formatPointsWithUnit(difference) },
    ' ',
    { range: formatInterval(low, high) },
    ...(isSmall ? [`, less than the ${formatPointsWithUnit(margin)} that count`] : []),
  ];
}

/**
 * Returns the predicate for "Not decided: B …" and for "B is not decided: …". The baseline is omitted if several
 * columns share the sentence.
 */
function describeOpen(
  { difference, interval }: Comparison,
  baseline: { column: ColumnName } | undefined,
): { withVerb: RichText; withoutVerb: RichText } {
  const intervalText: RichText = interval ? [' ', { range: formatInterval(...interval) }] : [];
  const joinBaseline = (word: string): RichText => (baseline ? [` ${word}`, baseline] : []);
  if (Math.abs(difference) < 0.0005)
    return {
      withVerb: [...(baseline ? [' and ', baseline] : []), ' are level', ...intervalText],
      withoutVerb: ['level', ...joinBaseline('with '), ...intervalText],
    };
  const direction: RichText =
    difference > 0 ? ['ahead', ...joinBaseline('of ')] : ['behind', ...joinBaseline('')];
  const predicate: RichText = [
    ...direction,
    ' by ',
    { points: formatPointsWithUnit(difference) },
    ...intervalText,
  ];
  return { withVerb: [' is ', ...predicate], withoutVerb: predicate };
}

/** Describes how many answers passed, among the same counted cases as the verdict. */
function describeRates({ columns }: Verdict, names: readonly ColumnName[]): RichText {
  const columnTexts = columns.map(({ answered, passed, rate }, column): RichText => {
    if (answered === 0) return [toColumnPart(names, column), ' none'];
    const isInteger = Number.isInteger(passed);
    const countText = isInteger
      ? `${formatCount(passed)} of ${formatCount(answered)}`
      : `${formatPercentText(rate?.rate ?? 0)} % of ${formatCount(answered)}`;
    return [toColumnPart(names, column), column === 0 ? ` passed ${countText}` : ` ${countText}`];
  });
  return [...joinRichText(columnTexts), '.'];
}

function formatPercentText(share: number): string {
  return formatCount(Math.round(Number((100 * share).toFixed(6))));
}

function describeTooFew(firstGroup: readonly Comparison[] | undefined, { family }: Verdict): RichText[] {
  if (firstGroup?.[0]?.outcome !== 'too few') return [];
  const points = 20;
  const requiredCases = estimateRequiredCases(
    { better: 0.05 + points / 100, worse: 0.05 },
    { rules: 1, comparisons: Math.max(1, family) },
  );
  const hint = requiredCases === undefined ? '' : `; to see ${points} points, ${requiredCases} are needed`;
  return [[`From ${minUnits} cases on there is a verdict${hint}.`]];
}

/** Share of missing answers above which they are mentioned. */
const minSubstantialShare = 0.02;

/** Lists the remarks that apply, most important first. */
function listRemarks(
  verdict: Verdict,
  { trial, hasAnswers }: VerdictContext,
  names: readonly ColumnName[],
): RichText[] {
  const hasBetterColumn = verdict.comparisons.some(({ outcome }) => outcome === 'better');
  const { columns } = trial;
  const hasManyColumns = columns.length >= 4 || columns.some(({ madeFrom }) => madeFrom !== undefined);
  return [
    ...describeMissing(verdict, trial, names),
    ...(verdict.dependsOnMissing ? [['If all of these had failed, nothing would be decided.']] : []),
    ...(hasBetterColumn && hasManyColumns
      ? [[`Best of ${columns.length} columns: confirm on new cases.`]]
      : []),
    ...(hasAnswers && wasChosenLater(trial) ? [['Chosen after the answers were seen.']] : []),
  ];
}

function hasFewUnits(comparison: Comparison | undefined): boolean {
  return comparison !== undefined && comparison.outcome !== 'too few' && comparison.units < 2 * minUnits;
}

/** Describes how many more cases would decide the open comparison, or the first of several to be decided. */
function describeAdditionalCases(
  group: readonly Comparison[],
  { trial, limits }: Pick<VerdictContext, 'trial' | 'limits'>,
): RichText[] {
  const [estimate] = group
    .flatMap(({ column, additionalCasesNeeded }) =>
      additionalCasesNeeded === undefined ? [] : [{ column, additionalCasesNeeded }],
    )
    .toSorted((a, b) => a.additionalCasesNeeded - b.additionalCasesNeeded);
  if (!estimate) return [];
  const { column, additionalCasesNeeded } = estimate;
  const [conditionText, scopeText] =
    group.length === 1
      ? ['If that is the true difference', '']
      : ['If these are the true differences', ' one of them'];
  if (!Number.isFinite(additionalCasesNeeded))
    return [[`${conditionText}, more than 10,000 cases would tell${scopeText}.`]];
  const countText = pluralize(additionalCasesNeeded, 'more case');
  // Counts the requests of the two compared columns only.
  const baseline = trial.columns.findIndex(({ id }) => id === trial.baseline);
  const { ms } = estimateTimeLeft(
    [baseline, column].flatMap((index) => {
      const limit = limits[index];
      return limit ? [{ ...limit, requests: additionalCasesNeeded * trial.repeats, meanMs: undefined }] : [];
    }),
    1,
  );
  const timeText = ms === 0 ? '' : `, ${formatLongDuration(ms)}`;
  return [[`${conditionText}, about ${countText} would tell${scopeText}${timeText}.`]];
}

/** Describes the share of missing answers. Unmarked answers do not count as missing. */
function describeMissing(
  verdict: Verdict,
  { decides, checks }: Pick<Trial, 'decides' | 'checks'>,
  names: readonly ColumnName[],
): RichText[] {
  if (checks.find(({ id }) => id === decides)?.kind === 'marks') return [];
  return verdict.columns.flatMap(({ missing, cells, rateBounds: [low, high] }, column): RichText[] => {
    const isSubstantial = missing > minSubstantialShare * cells;
    if (missing === 0 || !(isSubstantial || verdict.dependsOnMissing)) return [];
    const shareText = `${formatPercentText(missing / cells)} % gave no answer in `;
    const rateText = `: its rate is between ${formatPercentText(low)} and ${formatPercentText(high)} %.`;
    return [[shareText, toColumnPart(names, column), rateText]];
  });
}

function wasChosenLater({ plan, decides, baseline, margin }: VerdictContext['trial']): boolean {
  if (!plan) return false;
  return plan.decides !== decides || plan.baseline !== baseline || plan.margin !== margin;
}

function describeMethod(
  verdict: Verdict,
  { trial, hasAnswers, hasNewUnits }: VerdictContext,
  comparison: Comparison | undefined,
): string {
  const check = trial.checks.find(({ id }) => id === trial.decides);
  const isComplete = verdict.counted === verdict.cases;
  const repeatsText =
    trial.repeats === 1 ? 'one answer each' : `${trial.repeats} answers each, averaged by case first`;
  const isMarkCheck = check?.kind === 'marks';
  const countedText = `${formatCount(verdict.counted)} of ${pluralize(verdict.cases, 'case')} counted in drawn order ${trial.seed}`;
  const sizeText = isMarkCheck
    ? `${formatCount(verdict.counted)} of ${pluralize(verdict.cases, 'case')} marked, counted in the order they were marked`
    : isComplete
      ? `${pluralize(verdict.cases, 'case')}, ${repeatsText}, drawn order ${trial.seed}`
      : `${countedText}${trial.repeats === 1 ? '' : `, ${repeatsText}`}`;
  const rankText =
    verdict.family > 1 && comparison
      ? ` for the ${ordinals[comparison.rank - 1]} of ${verdict.family} comparisons`
      : '';
  const changedCount = hasAnswers ? (trial.valuesChanged?.length ?? 0) : 0;
  const retiredCount = trial.retired.caseIds.length;
  return [
    `Check “${check?.name ?? ''}”, ${sizeText}.`,
    'Ranges may be watched at any time.',
    ...(comparison
      ? [`Evidence ${formatEvidence(comparison.evidence)}, needed ${comparison.requiredEvidence}${rankText}.`]
      : []),
    ...(isMarkCheck ? ['Marks are not blind, and whoever marked chose which cases count.'] : []),
    ...(trial.groupField === undefined ? [] : [`Cases with the same ${trial.groupField} count as one.`]),
    ...(hasNewUnits ? ['Where one came back with later cases, it counts as a new one.'] : []),
    ...(changedCount > 0
      ? [`Expected values were changed after the answers were seen: ${pluralize(changedCount, 'case')}.`]
      : []),
    ...(retiredCount > 0 ? [`Taken out after they were answered: ${pluralize(retiredCount, 'case')}.`] : []),
    ...describePlanChanges(trial),
  ].join(' ');
}

/** Describes how the size of the trial has changed since the first run. */
function describePlanChanges({
  plan,
  repeats,
  columns,
  batches,
  retired,
}: VerdictContext['trial']): string[] {
  if (!plan) return [];
  const cases = countCases({ batches, retired });
  const plannedSizes = [
    ...(plan.cases === cases ? [] : [pluralize(plan.cases, 'case')]),
    ...(plan.repeats === repeats ? [] : [pluralize(plan.repeats, 'repeat')]),
    ...(plan.columns.length === columns.length ? [] : [pluralize(plan.columns.length, 'column')]),
  ];
  return plannedSizes.length === 0
    ? []
    : [`Planned with ${toPlainText(joinRichText(plannedSizes.map((part) => [part])))}.`];
}
