/** Describes a draft before it runs, in sentences. */
import { formatBytes, formatCount } from '../../../lib/format.ts';
import type { OpenTrialState } from '../../../state/trials/open-trial.ts';
import { getIntervalMs } from '../../../trials/trial-pace.ts';
import { describePlanTokens } from '../../../trials/trial-plan.ts';
import { countCases } from '../../../trials/trial.ts';

type PlanState = Pick<OpenTrialState, 'trial' | 'plan' | 'pace' | 'problems'>;

/** Describes rate, tokens and storage. */
export function describePlan({ plan, pace }: PlanState): string[] {
  const { perMinute } = pace;
  const maxWaitSeconds = Math.max(1, Math.ceil(getIntervalMs(perMinute) / 1000));
  return [
    perMinute === 0
      ? 'No limit per minute is set, so answers come as fast as the gateway gives them.'
      : `${formatCount(perMinute)} per minute, spread evenly, so a message of yours never waits more than ${maxWaitSeconds} s.`,
    ...(plan.tokens ? [describePlanTokens(plan.tokens)] : []),
    plan.space?.text ?? `About ${formatBytes(plan.bytes)} in this browser.`,
  ];
}

/** Lists hints to read before starting the run. */
export function getPlanHints({ trial, problems }: PlanState): string[] {
  const { columns } = trial;
  return [
    ...(trial.decides === undefined ? ['Nothing will be decided: add a check, or mark by hand.'] : []),
    ...(columns.length === 1 ? ['One column has nothing to be compared with: add another.'] : []),
    ...problems.warnings,
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
  if (firstError !== undefined) return firstError;
  return plan.space?.isBlocking === true ? plan.space.text : undefined;
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
