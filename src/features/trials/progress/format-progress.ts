/** Where a trial stands, in words. */
import { formatCount, pluralize } from '../../../lib/format.ts';
import type { OpenTrialState } from '../../../state/trials/open-trial.ts';
import { distanceMs, durationWords } from '../../../trials/trial-pace.ts';
import type { PauseReason } from '../../../trials/trial.ts';

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const clockSeconds = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

const pauseWords: Record<PauseReason, string> = {
  person: 'Paused',
  closed: 'Paused: Bench was closed',
  refused: 'Paused: the gateway refused',
  key: 'Paused: the key was rejected',
  offline: 'Paused: offline',
  storage: 'Paused: no room left',
  'columns stopped': 'Paused: all columns have stopped',
};

/** The line beside the title. */
export function stateLine({
  trial,
  progress,
  asker,
  opening,
}: Pick<OpenTrialState, 'trial' | 'progress' | 'asker' | 'opening'>): string {
  const { state } = trial;
  // Read out whenever it changes: how many there are is said beside the verdict.
  if (opening) return opening.name === 'reading' ? 'Loading answers' : 'Counting answers';
  const answers = pluralize(progress.ended, 'answer');
  if (asker.name === 'another tab') return 'Running in another tab';
  switch (state.name) {
    case 'draft':
      return 'Draft. Nothing has been asked yet';
    case 'running':
      return `Running since ${clockSeconds.format(state.since)}`;
    case 'paused':
      return `${pauseWords[state.why]}, ${clock.format(state.at)}`;
    case 'stopped':
      return `Stopped ${clock.format(state.at)}${state.why === 'decided' ? ', decided' : ''}, ${answers}`;
    case 'finished': {
      const took = trial.plan ? ` in ${durationWords(state.at - trial.plan.at)}` : '';
      return `Finished ${clock.format(state.at)}, ${answers}${took}`;
    }
  }
}

/** What is done before anything is said of all answers. */
export function openingWords({ name, answers }: NonNullable<OpenTrialState['opening']>): string {
  return name === 'reading'
    ? `Loading answers: ${formatCount(answers)} so far`
    : `Counting ${pluralize(answers, 'answer')}`;
}

/** A state in a word or two, for lists. */
export function stateWord(state: OpenTrialState['trial']['state']): string {
  switch (state.name) {
    case 'draft':
      return 'Draft';
    case 'running':
      return 'Running';
    case 'paused':
      return pauseWords[state.why];
    case 'stopped':
      return state.why === 'decided' ? 'Stopped: decided' : 'Stopped';
    case 'finished':
      return 'Finished';
  }
}

/** "One every 1.2 s, 50 per minute." */
export function paceWords({ pace }: Pick<OpenTrialState, 'pace'>): string {
  const { perMinute, isSlowed } = pace;
  if (perMinute === 0) return 'No limit per minute.';
  const seconds = Math.round(distanceMs(perMinute) / 100) / 10;
  const slowed = isSlowed ? ' Slower since the gateway refused.' : '';
  return `One every ${seconds} s, ${formatCount(perMinute)} per minute.${slowed}`;
}

/** "3 min 23 s to go", or at least that. */
export function leftWords({ timeLeft }: Pick<OpenTrialState, 'timeLeft'>): string {
  return `${timeLeft.isAtLeast ? 'at least ' : ''}${durationWords(timeLeft.ms)}`;
}

/** What the live region hears of a change; undefined of most. Numbers change too often to be said. */
export function announcement(
  before: Pick<OpenTrialState, 'trial' | 'progress' | 'verdict' | 'words' | 'opening'>,
  now: Pick<OpenTrialState, 'trial' | 'progress' | 'verdict' | 'words' | 'opening'>,
  plain: (words: OpenTrialState['words']['first']) => string,
): string | undefined {
  // Of a trial that was there before, only the verdict is said once all of it is counted.
  if (now.opening) return undefined;
  if (before.opening) return `${plain(now.words.first)}.`;
  const said: string[] = [];
  if (
    before.trial.state.name !== now.trial.state.name ||
    stateWord(before.trial.state) !== stateWord(now.trial.state)
  )
    said.push(`${stateWord(now.trial.state)}.`);
  const hasPassed = (count: number) => before.progress.counted < count && now.progress.counted >= count;
  if (hasPassed(15)) said.push('15 cases counted.');
  const share = ({ progress }: Pick<OpenTrialState, 'progress'>) =>
    progress.cells === 0 ? 0 : progress.ended / progress.cells;
  for (const quarter of [0.25, 0.5, 0.75])
    if (share(before) < quarter && share(now) >= quarter) said.push(`${100 * quarter} % answered.`);
  const outcomes = ({ verdict }: Pick<OpenTrialState, 'verdict'>) =>
    verdict?.comparisons.map(({ column, outcome }) => `${column} ${outcome}`).join();
  const isNews = outcomes(before) !== outcomes(now) && now.progress.counted > 0;
  if (isNews) said.push(`${plain(now.words.first)}.`);
  return said.length === 0 ? undefined : said.join(' ');
}
