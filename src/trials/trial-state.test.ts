import { describe, expect, it } from 'vitest';

import { getNextState, type TrialEvent } from './trial-state.ts';
import type { TrialState } from './trial.ts';

const states: Record<TrialState['name'], TrialState> = {
  draft: { name: 'draft' },
  running: { name: 'running', since: 1 },
  paused: { name: 'paused', at: 1, why: 'person' },
  stopped: { name: 'stopped', at: 1, why: 'person' },
  finished: { name: 'finished', at: 1 },
};
const nowMs = 1_000_000;

describe('state transitions of a trial', () => {
  const transitions: [TrialState['name'], TrialEvent, TrialState][] = [
    ['draft', { name: 'run', at: nowMs }, { name: 'running', since: nowMs }],
    ['running', { name: 'pause', at: nowMs, why: 'person' }, { name: 'paused', at: nowMs, why: 'person' }],
    ['running', { name: 'stop', at: nowMs }, { name: 'stopped', at: nowMs, why: 'person' }],
    ['paused', { name: 'stop', at: nowMs }, { name: 'stopped', at: nowMs, why: 'person' }],
    ['running', { name: 'all ended', at: nowMs }, { name: 'finished', at: nowMs }],
    ['paused', { name: 'all ended', at: nowMs }, { name: 'finished', at: nowMs }],
    ['running', { name: 'decided', at: nowMs }, { name: 'stopped', at: nowMs, why: 'decided' }],
    ['paused', { name: 'resume', at: nowMs }, { name: 'running', since: nowMs }],
    ['stopped', { name: 'resume', at: nowMs }, { name: 'running', since: nowMs }],
    ['finished', { name: 'more to ask', at: nowMs }, { name: 'running', since: nowMs }],
  ];
  it('changes the state on every applicable event', () => {
    for (const [name, event, next] of transitions) expect(getNextState(states[name], event)).toEqual(next);
  });

  it('keeps the state on all other events', () => {
    const events = ['run', 'stop', 'resume', 'all ended', 'decided', 'more to ask', 'pause'] as const;
    const effectiveEvents = Object.values(states).flatMap((state) =>
      events
        .map((name): TrialEvent => (name === 'pause' ? { name, at: nowMs, why: 'key' } : { name, at: nowMs }))
        .filter((event) => getNextState(state, event) !== state)
        .map((event) => `${state.name}: ${event.name}`),
    );
    expect(effectiveEvents).toHaveLength(transitions.length);
  });

  it('resumes a running trial when it is reopened within 10 minutes, and pauses it after that', () => {
    const getStateAfterOpening = (heartbeatAt: number | undefined) =>
      getNextState(states.running, { name: 'opened', at: nowMs, heartbeatAt });
    expect(getStateAfterOpening(nowMs - 600_000)).toBe(states.running);
    expect(getStateAfterOpening(nowMs - 600_001)).toEqual({
      name: 'paused',
      at: nowMs - 600_001,
      why: 'closed',
    });
    expect(getStateAfterOpening(undefined)).toEqual({ name: 'paused', at: 1, why: 'closed' });
    expect(getNextState(states.stopped, { name: 'opened', at: nowMs, heartbeatAt: 0 })).toBe(states.stopped);
  });
});
