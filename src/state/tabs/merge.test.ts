import { describe, expect, it } from 'vitest';

import { changeLane, changeTurn } from '../../conversation/session/edit.ts';
import type { Reply, SessionData } from '../../conversation/session/types.ts';
import { anEnvironment, answered, aSession, laneOf, say } from '../../testing/builders.ts';
import { createRecentStates, takeIn, withDisplacedAnswers, withOwnNews, type StoredRecord } from './merge.ts';

const nothingRecent = { of: () => [] };

function opened() {
  const environment = anEnvironment();
  const { data, runId, turnId } = say(aSession(environment), environment, 'One', answered('1'));
  return { data, runId, turnId };
}

const take = (now: SessionData, stored: StoredRecord[], { before = now, own = false } = {}) =>
  takeIn(now, before, stored, () => own, nothingRecent);

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
      ...changeLane(data, laneOf(data).id, (lane) => ({ ...lane, name: 'typed' })),
      session: { ...data.session, title: 'Typed meanwhile' },
    };
    const theirs: StoredRecord[] = [
      { store: 'lanes', key: laneOf(data).id, record: structuredClone(laneOf(data)) },
      { store: 'sessions', key: data.session.id, record: { ...data.session, title: 'Theirs' } },
    ];
    expect(take(now, theirs, { before })).toBe(now);
  });
});

const withModel = (data: SessionData, model: string) =>
  changeLane(data, laneOf(data).id, (lane) => ({ ...lane, setup: { ...lane.setup, model } }));

describe('what a tab itself had a moment ago', () => {
  it('is known for two seconds, the oldest first, of the records that changed only', () => {
    let time = 10_000;
    const recent = createRecentStates(() => time);
    const first = aSession(anEnvironment());
    const [second, third] = [withModel(first, 'second'), withModel(first, 'third')];
    const { id } = laneOf(first);
    recent.note(first, second);
    time += 1500;
    recent.note(second, third);
    expect(recent.of(id)).toEqual([laneOf(first), laneOf(second)]);
    expect(recent.of(first.session.id)).toEqual([]);
    time += 500;
    expect(recent.of(id)).toEqual([laneOf(second)]);
    const renamed = { ...third, session: { ...third.session, title: 'New' } };
    recent.note(third, renamed);
    time += 1999;
    expect(recent.of(id)).toEqual([]);
    expect(recent.of(first.session.id)).toEqual([first.session]);
  });
});

describe('what another tab wrote', () => {
  it('goes over what is here, but for the fields that it has as they were here a moment ago', () => {
    const mine = { title: 'Mine', order: ['a'], setup: { model: 'new', system: 'old' } };
    const recent = [{ title: 'First', order: ['a'], setup: { model: 'old', system: 'old' } }];
    const theirs = { title: 'Theirs', order: ['a', 'b'], setup: { model: 'old', system: 'new' } };
    expect(withOwnNews(mine, recent, theirs)).toEqual({
      title: 'Theirs',
      order: ['a', 'b'],
      setup: { model: 'new', system: 'new' },
    });
  });

  it('takes away what it has taken away, and leaves no empty field in its place', () => {
    expect(withOwnNews({ kept: 1, tip: 'a' }, [], { kept: 2 })).toStrictEqual({ kept: 2 });
  });

  it('does not take away what was added here a moment ago', () => {
    expect(withOwnNews({ kept: 1, tip: 'a' }, [{ kept: 1 }], { kept: 2 })).toStrictEqual({
      kept: 2,
      tip: 'a',
    });
  });
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

describe('votes that two tabs cast on one prompt at the same moment', () => {
  const vote = (winner: string, ...turnIds: string[]) => ({ turnIds, winner, at: 1 });
  const prompt = (...better: object[]) => ({ id: 'p', ...(better.length > 0 ? { better } : {}) });

  it('are kept where they compare other versions, and the other tab’s goes over where they compare the same', () => {
    const [ab, cd] = [vote('A', 'a', 'b'), vote('C', 'c', 'd')];
    expect(withOwnNews(prompt(ab), [prompt()], prompt(cd))).toEqual(prompt(ab, cd));
    const other = vote('B', 'a', 'b');
    expect(withOwnNews(prompt(ab), [], prompt(other))).toEqual(prompt(other));
  });

  it('stay where the other tab had not heard of them, and go where it took them back', () => {
    const ab = vote('A', 'a', 'b');
    expect(withOwnNews(prompt(ab), [prompt()], prompt())).toEqual(prompt(ab));
    expect(withOwnNews(prompt(ab), [], prompt())).toStrictEqual(prompt());
    expect(withOwnNews(prompt(), [prompt(ab)], prompt(ab)), 'taken back here').toStrictEqual(prompt());
    expect(withOwnNews(prompt(), [], prompt(ab))).toEqual(prompt(ab));
  });
});
