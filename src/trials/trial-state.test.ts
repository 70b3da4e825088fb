import { describe, expect, it } from 'vitest';

import { distanceMs, durationWords } from './trial-pace.ts';
import { nextState, type TrialEvent } from './trial-state.ts';
import type { TrialState } from './trial.ts';

const states: Record<TrialState['name'], TrialState> = {
  draft: { name: 'draft' },
  running: { name: 'running', since: 1 },
  paused: { name: 'paused', at: 1, why: 'person' },
  stopped: { name: 'stopped', at: 1, why: 'person' },
  finished: { name: 'finished', at: 1 },
};
const at = 1_000_000;

describe('the states of a trial', () => {
  const moves: [TrialState['name'], TrialEvent, TrialState][] = [
    ['draft', { name: 'run', at }, { name: 'running', since: at }],
    ['running', { name: 'pause', at, why: 'person' }, { name: 'paused', at, why: 'person' }],
    ['running', { name: 'stop', at }, { name: 'stopped', at, why: 'person' }],
    ['paused', { name: 'stop', at }, { name: 'stopped', at, why: 'person' }],
    ['running', { name: 'all ended', at }, { name: 'finished', at }],
    ['paused', { name: 'all ended', at }, { name: 'finished', at }],
    ['running', { name: 'decided', at }, { name: 'stopped', at, why: 'decided' }],
    ['paused', { name: 'resume', at }, { name: 'running', since: at }],
    ['stopped', { name: 'resume', at }, { name: 'running', since: at }],
    ['finished', { name: 'more to ask', at }, { name: 'running', since: at }],
  ];
  it('move on with an event that means something in them', () => {
    for (const [name, event, next] of moves) expect(nextState(states[name], event)).toEqual(next);
  });

  it('stay as they are with any other event', () => {
    const events = ['run', 'stop', 'resume', 'all ended', 'decided', 'more to ask', 'pause'] as const;
    const moving = Object.values(states).flatMap((state) =>
      events
        .map((name): TrialEvent => (name === 'pause' ? { name, at, why: 'key' } : { name, at }))
        .filter((event) => nextState(state, event) !== state)
        .map((event) => `${state.name}: ${event.name}`),
    );
    expect(moving).toHaveLength(moves.length);
  });

  it('a page that opens goes on with what runs within 10 minutes, and asks after that', () => {
    const opened = (aliveAt: number | undefined) =>
      nextState(states.running, { name: 'opened', at, aliveAt });
    expect(opened(at - 600_000)).toBe(states.running);
    expect(opened(at - 600_001)).toEqual({ name: 'paused', at: at - 600_001, why: 'closed' });
    expect(opened(undefined)).toEqual({ name: 'paused', at: 1, why: 'closed' });
    expect(nextState(states.stopped, { name: 'opened', at, aliveAt: 0 })).toBe(states.stopped);
  });
});

it('the pace is what the plan says: 360 requests at 50 a minute take 7 min 16 s', () => {
  expect(durationWords(360 * distanceMs(50))).toBe('7 min 16 s');
  expect([45_000, 120_000, 3_600_000, 3_900_000].map(durationWords)).toEqual([
    '45 s',
    '2 min',
    '1 h',
    '1 h 5 min',
  ]);
});
