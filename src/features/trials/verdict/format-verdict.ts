/**
 * Describes a verdict in sentences. The same function is used for the screen, files and screen readers; the result
 * depends only on the verdict and its context.
 */
import { formatCount, pluralize } from '../../../lib/format.ts';
import type { VerdictSummary } from '../../../state/trials/repository/trial-files.ts';
import type { OpenTrialState } from '../../../state/trials/store/trial-store.ts';
import { estimateRequiredCases } from '../../../trials/statistics/planning.ts';
import { estimateTimeLeft } from '../../../trials/trial-pace.ts';
import { getReverseShare } from '../../../trials/trial-plan.ts';
import { sendsRequests, type Trial } from '../../../trials/trial.ts';
import {
  minUnits,
  type Comparison,
  type ComparisonOutcome,
  type Verdict,
  type VerdictContext,
} from '../../../trials/verdict.ts';
import { getColumnNames, type ColumnName } from '../format-columns.ts';
import { formatLongDuration } from '../format-duration.ts';
import { hasCopiedAnswers } from './format-copied.ts';
import { describeMethod } from './format-method.ts';
import { describeNearMisses, listRemarks } from './format-remarks.ts';
import { describeTradeOffs } from './format-trade-offs.ts';
import {
  formatDifference,
  formatPercent,
  formatPoints,
  formatPointsRange,
  formatPointsWithUnit,
  joinRichText,
  toColumnPart,
  toPlainText,
  type RichText,
} from './rich-text.ts';

