/** Describes how a verdict was computed, as one line. */
import { formatCount, pluralize } from '../../../lib/format.ts';
import { countsTimeoutsAsFailed } from '../../../trials/checks/score-answer.ts';
import { countCases } from '../../../trials/trial.ts';
import type { Comparison, Verdict, VerdictContext } from '../../../trials/verdict.ts';
import { describeOrigins } from './format-copied.ts';
import { joinRichText, toPlainText } from './rich-text.ts';

/** Formats evidence rounded down, so that it never appears to have reached the threshold; large values become a bound. */
export function formatEvidence(evidence: number): string {
  if (evidence > 1000) return 'over 1,000';
  return evidence < 10 ? String(Math.floor(evidence * 10) / 10) : String(Math.floor(evidence));
}

/** Describes the check, the cases, the evidence and the changes of the plan. `comparison` is that of the first line. */
export function describeMethod(
  verdict: Verdict,
  { trial, hasAnswers, hasNewUnits }: VerdictContext,
  comparison: Comparison | undefined,
): string {
  const check = trial.checks.find(({ id }) => id === trial.decides);
  const isMarkCheck = check?.kind === 'marks';
  const changedCount = hasAnswers ? (trial.valuesChanged?.length ?? 0) : 0;
  const retiredCount = trial.retired.caseIds.length;
  const { groupField } = trial;
  return [
    `Check “${check?.name ?? ''}” on ${describeSize(verdict, trial, comparison, isMarkCheck)}.`,
    ...(comparison ? describeEvidence(comparison) : []),
    ...describeOrigins(trial),
    'You may look at any time, also while it runs: looking does not make a wrong verdict likelier.',
    ...(isMarkCheck
      ? ['Marked by hand, knowing which answer was whose; only marked cases count.']
      : countsTimeoutsAsFailed(trial)
        ? [
            'Answers that timed out or were cut off count as failed, answers lost by the gateway do not count.',
          ]
        : []),
    ...(groupField === undefined
      ? []
      : [
          `Cases with the same ${groupField} ${verdict.rules === 2 ? 'are averaged and count' : 'count'} as one.`,
        ]),
    ...(hasNewUnits ? [`Groups that came back in later cases count as new ones.`] : []),
    ...(changedCount > 0
      ? [`Expected values were changed after the answers were seen: ${pluralize(changedCount, 'case')}.`]
      : []),
    ...(retiredCount > 0
      ? [
          `${pluralize(retiredCount, 'case was removed or changed after it', 'cases were removed or changed after they')} had been answered.`,
        ]
      : []),
    ...describePlanChanges(trial),
    ...(verdict.rules === 1 ? ['Rules of version 1.'] : []),
  ].join(' ');
}

function describeSize(
  verdict: Verdict,
  { repeats, seed }: VerdictContext['trial'],
  comparison: Comparison | undefined,
  isMarkCheck: boolean,
): string {
  const { counted, cases } = comparison ?? verdict;
  if (isMarkCheck)
    return `${formatCount(counted)} of ${pluralize(cases, 'case')} marked, counted in the order they were marked`;
  const repeatsText = repeats === 1 ? 'one answer each' : `${repeats} answers a case, averaged`;
  const countText =
    counted === cases
      ? pluralize(cases, 'case')
      : `${formatCount(counted)} of ${pluralize(cases, 'case')} counted so far`;
  return `${countText}, ${repeatsText}, in random order no. ${seed}`;
}

/** Describes the evidence, or that the look at the planned number of cases has decided. */
function describeEvidence({
  evidence,
  requiredEvidence,
  family,
  decided,
  reason,
  plannedCases,
  hasReachedPlannedEnd,
}: Comparison): string[] {
  const isAfterEnd = hasReachedPlannedEnd && !decided;
  const requiredText = [
    `${formatCount(requiredEvidence)} : 1 is ${decided ? 'enough' : 'needed'}`,
    ...(family > 1 ? [`with ${family} comparisons`] : []),
    ...(isAfterEnd ? ['beyond the planned cases'] : []),
  ].join(' ');
  const evidenceText = `Evidence ${formatEvidence(evidence)} : 1 (${requiredText}).`;
  if (!hasReachedPlannedEnd) return [evidenceText];
  if (reason !== 'planned end')
    return [evidenceText, `All ${formatCount(plannedCases)} planned cases are counted.`];
  return [`Decided by the look at the planned end, at ${pluralize(plannedCases, 'case')}.`];
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
    : [
        `Planned: ${toPlainText(
          joinRichText(
            plannedSizes.map((part) => [part]),
            ', ',
          ),
        )}.`,
      ];
}
