/** Remarks below a verdict: missing answers, the number of setups tried, and changes after answers had come in. */
import { formatCount, formatList, pluralize } from '../../../lib/format.ts';
import type { NearMisses, NearMissSetting } from '../../../trials/checks/near-misses.ts';
import { countsTimeoutsAsFailed, hashCheckRule } from '../../../trials/checks/score-answer.ts';
import type { Trial } from '../../../trials/trial.ts';
import type { Verdict, VerdictContext } from '../../../trials/verdict.ts';
import type { ColumnName } from '../format-columns.ts';
import { describeCopiedColumns, describeEqualSetups } from './format-copied.ts';
import { formatPercent, toColumnPart, type RichText } from './rich-text.ts';

/** Share of missing answers above which they are mentioned. */
const minSubstantialShare = 0.02;
/** Number of setups from which the best of them is expected to look better than it is. */
const minManySetups = 4;

/** Lists the remarks that apply, most important first. */
export function listRemarks(
  verdict: Verdict,
  context: VerdictContext,
  names: readonly ColumnName[],
): RichText[] {
  const { trial, hasAnswers } = context;
  return [
    ...describeDependence(verdict, names),
    ...describeMissing(verdict, trial, names),
    ...describeStopped(verdict, trial, names),
    ...describeCopiedColumns(context, names),
    ...describeEqualSetups(verdict, trial, names),
    ...describeTries(verdict, trial),
    ...describeLaterTries(verdict, names),
    ...(verdict.comparisons.some(({ isAtIntervalEdge }) => isAtIntervalEdge)
      ? [['A range only ever narrows: earlier cases were further apart.']]
      : []),
    ...(hasAnswers ? describeChanges(trial) : []),
  ];
}

const nearMissNames: Record<NearMissSetting, string> = {
  ignoreCase: 'case',
  ignoreLastStop: 'a full stop',
  ignoreQuotes: 'quotation marks',
};

/** Describes answers that fail only because of differences which the check can ignore. */
export function describeNearMisses({ answers, settings }: NearMisses): RichText {
  const names = settings.map((name) => nearMissNames[name]);
  return [
    `${pluralize(answers, 'answer differs', 'answers differ')} only in ${formatList(names, 'or')}.`,
    { ignored: settings },
  ];
}

function decidesByMarks({ decides, checks }: Pick<Trial, 'decides' | 'checks'>): boolean {
  return checks.find(({ id }) => id === decides)?.kind === 'marks';
}

/** Describes the missing answers of each column. Unmarked answers do not count as missing. */
function describeMissing(verdict: Verdict, trial: Trial, names: readonly ColumnName[]): RichText[] {
  if (decidesByMarks(trial)) return [];
  const isDecisive = verdict.comparisons.some(({ dependsOnMissing }) => dependsOnMissing);
  const sentences = verdict.columns.flatMap(
    ({ missing, cells, rateBounds: [low, high] }, column): RichText[] => {
      const isSubstantial = missing > minSubstantialShare * cells;
      if (missing === 0 || trial.columns[column]?.stopped || !(isSubstantial || isDecisive)) return [];
      return [
        [
          toColumnPart(names, column),
          ` gave no answer ${formatCount(missing)} of ${pluralize(cells, 'time')}: it would have ${formatPercent(low)} % if all of those were wrong, ${formatPercent(high)} % if all were right.`,
        ],
      ];
    },
  );
  const [comparison, ...otherComparisons] = verdict.comparisons;
  const isComparedOnFewer =
    comparison !== undefined &&
    otherComparisons.length === 0 &&
    comparison.units > 0 &&
    comparison.missingCount > 0;
  if (sentences.length === 0 || !isComparedOnFewer) return sentences;
  const comparedCount = comparison.counted - comparison.missingCount;
  const comparedText = `Compared on the ${pluralize(comparedCount, 'case')} that both answered`;
  const { counts, column } = comparison;
  if (!counts || trial.groupField !== undefined) return [[`${comparedText}.`], ...sentences];
  const compared: RichText = [
    `${comparedText}: `,
    toColumnPart(names, verdict.baseline),
    ` passed ${formatCount(counts.both + counts.onlyBaseline)} of them and `,
    toColumnPart(names, column),
    ` ${formatCount(counts.both + counts.onlyColumn)}.`,
  ];
  return [compared, ...sentences];
}