export interface VerdictText {
  /** First line: the outcome with the highest priority. */
  first: RichText;
  /** Sentences below the first line, in order. */
  details: RichText[];
  /** Sentences about time, length and cost. */
  tradeOffs: RichText[];
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

type VerdictInputs = Pick<OpenTrialState, 'verdict' | 'verdictContext' | 'columnStats'> &
  Partial<Pick<OpenTrialState, 'nearMisses'>>;

/** The verdict that the sentences describe, with its trial and the names of its columns. */
interface Scope {
  verdict: Verdict;
  context: VerdictContext;
  names: readonly ColumnName[];
}

/** Returns all sentences about a verdict. `verdict` is undefined if no check decides. */
export function describeVerdict({
  verdict,
  verdictContext: context,
  columnStats,
  nearMisses,
}: VerdictInputs): VerdictText {
  if (!verdict) return { first: ['Choose which check decides.'], details: [], tradeOffs: [], method: '' };
  const names = getColumnNames(context.trial.columns, context.limits);
  const scope: Scope = { verdict, context, names };
  const [firstGroup, ...otherGroups] = groupComparisons(verdict);
  const rates = describeRates(scope);
  return {
    first: firstGroup ? describeFirst(firstGroup, scope) : rates,
    details: [
      // The only remark with a button comes first, since later ones may not fit.
      ...(nearMisses ? [describeNearMisses(nearMisses)] : []),
      ...(firstGroup ? [rates] : []),
      ...describeRanked(firstGroup ?? [], scope),
      ...describeTooFew(firstGroup, scope),
      ...describeFewUnits(firstGroup?.[0], scope),
      ...describeAdditionalCases(firstGroup ?? [], scope),
      // The number of cases needed follows its own group; elsewhere it would seem to refer to another column.
      ...otherGroups.flatMap((group) => [
        describeLater(group, scope),
        ...describeAdditionalCases(group, scope),
      ]),
      ...listRemarks(verdict, context, names),
    ],
    tradeOffs: describeTradeOffs(verdict, columnStats, names),
    method: describeMethod(verdict, context, firstGroup?.[0]),
  };
}

/** Returns the sentences about a verdict as they are stored in a file. */
export function summarizeVerdict(state: VerdictInputs): VerdictSummary {
  const { first, details, tradeOffs, method } = describeVerdict(state);
  return { words: [first, ...details, ...tradeOffs].map(toPlainText), method };
}

/** Groups the comparisons that share a sentence, best first. */
function groupComparisons({ comparisons }: Verdict): Comparison[][] {
  return outcomeOrder
    .flatMap((outcome) => {
      const sameOutcome = comparisons
        .filter((comparison) => comparison.outcome === outcome)
        .toSorted((a, b) => b.difference - a.difference);
      return outcome === 'contradictory' ? sameOutcome.map((comparison) => [comparison]) : [sameOutcome];
    })
    .filter((group) => group.length > 0);
}

const joinColumns = (group: readonly Comparison[], { names }: Scope): RichText =>
  joinRichText(group.map(({ column }) => [toColumnPart(names, column)]));

const joinGaps = (group: readonly Comparison[], scope: Scope): RichText =>
  joinRichText(group.map((comparison) => describeGap(comparison, scope)));

const getUnitNoun = ({ context: { trial } }: Scope): string =>
  trial.groupField === undefined ? 'case' : 'group';

const countUnits = (group: readonly Comparison[], scope: Scope): string =>
  pluralize(Math.max(...group.map(({ units }) => units)), getUnitNoun(scope));

const describeNotTested = (columns: RichText): RichText => [
  ' Which of ',
  ...columns,
  ' is better was not tested.',
];

/** Describes the first group as a headline, without a full stop if it is one sentence. */
function describeFirst(group: readonly Comparison[], scope: Scope): RichText {
  const { verdict, context, names } = scope;
  const [comparison] = group;
  if (!comparison) return [];
  const isAlone = group.length === 1;
  const hasSeveralColumns = verdict.columns.length > 2;
  const baseline = toColumnPart(names, verdict.baseline);
  const columns = joinColumns(group, scope);
  const yetText = context.trial.state.name === 'running' ? ' yet' : '';
  switch (comparison.outcome) {
    case 'too few':
      return [`Too early to say: ${countUnits(group, scope)} so far`];
    case 'better':
      if (isAlone)
        return [
          ...columns,
          isSmallGap(comparison, scope) ? ' is slightly better than ' : ' is better than ',
          baseline,
          ': ',
          ...describeRateGap(comparison, scope),
        ];
      return [
        ...columns,
        ` are ${group.length === 2 ? 'both' : 'all'} better than `,
        baseline,
        ', ',
        ...joinGaps(group, scope),
        '.',
        ...describeNotTested(columns),
      ];
    case 'worse':
      // Among several columns, the one that leads is named first.
      if (hasSeveralColumns)
        return [baseline, ' is better than ', ...columns, ' ', ...joinGaps(group, scope)];
      return [
        ...columns,
        isSmallGap(comparison, scope) ? ' is slightly worse than ' : ' is worse than ',
        baseline,
        ': ',
        ...describeRateGap(comparison, scope),
      ];
    case 'about the same':
      return describeSame(group, scope, '');
    case 'contradictory':
      return ['No verdict: ', ...columns, describeContradiction(comparison)];
    case 'open':
      if (!isAlone && isRanked(group, scope)) return [`No verdict${yetText}: `, ...describeRanking(scope)];
      return [`No verdict${yetText}: `, ...describeOpen(comparison, scope)];
  }
}

/** Describes a later group as whole sentences. */
function describeLater(group: readonly Comparison[], scope: Scope): RichText {
  const [comparison] = group;
  if (!comparison) return [];
  const columns = joinColumns(group, scope);
  const baseline = toColumnPart(scope.names, scope.verdict.baseline);
  const isAlone = group.length === 1;
  switch (comparison.outcome) {
    case 'too few':
      return [...columns, `: too early to say, ${countUnits(group, scope)} so far.`];
    case 'better':
    case 'worse':
      return [
        ...columns,
        `${isAlone ? ' is ' : ' are '}${comparison.outcome} than `,
        baseline,
        ' ',
        ...joinGaps(group, scope),
        '.',
      ];
    case 'about the same':
      return describeSame(group, scope, '.');
    case 'contradictory':
      return ['No verdict on ', ...columns, ': it', describeContradiction(comparison)];
    case 'open':
      if (isAlone) return ['No verdict on ', ...columns, ': ', ...describeOpen(comparison, scope), '.'];
      return ['No verdict on ', ...columns, '.'];
  }
}

/** Describes the difference of the only decided column: "14 more of 100 cases passed (likely between 2 and 27)". */
function describeRateGap(comparison: Comparison, scope: Scope): RichText {
  const { outcome, difference, interval } = comparison;
  const { groupField, repeats } = scope.context.trial;
  if (!interval) return [];
  const [low, high] = outcome === 'worse' ? [-interval[1], -interval[0]] : interval;
  // A group is neither a case nor an answer.
  const noun = groupField === undefined ? (repeats > 1 ? ' answers' : ' cases') : '';
  return [
    { points: `${formatDifference(difference)} ${outcome === 'better' ? 'more' : 'fewer'} of 100` },
    `${noun} passed${groupField === undefined ? '' : `, counted by ${groupField}`} `,
    { range: `(likely between ${formatPoints(low)} and ${formatPoints(high)})` },
    ...describeSmallGap(comparison, scope),
  ];
}

/** Describes the difference of a decided column: "by 14 points (2 to 27)". */
function describeGap(comparison: Comparison, scope: Scope): RichText {
  const { outcome, difference, interval } = comparison;
  if (!interval) return [];
  const [low, high] = outcome === 'worse' ? [-interval[1], -interval[0]] : interval;
  return [
    'by ',
    { points: formatPointsWithUnit(difference) },
    ' ',
    { range: formatPointsRange(low, high) },
    ...describeSmallGap(comparison, scope),
  ];
}

/** Returns true if the whole range of a decided difference is within the margin. */
function isSmallGap({ outcome, interval }: Comparison, { context: { trial } }: Scope): boolean {
  if (!interval) return false;
  return 100 * (outcome === 'worse' ? -interval[0] : interval[1]) < trial.margin;
}

function describeSmallGap(comparison: Comparison, scope: Scope): RichText {
  return isSmallGap(comparison, scope)
    ? [
        `, which is all under the ${formatPointsWithUnit(scope.context.trial.margin / 100)} you set as mattering`,
      ]
    : [];
}

/** `end` closes the sentence if it is about one column. */
function describeSame(group: readonly Comparison[], scope: Scope, end: string): RichText {
  const { verdict, context, names } = scope;
  const columns = joinColumns(group, scope);
  const baseline = toColumnPart(names, verdict.baseline);
  const isAlone = group.length === 1;
  const ranges = group.map(({ interval }): RichText =>
    interval ? [{ range: formatPointsRange(...interval) }] : [],
  );
  return [
    ...columns,
    ...(isAlone ? [' and ', baseline, ' are about the same: '] : [' are about the same as ', baseline, ': ']),
    { points: `less than ${formatPointsWithUnit(context.trial.margin / 100)} apart` },
    ' ',
    ...joinRichText(ranges),
    isAlone ? end : '.',
    ...(isAlone ? [] : describeNotTested(columns)),
  ];
}

function describeContradiction({ difference }: Comparison): string {
  const [better, worse] = difference > 0 ? ['later', 'first'] : ['first', 'later'];
  return ` did much better on the ${better} cases than on the ${worse} ones. Look for a change on the way.`;
}

/** Describes an open comparison and what the difference could be. */
function describeOpen({ column, difference, interval }: Comparison, scope: Scope): RichText {
  const { verdict, context, names } = scope;
  const subject = toColumnPart(names, column);
  const baseline = toColumnPart(names, verdict.baseline);
  const [low, high] = interval ?? [-1, 1];
  const points = { points: formatPointsWithUnit(difference) };
  if (Math.abs(difference) < 0.0005)
    return [
      subject,
      ' and ',
      baseline,
      ' passed equally often, but up to ',
      { range: `${formatPoints(Math.max(-low, high))} points either way` },
      ' are possible',
    ];
  const isAhead = difference > 0;
  const range = `${formatPoints(-low)} behind to ${formatPoints(high)} ahead`;
  if (context.trial.state.name === 'running')
    return [
      subject,
      isAhead ? ' is ahead by ' : ' is behind by ',
      points,
      ', but it could be anything from ',
      { range },
    ];
  return [
    subject,
    ' is ',
    points,
    isAhead ? ' ahead of ' : ' behind ',
    baseline,
    ', which may be chance ',
    { range: `(anything from ${range} is possible)` },
  ];
}

/** Ranks all columns by their rates: "B leads (90 %), before A (68 %) and C (65 %)". */
function describeRanking({ verdict: { columns }, names }: Scope): RichText {
  const ranked = [...columns.entries()]
    .flatMap(([column, { rate }]) => (rate ? [{ column, rate: rate.rate }] : []))
    .toSorted((a, b) => b.rate - a.rate);
  const [leader, ...others] = ranked;
  if (!leader) return [];
  return [
    toColumnPart(names, leader.column),
    ` leads (${formatPercent(leader.rate)} %), before `,
    ...joinRichText(
      others.map(({ column, rate }) => [toColumnPart(names, column), ` (${formatPercent(rate)} %)`]),
    ),
  ];
}

/** Returns true if nothing is decided between several columns; the headline then ranks them. */
const isRanked = ([first]: readonly Comparison[], { verdict }: Scope): boolean =>
  first?.outcome === 'open' && verdict.columns.length > 2;

/** Larger numbers of open comparisons are shown in the plot only. */
const maxOpenSentences = 3;

/** Describes each open comparison that the headline has ranked. */
function describeRanked(group: readonly Comparison[], scope: Scope): RichText[] {
  return group.length > 1 && group.length <= maxOpenSentences && isRanked(group, scope)
    ? group.map((comparison) => [...describeOpen(comparison, scope), '.'])
    : [];
}

/** Describes how many answers passed, among the same counted cases as the verdict; the best first of several. */
function describeRates({ verdict: { columns, rules }, context: { trial }, names }: Scope): RichText {
  const getRate = (column: number): number => columns[column]?.rate?.rate ?? -1;
  const order =
    columns.length > 2
      ? [...columns.keys()].toSorted((a, b) => getRate(b) - getRate(a))
      : [...columns.keys()];
  const isGrouped = trial.groupField !== undefined && rules === 2;
  const isAnswered = (column: number): boolean => (columns[column]?.answered ?? 0) > 0;
  const groupCounts = new Set(order.filter(isAnswered).map((column) => columns[column]?.answered ?? 0));
  const [groupCount = 0] = groupCounts;
  const isSameGroupCount = groupCounts.size === 1;
  const rates = order.filter(isAnswered).map((column, index): RichText => {
    const { answers, answered = 0, rate } = columns[column] ?? {};
    const countText = isGrouped
      ? `${formatPercent(rate?.rate ?? 0)} %${isSameGroupCount ? '' : ` of ${formatCount(answered)} groups`}`
      : `${formatCount(answers?.passed ?? 0)} of ${formatCount(answers?.count ?? 0)}`;
    const noun = index === 0 && !isGrouped && trial.repeats > 1 ? ' answers' : '';
    return [toColumnPart(names, column), `${index === 0 ? ' passed ' : ' '}${countText}${noun}`];
  });
  // A stopped column will get no answers; another sentence describes it.
  const unanswered = order.filter((column) => !isAnswered(column) && !trial.columns[column]?.stopped);
  const unansweredText: RichText = [
    ...joinRichText(unanswered.map((column) => [toColumnPart(names, column)])),
    unanswered.length === 1 ? ' has no answers yet.' : ' have no answers yet.',
  ];
  return [
    ...(isGrouped && rates.length > 0
      ? [`Counted by ${trial.groupField}${isSameGroupCount ? ` (${formatCount(groupCount)} in all)` : ''}, `]
      : []),
    ...joinRichText(rates),
    ...(isGrouped && rates.length > 0 ? [' on average'] : []),
    ...(rates.length > 0 ? ['.'] : []),
    ...(rates.length > 0 && unanswered.length > 0 ? [' '] : []),
    ...(unanswered.length > 0 ? unansweredText : []),
  ];
}

function describeTooFew(firstGroup: readonly Comparison[] | undefined, scope: Scope): RichText[] {
  if (firstGroup?.[0]?.outcome !== 'too few') return [];
  const { verdict, context } = scope;
  const points = 20;
  const reverseShare = getReverseShare(context.trial);
  const requiredCases = estimateRequiredCases(
    { better: reverseShare + points / 100, worse: reverseShare },
    { rules: verdict.rules, comparisons: Math.max(1, verdict.family), repeats: context.trial.repeats },
  );
  const noun = getUnitNoun(scope);
  const hint =
    requiredCases === undefined
      ? ''
      : ` To spot a difference of ${points} points, plan for about ${requiredCases} ${noun}s.`;
  return [[`There is a verdict from ${minUnits} ${noun}s on.${hint}`]];
}

function describeFewUnits(comparison: Comparison | undefined, scope: Scope): RichText[] {
  const hasFewUnits =
    comparison !== undefined && comparison.outcome !== 'too few' && comparison.units < 2 * minUnits;
  return hasFewUnits ? [[`Based on only ${countUnits([comparison], scope)}.`]] : [];
}

/** Describes how many more cases will probably decide the open comparison, or the first of several. */
function describeAdditionalCases(group: readonly Comparison[], scope: Scope): RichText[] {
  const { verdict, context, names } = scope;
  const attainableGroup = group.filter((comparison) => canCountMoreCases(comparison, scope));
  const unattainable = group.find(({ additionalCasesNeeded }) => additionalCasesNeeded !== undefined);
  if (unattainable && attainableGroup.length === 0) {
    const copied = context.trial.columns[verdict.baseline]?.savedAnswers
      ? verdict.baseline
      : unattainable.column;
    return [
      [
        'New cases are not compared with ',
        toColumnPart(names, copied),
        ', which has no answers to them. Duplicate its column to ask it, too.',
      ],
    ];
  }
  const [soonest] = attainableGroup
    .flatMap(({ additionalCasesNeeded: count, additionalCasesShow, column }) =>
      count === undefined ? [] : [{ count, additionalCasesShow, column }],
    )
    .toSorted((a, b) => a.count - b.count);
  if (!soonest) return [];
  if (!Number.isFinite(soonest.count))
    return [['If they are this close, even 10,000 cases may not tell them apart.']];
  const countText = `${pluralize(soonest.count, 'more case')}${formatTime(soonest.count, context)}`;
  if (group.length > 1) return [[`${countText} will probably settle at least one of these.`]];
  return soonest.additionalCasesShow === 'about the same'
    ? [
        [
          `About ${countText} could show that `,
          ...joinRichText([[toColumnPart(names, soonest.column)], [toColumnPart(names, verdict.baseline)]]),
          ' are about the same.',
        ],
      ]
    : [[`If the difference stays like this, ${countText} will probably settle it.`]];
}

/** Returns false if the comparison needs more cases than the copied answers of one of its columns cover. */
function canCountMoreCases(
  { column, cases, counted, additionalCasesNeeded = 0 }: Comparison,
  { verdict, context: { trial } }: Scope,
): boolean {
  return !hasCopiedAnswers(trial, verdict, column) || additionalCasesNeeded <= cases - counted;
}

/** Formats the time for this many cases in all columns, such as " (34 min)"; empty if it is unknown. */
function formatTime(cases: number, { trial, limits, slots }: VerdictContext): string {
  const { ms } = estimateTimeLeft(
    limits.map((limit, column) => ({
      ...limit,
      meanMs: limit.meanMs,
      requests: isAsked(trial.columns[column]) ? cases * trial.repeats : 0,
    })),
    slots,
  );
  return ms === 0 ? '' : ` (${formatLongDuration(ms)})`;
}

function isAsked(column: Trial['columns'][number] | undefined): boolean {
  return column === undefined || sendsRequests(column);
}
