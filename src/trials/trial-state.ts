/** The states of a trial and what moves it between them. */
import type { ErrorReport } from '../gateway/errors/errors.ts';
import type { PauseReason, TrialState } from './trial.ts';

/** Epoch milliseconds. `opened`: a page shows the trial that was last seen alive at that time, and no tab asks. */
export type TrialEvent =
  | { name: 'run' | 'stop' | 'resume' | 'all ended' | 'decided' | 'more to ask'; at: number }
  | { name: 'pause'; at: number; why: PauseReason; report?: ErrorReport }
  | { name: 'opened'; at: number; heartbeatAt: number | undefined };

/** A page that was closed for longer asks before it spends money. */
const maxAutoResumeGapMs = 600_000;

/** The state after the event; the same one where the event means nothing in it. */
export function getNextState(state: TrialState, event: TrialEvent): TrialState {
  const { at } = event;
  switch (event.name) {
    case 'run':
      return state.name === 'draft' ? { name: 'running', since: at } : state;
    case 'pause':
      if (state.name !== 'running') return state;
      return { name: 'paused', at, why: event.why, ...(event.report ? { report: event.report } : {}) };
    case 'stop':
      return state.name === 'running' || state.name === 'paused'
        ? { name: 'stopped', at, why: 'person' }
        : state;
    case 'decided':
      return state.name === 'running' ? { name: 'stopped', at, why: 'decided' } : state;
    case 'all ended':
      // Also where what was under way when it was paused has ended it.
      return state.name === 'running' || state.name === 'paused' ? { name: 'finished', at } : state;
    case 'resume':
      return state.name === 'paused' || state.name === 'stopped' ? { name: 'running', since: at } : state;
    case 'more to ask':
      return state.name === 'finished' ? { name: 'running', since: at } : state;
    case 'opened':
      if (
        state.name !== 'running' ||
        (event.heartbeatAt !== undefined && at - event.heartbeatAt <= maxAutoResumeGapMs)
      )
        return state;
      return { name: 'paused', at: event.heartbeatAt ?? state.since, why: 'closed' };
  }
}
