/** Describes a draft before it runs, in sentences. */
import { formatCount, pluralize } from '../../../lib/format.ts';
import type { OpenTrialState } from '../../../state/trials/store/trial-store.ts';
import { getIntervalMs } from '../../../trials/trial-pace.ts';
import type { TrialPlan } from '../../../trials/trial-plan.ts';
import { countCases } from '../../../trials/trial.ts';
import { formatLongDuration } from '../format-duration.ts';
import { formatCaseError, formatCaseWarning, formatSpace } from '../format-problems.ts';

type PlanState = Pick<OpenTrialState, 'trial' | 'plan' | 'pace' | 'problems'>;

/** Formats the size of a trial, such as "120 cases × 3 columns = 360 requests". */
export function formatPlanSize({ cases, columns, repeats, requests }: TrialPlan): string {
  const sizeTexts = [
    pluralize(cases, 'case'),
    pluralize(columns, 'column'),
    ...(repeats === 1 ? [] : [pluralize(repeats, 'repeat')]),
  ];
  return `${sizeTexts.join(' × ')} = ${pluralize(requests, 'request')}`;
}

/** Formats the estimated duration of a trial, such as "7 min 16 s". */
export function formatPlanDuration({ durationMs }: Pick<TrialPlan, 'durationMs'>): string {
  return durationMs === undefined ? 'time unknown' : formatLongDuration(durationMs);
}

/** Returns, for example, "About 34,600 tokens in and 7,900 out, estimated from 30 earlier answers of these models." */
export function formatPlanTokens({ in: tokensIn, out, answers }: NonNullable<TrialPlan['tokens']>): string {
  const formatRounded = (count: number): string => formatCount(Number(count.toPrecision(3)));
  const sourceText = `estimated from ${pluralize(answers, 'earlier answer')} of these models`;
  return `About ${formatRounded(tokensIn)} tokens in and ${formatRounded(out)} out, ${sourceText}.`;
}

/** Describes rate, tokens and storage. */
export function describePlan({ plan, pace }: PlanState): string[] {
  const { perMinute } = pace;
  const maxWaitSeconds = Math.max(1, Math.ceil(getIntervalMs(perMinute) / 1000));
  return [
    perMinute === 0
      ? 'No limit per minute is set, so answers come as fast as the gateway gives them.'
      : `${formatCount(perMinute)} per minute, spread evenly, so a message of yours never waits more than ${maxWaitSeconds} s.`,
    ...(plan.tokens ? [formatPlanTokens(plan.tokens)] : []),
    formatSpace(plan),
  ];
}

/** Lists hints to read before starting the run. */
export function getPlanHints({ trial, problems }: PlanState): string[] {
  const { columns } = trial;
  return [
    ...(trial.decides === undefined ? ['Nothing will be decided: add a check, or mark by hand.'] : []),
    ...(columns.length === 1 ? ['One column has nothing to be compared with: add another.'] : []),
    ...problems.warnings.map(formatCaseWarning),
    ...(columns.length > 1
      ? [
          `The first case is asked in ${columns.length === 2 ? 'both' : `all ${columns.length}`} columns before the second, so a wrong setup shows after ${formatCount(columns.length)} requests.`,
        ]
      : []),
  ];
}

/** Returns why the trial cannot run, or `undefined`. */
export function getRunBlocker({ trial, plan, problems }: PlanState): string | undefined {
  if (countCases(trial) === 0) return 'Add cases first.';
  if (trial.columns.some(({ setup }) => setup.model === '')) return 'Choose a model for each column.';
  if (trial.messages.every(({ content }) => content === '')) return 'Write a prompt first.';
  const [firstError] = problems.errors;
  if (firstError) return formatCaseError(firstError);
  return plan.space?.isBlocking === true ? formatSpace(plan) : undefined;
}

/**
 * Describes the ruler in words, for example the smallest difference that 120 cases would detect in 4 of 5 such trials.
 */
export function describePlanRuler({ trial, plan }: Pick<PlanState, 'trial' | 'plan'>): string {
  const cases = formatCount(countCases(trial));
  return plan.detectablePoints === undefined
    ? `With ${cases} cases no difference would be told in 4 of 5 such trials`
    : `With ${cases} cases a difference of ${plan.detectablePoints} points or more would be told in 4 of 5 such trials`;
}
