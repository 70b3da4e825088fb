/** Describes a draft before it runs, in sentences. */
import { formatTotalCost } from '../../../conversation/reply/cost.ts';
import { getIntervalMs } from '../../../gateway/http/request-rate.ts';
import { formatCount, formatList, pluralize } from '../../../lib/format.ts';
import type { OpenTrialState } from '../../../state/trials/store/trial-store.ts';
import { defaultOutputTokens } from '../../../trials/trial-cost.ts';
import type { PlanCost, TrialPlan } from '../../../trials/trial-plan.ts';
import { countCases, getColumnLetter } from '../../../trials/trial.ts';
import { formatLongDuration } from '../format-duration.ts';
import {
  formatBudgetProblem,
  formatCaseError,
  formatCaseWarning,
  formatSpace,
  formatUnknownGateway,
} from '../format-problems.ts';
import { describeAbsentCases } from './format-copied.ts';
import { formatPercent, toPlainText } from './rich-text.ts';

type PlanState = Pick<
  OpenTrialState,
  'trial' | 'plan' | 'paces' | 'problems' | 'unknownGateways' | 'costs' | 'verdictContext'
>;

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

/** Returns, for example, "About 34,600 tokens in and 7,900 out, estimated from 30 earlier answers of these models, also to other prompts." */
export function formatPlanTokens({ in: tokensIn, out, answers }: NonNullable<TrialPlan['tokens']>): string {
  const formatRounded = (count: number): string => formatCount(Number(count.toPrecision(3)));
  const sourceText = `estimated from ${pluralize(answers, 'earlier answer')} of these models, also to other prompts`;
  return `About ${formatRounded(tokensIn)} tokens in and ${formatRounded(out)} out, ${sourceText}.`;
}

/** Describes the estimated cost and what the estimate is based on. */
export function formatPlanCost({
  total,
  answers,
  hasLimitedOutput,
  hasAssumedOutput,
  unpricedColumns,
}: PlanCost): string {
  if (total.source === 'unknown') return 'Cost unknown: no price.';
  const sources = [
    'the length of the prompts',
    ...(answers > 0 ? [pluralize(answers, 'earlier answer')] : []),
    ...(hasLimitedOutput ? ['the longest answers allowed'] : []),
    ...(hasAssumedOutput ? [`${defaultOutputTokens} tokens per answer`] : []),
  ];
  const letters = unpricedColumns.map(getColumnLetter);
  const omissionText =
    letters.length === 0
      ? ''
      : ` ${letters.length === 1 ? 'Column' : 'Columns'} ${formatList(letters)} without a price not included.`;
  return `Cost ${formatTotalCost(total)}, estimated from ${formatList(sources)}.${omissionText}`;
}

/** Describes rate, tokens, cost and storage. */
export function describePlan({ plan, paces }: PlanState): string[] {
  return [
    describeLimits(paces),
    ...(plan.tokens ? [formatPlanTokens(plan.tokens)] : []),
    ...(plan.cost ? [formatPlanCost(plan.cost)] : []),
    formatSpace(plan),
  ];
}

/** Describes the rate of the only gateway, or the rate of each gateway by its name. */
function describeLimits(paces: PlanState['paces']): string {
  if (paces.length > 1) {
    const limits = paces.map(({ label, perMinute }) =>
      perMinute === 0 ? `${label} without a limit` : `${label} ${formatCount(perMinute)} per minute`,
    );
    return `${formatList(limits)}, each spread evenly on its own.`;
  }
  const perMinute = paces[0]?.perMinute ?? 0;
  const maxWaitSeconds = Math.max(1, Math.ceil(getIntervalMs(perMinute) / 1000));
  return perMinute === 0
    ? 'No limit per minute is set, so answers come as fast as the gateway gives them.'
    : `${formatCount(perMinute)} per minute, spread evenly, so a message of yours never waits more than ${maxWaitSeconds} s.`;
}

/** Lists hints to read before starting the run. */
export function getPlanHints({ trial, plan, problems, verdictContext }: PlanState): string[] {
  const { columns } = trial;
  const columnNames = columns.map((_, index) => {
    const letter = getColumnLetter(index);
    return { letter, name: `Column ${letter}` };
  });
  return [
    ...(trial.decides === undefined
      ? ['Add a check so that Bench can tell right from wrong, or mark by hand.']
      : []),
    ...(columns.length === 1 ? ['Add a second column to compare.'] : []),
    ...problems.warnings.map(formatCaseWarning),
    ...describeAbsentCases(verdictContext, columnNames).map(toPlainText),
    ...(plan.columns > 1
      ? [
          `${plan.columns === 2 ? 'Both' : `All ${plan.columns}`} columns get the first case first, so a mistake shows after ${formatCount(plan.columns)} requests.`,
        ]
      : []),
  ];
}

/** Returns why the trial cannot run, or `undefined`. */
export function getRunBlocker({
  trial,
  plan,
  problems,
  unknownGateways,
  costs,
}: PlanState): string | undefined {
  if (countCases(trial) === 0)
    return trial.follows?.why === 'confirm'
      ? 'New trial with the winner and the baseline. Add cases neither has seen.'
      : 'Add cases first.';
  if (trial.columns.some(({ setup }) => setup.model === '')) return 'Choose a model for each column.';
  if (trial.messages.every(({ content }) => content === '')) return 'Write a prompt first.';
  const [unknownGateway] = unknownGateways;
  if (unknownGateway) return formatUnknownGateway(unknownGateway);
  const [firstError] = problems.errors;
  if (firstError) return formatCaseError(firstError);
  if (trial.budget && costs.budgetProblem) return formatBudgetProblem(costs.budgetProblem);
  return plan.space?.isBlocking === true ? formatSpace(plan) : undefined;
}

/** Describes where the share in the plan comes from. */
export function formatPastPairs({ pairs }: NonNullable<TrialPlan['pastReverseShare']>): string {
  return `(from ${pluralize(pairs, 'pair')} of earlier trials)`;
}

/**
 * Describes the ruler in words, for example the smallest difference that 120 cases would detect in 4 of 5 such trials.
 */
export function describePlanRuler({ trial, plan }: Pick<PlanState, 'trial' | 'plan'>): string {
  const cases = formatCount(plan.comparedCases);
  const baselineLetter = getColumnLetter(trial.columns.findIndex(({ id }) => id === trial.baseline));
  const sourceText =
    trial.reverseShare === undefined && plan.pastReverseShare
      ? ` ${formatPastPairs(plan.pastReverseShare)}`
      : '';
  return plan.detectablePoints === undefined
    ? `With ${cases} cases you would spot no difference 4 times in 5`
    : `With ${cases} cases you would spot a difference of ${plan.detectablePoints} points 4 times in 5, if ${baselineLetter} alone passes ${formatPercent(plan.reverseShare)} of 100${sourceText}`;
}