/** Says against which side the missing answers would have to count to change a verdict. */
function describeDependence({ comparisons }: Verdict, names: readonly ColumnName[]): RichText[] {
  return comparisons.flatMap(({ dependsOnMissing, outcome, column }): RichText[] => {
    if (!dependsOnMissing) return [];
    const subject = toColumnPart(names, column);
    const side: RichText =
      outcome === 'better'
        ? ['against ', subject]
        : outcome === 'worse'
          ? ['in favour of ', subject]
          : ['for one side only'];
    const scope: RichText = comparisons.length === 1 ? [] : [' on ', subject];
    return [
      [
        'Careful: with the missing answers counted ',
        ...side,
        ', the difference could be chance and there would be no verdict',
        ...scope,
        '.',
      ],
    ];
  });
}

/** Describes columns that have stopped, by what they were asked. */
function describeStopped({ columns }: Verdict, trial: Trial, names: readonly ColumnName[]): RichText[] {
  return columns.flatMap(({ answers: { count }, cells }, column): RichText[] => {
    if (!trial.columns[column]?.stopped) return [];
    const answersText =
      count === 0 ? 'none was answered' : `${formatCount(count)} ${count === 1 ? 'was' : 'were'} answered`;
    return [[toColumnPart(names, column), ` stopped after ${pluralize(cells, 'request')}, ${answersText}.`]];
  });
}

/** Describes that the best of many setups looks better than it is. It says nothing where no setup was selected. */
function describeTries(
  { comparisons, family, columns }: Verdict,
  { columns: setups, retired }: Trial,
): RichText[] {
  const tries = Math.max(family + 1, columns.length + retired.columns.length);
  const isSelected =
    comparisons.some(({ outcome }) => outcome === 'better') &&
    (tries > columns.length || comparisons.some(({ outcome }) => outcome !== 'better'));
  const hasManySetups = tries >= minManySetups || setups.some(({ madeFrom }) => madeFrom !== undefined);
  if (!isSelected || !(hasManySetups || retired.columns.length > 0)) return [];
  return [
    [
      `The best of ${formatCount(tries)} setups tried on these cases often looks better than it is, since luck is part of its lead: confirm it on new cases.`,
    ],
  ];
}

/** Describes columns that were decided before further setups were tried on the same cases. */
function describeLaterTries({ comparisons, family }: Verdict, names: readonly ColumnName[]): RichText[] {
  return comparisons.flatMap(({ column, decided, family: ownFamily }): RichText[] =>
    decided && ownFamily < family
      ? [
          [
            toColumnPart(names, column),
            ` was decided before ${pluralize(family - ownFamily, 'further try', 'further tries')}.`,
          ],
        ]
      : [],
  );
}

/** Describes what was changed after answers had come in. */
function describeChanges(trial: Trial): RichText[] {
  const { plan, checks, decides, retired } = trial;
  if (!plan) return [];
  const check = checks.find(({ id }) => id === decides);
  const isRuleChanged =
    plan.decides === decides &&
    check !== undefined &&
    plan.checkHash !== undefined &&
    plan.checkHash !== hashCheckRule(check);
  const isGroupChanged = plan.rules === 2 && plan.groupField !== trial.groupField;
  const areTimeoutsChanged =
    plan.rules === 2 && (plan.leavesOutTimeouts ?? false) !== !countsTimeoutsAsFailed(trial);
  const changes = [
    ...(plan.decides === decides ? [] : ['the choice of the check']),
    ...(isRuleChanged ? ['the check'] : []),
    ...(plan.margin === trial.margin ? [] : ['the margin']),
    ...(plan.baseline === trial.baseline ? [] : ['the baseline']),
    ...(isGroupChanged ? ['the group'] : []),
    ...(areTimeoutsChanged ? ['the treatment of timeouts'] : []),
  ];
  const changesText = formatList(changes);
  return [
    ...(changes.length === 0
      ? []
      : [
          [
            `${changesText.charAt(0).toUpperCase()}${changesText.slice(1)} ${changes.length === 1 ? 'was' : 'were'} changed after answers had come in.`,
          ],
        ]),
    ...(retired.columns.length === 0
      ? []
      : [
          [
            `${pluralize(retired.columns.length, 'column was', 'columns were')} replaced or removed after answers had come in.`,
          ],
        ]),
  ];
}
