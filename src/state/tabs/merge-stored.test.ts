import { describe, expect, it } from 'vitest';

import { changeLane, changeTurn } from '../../conversation/session/edit-session.ts';
import type { Reply, SessionData } from '../../conversation/session/types.ts';
import { anEnvironment, answered, aSession, laneOf, say } from '../../testing/builders.ts';
import { takeIn, withDisplacedAnswers, type StoredRecord } from './merge-stored.ts';

function opened() {
  const environment = anEnvironment();
  const { data, runId, turnId } = say(aSession(environment), environment, 'One', answered('1'));
  return { data, runId, turnId };
}

const take = (now: SessionData, stored: StoredRecord[], { before = now, own = false } = {}) =>
  takeIn(now, before, stored, () => own);

describe('records of another tab', () => {
  it('change nothing, not even an identity, where they say what is known or what cannot be read', () => {
    const { data, runId, turnId } = opened();
    const lane = laneOf(data);
    const known: StoredRecord[] = [
      { store: 'sessions', key: data.session.id, record: structuredClone(data.session) },
      { store: 'lanes', key: lane.id, record: structuredClone(lane) },
      { store: 'runs', key: runId, record: structuredClone(data.runs[runId]) },
    ];
    expect(take(data, known)).toBe(data);
    const unreadable: StoredRecord[] = [
      { store: 'sessions', key: data.session.id, record: { ...data.session, title: 7 } },
      { store: 'turns', key: turnId, record: { id: turnId } },
      { store: 'runs', key: 'gone', record: undefined },
      // Of another session that was written along with it.
      { store: 'turns', key: 'other', record: { ...data.turns[turnId], id: 'other', sessionId: 'other' } },
    ];
    expect(take(data, unreadable)).toBe(data);
  });

  it('go over what is here, and take away what is gone', () => {
    const { data, runId } = opened();
    const run = data.runs[runId];
    const changed = { ...run, choices: answered('better').choices };
    expect(take(data, [{ store: 'runs', key: runId, record: changed }]).runs[runId]).toEqual(changed);
    expect(take(data, [{ store: 'runs', key: runId, record: undefined }]).runs).toEqual({});
    const renamed = { ...data.session, title: 'Theirs' };
    const taken = take(data, [{ store: 'sessions', key: data.session.id, record: renamed }]);
    expect(taken.session.title).toBe('Theirs');
    expect(taken.lanes).toEqual(data.lanes);
  });

  it('leave alone what this tab streams, and what changed here while they were read', () => {
    const { data, runId } = opened();
    const gone: StoredRecord[] = [{ store: 'runs', key: runId, record: undefined }];
    expect(take(data, gone, { own: true })).toBe(data);
    const before = data;
    const now = {
      ...changeLane(data, laneOf(data).id, (lane) => ({
        ...lane,
        setup: { ...lane.setup, system: 'Typed' },
      })),
      session: { ...data.session, title: 'Typed meanwhile' },
    };
    const theirs: StoredRecord[] = [
      { store: 'lanes', key: laneOf(data).id, record: structuredClone(laneOf(data)) },
      { store: 'sessions', key: data.session.id, record: { ...data.session, title: 'Theirs' } },
    ];
    expect(take(now, theirs, { before })).toBe(now);
  });
});

it('keeps the tip that changed here while the setup of another tab was read', () => {
  const { data, turnId } = opened();
  const lane = laneOf(data);
  const { tip: _, ...before } = lane;
  const theirs = { ...before, setup: { ...lane.setup, system: 'Typed' } };
  const read: StoredRecord[] = [{ store: 'lanes', key: lane.id, record: theirs }];
  const merged = take(data, read, { before: { ...data, lanes: { [lane.id]: before } } });
  expect(laneOf(merged)).toEqual({ ...theirs, tip: turnId });
  const added = take(data, read, { before: { ...data, lanes: {} } });
  expect(added, 'a lane that was put back here').toBe(data);
  const removed = { ...data, lanes: {} };
  expect(take(removed, read, { before: data }), 'a lane that was removed here').toBe(removed);
});

describe('an answer that two tabs gave one turn at the same moment', () => {
  const run = (runId: string): Reply => ({ kind: 'run', runId });
  const written = (content: string): Reply => ({ kind: 'written', message: { role: 'assistant', content } });

  /** The replies of the turns after the other tab's was taken in, the oldest turn first. */
  function replies(mine: Reply | undefined, theirs: Reply | undefined): (Reply | undefined)[] {
    const { data, turnId } = opened();
    const withReply = (reply: Reply | undefined) =>
      changeTurn(data, turnId, ({ reply: _, ...turn }) => (reply ? { ...turn, reply } : turn));
    const next = withDisplacedAnswers(withReply(mine), withReply(theirs), anEnvironment(2e12));
    return Object.values(next.turns).map(({ reply }) => reply);
  }

  it('becomes a version beside the one that is stored', () => {
    expect(replies(run('mine'), run('theirs'))).toEqual([run('theirs'), run('mine')]);
    expect(replies(run('mine'), written('theirs'))).toEqual([written('theirs'), run('mine')]);
    expect(replies(written('mine'), run('theirs'))).toEqual([run('theirs'), written('mine')]);
  });

  it('is one answer where both have the same, where one of them edited it, and where it was taken away', () => {
    expect(replies(run('one'), run('one'))).toEqual([run('one')]);
    expect(replies(written('mine'), written('theirs'))).toEqual([written('theirs')]);
    expect(replies(run('mine'), undefined)).toEqual([undefined]);
    expect(replies(undefined, run('theirs'))).toEqual([run('theirs')]);
  });

  it('is let go of with its turn and with its lane', () => {
    const { data, turnId } = opened();
    const without = { ...data, turns: {} };
    expect(withDisplacedAnswers(data, without, anEnvironment())).toBe(without);
    const next = { ...changeTurn(data, turnId, (turn) => ({ ...turn, reply: run('theirs') })), lanes: {} };
    expect(withDisplacedAnswers(data, next, anEnvironment())).toBe(next);
  });
});
