import type { OpenTrialState } from '../../state/trials/open-trial.ts';
import type { TrialView } from './trial-view.ts';

/**
 * Returns the effect of Escape on a trial: it closes open panels first, and only then pauses the trial if it runs in
 * this tab.
 */
export function getEscapeAction(
  view: Pick<TrialView, 'isMethodOpen' | 'panel' | 'pane'>,
  { trial, runnerStatus }: Pick<OpenTrialState, 'trial' | 'runnerStatus'>,
): 'close method' | 'close panel' | 'close checks' | 'pause' | undefined {
  if (view.isMethodOpen) return 'close method';
  if (view.panel) return 'close panel';
  if (view.pane === 'checks') return 'close checks';
  const isRunningHere = runnerStatus.name === 'here' || runnerStatus.name === 'counting down';
  return trial.state.name === 'running' && isRunningHere ? 'pause' : undefined;
}
