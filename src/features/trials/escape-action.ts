import type { OpenTrialState } from '../../state/trials/open-trial.ts';
import type { TrialView } from './trial-view.ts';

/** What Escape does on the page of a trial: it closes what is open, and only then pauses what runs here. */
export function escapeDeed(
  view: Pick<TrialView, 'isCounted' | 'panel' | 'shows'>,
  { trial, asker }: Pick<OpenTrialState, 'trial' | 'asker'>,
): 'close figures' | 'close panel' | 'close checks' | 'pause' | undefined {
  if (view.isCounted) return 'close figures';
  if (view.panel) return 'close panel';
  if (view.shows === 'checks') return 'close checks';
  const isHere = asker.name === 'here' || asker.name === 'counting down';
  return trial.state.name === 'running' && isHere ? 'pause' : undefined;
}
