/** States of a trial and the transitions between them. */
import type { ErrorReport } from '../gateway/errors/errors.ts';
import type { PauseReason, TrialState } from './trial.ts';

/**
 * Events of a trial; times are epoch ms. `opened`: a page opened a trial that no tab is running; `heartbeatAt` is its
 * last heartbeat.
 */
export type TrialEvent =
  | { name: 'run' | 'stop' | 'resume' | 'all ended' | 'decided' | 'more to ask'; at: number }
  | { name: 'pause'; at: number; why: PauseReason; report?: ErrorReport }
  | { name: 'opened'; at: number; heartbeatAt: number | undefined };

/**
 * Maximum gap in ms after which a reopened trial resumes automatically. After a longer one it pauses, because requests
 * cost money.
 */
const maxAutoResumeGapMs = 600_000;

/** Returns the next state; the same object if the event does not apply. */
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
      // Requests still in flight when the trial paused may also have finished it.
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
