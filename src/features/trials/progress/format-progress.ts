/** Describes the state of a trial. */
import { formatTotalCost } from '../../../conversation/reply/cost.ts';
import { getIntervalMs } from '../../../gateway/http/request-rate.ts';
import { formatCount, pluralize } from '../../../lib/format.ts';
import type { OpenTrialState } from '../../../state/trials/store/trial-store.ts';
import type { PauseReason } from '../../../trials/trial.ts';
import { formatLongDuration } from '../format-duration.ts';
import { describeVerdict } from '../verdict/format-verdict.ts';
import { toPlainText } from '../verdict/rich-text.ts';

const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

const pauseLabels: Record<PauseReason, string> = {
  person: 'Paused',
  closed: 'Paused: Bench was closed',
  refused: 'Paused: rate limited',
  key: 'Paused: key rejected',
  offline: 'Paused: offline',
  storage: 'Paused: storage full',
  'columns stopped': 'Paused: all columns stopped',
  'baseline stopped': 'Paused: the baseline stopped',
  budget: 'Paused: budget',
};

/** Returns the status line beside the title. */
export function describeTrialState({
  trial,
  progress,
  runnerStatus,
  loading,
  costs,
}: Pick<OpenTrialState, 'trial' | 'progress' | 'runnerStatus' | 'loading' | 'costs'>): string {
  const { state } = trial;
  // Announced on every change, so it contains no counts, which are shown next to the verdict.
  if (loading) return loading.name === 'reading' ? 'Loading answers' : 'Counting answers';
  const costText = costs.total ? `, ${formatTotalCost(costs.total)}` : '';
  const answersText = `${pluralize(progress.ended, 'answer')}${costText}`;
  if (runnerStatus.name === 'another tab') return 'Running in another tab';
  switch (state.name) {
    case 'draft':
      return 'Draft, not run yet';
    case 'running':
      return `Running since ${timeFormat.format(state.since)}`;
    case 'paused':
      return `${pauseLabels[state.why]}, ${timeFormat.format(state.at)}`;
    case 'stopped':
      return `Stopped ${timeFormat.format(state.at)}${state.why === 'decided' ? ', decided' : ''}, ${answersText}`;
    case 'finished':
      return `Finished ${timeFormat.format(state.at)}, ${answersText}`;
  }
}

/** Describes the progress of loading, before the total number of answers is known. */
export function describeLoading({ name, answers }: NonNullable<OpenTrialState['loading']>): string {
  return name === 'reading'
    ? `Loading answers: ${formatCount(answers)} so far`
    : `Counting ${pluralize(answers, 'answer')}`;
}

/** Formats a state in one or two words, for lists. */
export function formatTrialState(state: OpenTrialState['trial']['state']): string {
  switch (state.name) {
    case 'draft':
      return 'Draft';
    case 'running':
      return 'Running';
    case 'paused':
      return pauseLabels[state.why];
    case 'stopped':
      return state.why === 'decided' ? 'Stopped: decided' : 'Stopped';
    case 'finished':
      return 'Finished';
  }
}

/**
 * Describes the request rate, for example "One request every 1.2 s, 50 per minute.", or that of each gateway if the
 * columns use several.
 */
export function describePace({ paces }: Pick<OpenTrialState, 'paces'>): string {
  const [firstPace, ...otherPaces] = paces;
  if (otherPaces.length > 0) {
    const texts = paces.map(({ label, perMinute, isSlowed }) =>
      perMinute === 0
        ? `${label} without a limit`
        : `${label} ${formatCount(perMinute)} per minute${isSlowed ? ' (slowed down)' : ''}`,
    );
    return `${texts.join(', ')}.`;
  }
  if (!firstPace || firstPace.perMinute === 0) return 'No rate limit.';
  const { perMinute, isSlowed } = firstPace;
  const seconds = Math.round(getIntervalMs(perMinute) / 100) / 10;
  const slowedText = isSlowed ? ' Slowed down after a rate limit.' : '';
  return `One request every ${seconds} s, ${formatCount(perMinute)} per minute.${slowedText}`;
}

/** Returns the remaining time, such as "3 min 23 s left." or "At least 3 min 23 s left.". */
export function formatTimeLeft({ timeLeft }: Pick<OpenTrialState, 'timeLeft'>): string {
  if (timeLeft.isLowerBound && timeLeft.ms < 500) return 'Time left unknown.';
  return `${timeLeft.isLowerBound ? 'At least ' : ''}${formatLongDuration(timeLeft.ms)} left.`;
}

type AnnouncedState = Pick<
  OpenTrialState,
  'trial' | 'progress' | 'verdict' | 'verdictContext' | 'columnStats' | 'loading'
>;

/** Returns the announcement after a change. Usually `undefined`, because numbers change too often to be announced. */
export function getAnnouncement(previous: AnnouncedState, current: AnnouncedState): string | undefined {
  // When an existing trial has loaded, only the verdict is announced.
  if (current.loading) return undefined;
  if (previous.loading) return `${toPlainText(describeVerdict(current).first)}.`;
  const sentences: string[] = [];
  if (
    previous.trial.state.name !== current.trial.state.name ||
    formatTrialState(previous.trial.state) !== formatTrialState(current.trial.state)
  )
    sentences.push(`${formatTrialState(current.trial.state)}.`);
  const hasReached = (count: number) =>
    previous.progress.counted < count && current.progress.counted >= count;
  if (hasReached(15)) sentences.push('15 cases counted.');
  const getEndedShare = ({ progress }: Pick<OpenTrialState, 'progress'>) =>
    progress.cells === 0 ? 0 : progress.ended / progress.cells;
  for (const quarter of [0.25, 0.5, 0.75])
    if (getEndedShare(previous) < quarter && getEndedShare(current) >= quarter)
      sentences.push(`${100 * quarter}% complete.`);
  const formatOutcomes = ({ verdict }: Pick<OpenTrialState, 'verdict'>) =>
    verdict?.comparisons.map(({ column, outcome }) => `${column} ${outcome}`).join();
  const outcomesChanged =
    formatOutcomes(previous) !== formatOutcomes(current) && current.progress.counted > 0;
  if (outcomesChanged) sentences.push(`${toPlainText(describeVerdict(current).first)}.`);
  return sentences.length === 0 ? undefined : sentences.join(' ');
}
