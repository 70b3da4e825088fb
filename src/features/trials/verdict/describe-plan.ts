/** What a draft says of itself before it runs, in sentences. */
import { formatBytes, formatCount } from '../../../lib/format.ts';
import type { OpenTrialState } from '../../../state/trials/open-trial.ts';
import { distanceMs } from '../../../trials/trial-pace.ts';
import { tokenWords } from '../../../trials/trial-plan.ts';
import { caseCount } from '../../../trials/trial.ts';

type PlanFacts = Pick<OpenTrialState, 'trial' | 'plan' | 'pace' | 'problems'>;

/** Pace, tokens and space. */
export function planFacts({ plan, pace }: PlanFacts): string[] {
  const { perMinute } = pace;
  const wait = Math.max(1, Math.ceil(distanceMs(perMinute) / 1000));
  return [
    perMinute === 0
      ? 'No limit per minute is set, so answers come as fast as the gateway gives them.'
      : `${formatCount(perMinute)} per minute, spread evenly, so a message of yours never waits more than ${wait} s.`,
    ...(plan.tokens ? [tokenWords(plan.tokens)] : []),
    plan.space?.words ?? `About ${formatBytes(plan.bytes)} in this browser.`,
  ];
}

/** What one should know before pressing Run. */
export function planHints({ trial, problems }: PlanFacts): string[] {
  const { columns } = trial;
  return [
    ...(trial.decides === undefined ? ['Nothing will be decided: add a check, or mark by hand.'] : []),
    ...(columns.length === 1 ? ['One column has nothing to be compared with: add another.'] : []),
    ...problems.said,
    ...(columns.length > 1
      ? [
          `The first case is asked in ${columns.length === 2 ? 'both' : `all ${columns.length}`} columns before the second, so a wrong setup shows after ${formatCount(columns.length)} requests.`,
        ]
      : []),
  ];
}

/** Why it cannot run; undefined where it can. */
export function whyNotRun({ trial, plan, problems }: PlanFacts): string | undefined {
  if (caseCount(trial) === 0) return 'Add cases first.';
  if (trial.columns.some(({ setup }) => setup.model === '')) return 'Choose a model for each column.';
  if (trial.messages.every(({ content }) => content === '')) return 'Write a prompt first.';
  const [refused] = problems.refused;
  if (refused !== undefined) return refused;
  return plan.space?.isRefused === true ? plan.space.words : undefined;
}

/** The ruler in words: "With 120 cases a difference of 18 points or more would be told in 4 of 5 such trials". */
export function rulerWords({ trial, plan }: Pick<PlanFacts, 'trial' | 'plan'>): string {
  const cases = formatCount(caseCount(trial));
  return plan.told === undefined
    ? `With ${cases} cases no difference would be told in 4 of 5 such trials`
    : `With ${cases} cases a difference of ${plan.told} points or more would be told in 4 of 5 such trials`;
}
