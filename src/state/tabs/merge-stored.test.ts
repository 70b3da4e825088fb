import { describe, expect, it } from 'vitest';

import { changeLane, changeTurn } from '../../conversation/session/edit-session.ts';
import { renameLane } from '../../conversation/session/lanes.ts';
import type { Reply, SessionData } from '../../conversation/session/types.ts';
import {
  createTestEnvironment,
  createTextChoices,
  createTestTurn,
  getFirstLane,
} from '../../testing/builders.ts';
import { mergeStored, keepDisplacedReplies, type StoredRecord } from './merge-stored.ts';

function createOpenSession() {
  const environment = createTestEnvironment();
  const { data, runId, turnId } = createTestTurn(environment, 'One', createTextChoices('1'));
  return { data, runId, turnId };
}

const mergeRecords = (current: SessionData, stored: StoredRecord[], { before = current, own = false } = {}) =>
  mergeStored(current, before, stored, () => own);

describe('merging records from another tab', () => {
  it('returns the same session for known or unreadable records', () => {
    const { data, runId, turnId } = createOpenSession();
    const lane = getFirstLane(data);
    const knownRecords: StoredRecord[] = [
      { store: 'sessions', key: data.session.id, record: structuredClone(data.session) },
      { store: 'lanes', key: lane.id, record: structuredClone(lane) },
      { store: 'runs', key: runId, record: structuredClone(data.runs[runId]) },
    ];
    expect(mergeRecords(data, knownRecords)).toBe(data);
    const unreadable: StoredRecord[] = [
      { store: 'sessions', key: data.session.id, record: { ...data.session, title: 7 } },
      { store: 'turns', key: turnId, record: { id: turnId } },
      { store: 'runs', key: 'gone', record: undefined },
      // A record of another session that was written at the same time.
      { store: 'turns', key: 'other', record: { ...data.turns[turnId], id: 'other', sessionId: 'other' } },
    ];
    expect(mergeRecords(data, unreadable)).toBe(data);
  });

  it('replaces changed records and removes deleted ones', () => {
    const { data, runId } = createOpenSession();
    const run = data.runs[runId];
    const changed = { ...run, choices: createTextChoices('better').choices };
    expect(mergeRecords(data, [{ store: 'runs', key: runId, record: changed }]).runs[runId]).toEqual(changed);
    expect(mergeRecords(data, [{ store: 'runs', key: runId, record: undefined }]).runs).toEqual({});
    const renamed = { ...data.session, title: 'Theirs' };
    const merged = mergeRecords(data, [{ store: 'sessions', key: data.session.id, record: renamed }]);
    expect(merged.session.title).toBe('Theirs');
    expect(merged.lanes).toEqual(data.lanes);
  });

  it('keeps runs streamed by this tab and changes made during the read', () => {
    const { data, runId } = createOpenSession();
    const removals: StoredRecord[] = [{ store: 'runs', key: runId, record: undefined }];
    expect(mergeRecords(data, removals, { own: true })).toBe(data);
    const before = data;
    const current = {
      ...changeLane(data, getFirstLane(data).id, (lane) => ({
        ...lane,
        setup: { ...lane.setup, system: 'Typed' },
      })),
      session: { ...data.session, title: 'Typed meanwhile' },
    };
    const remoteRecords: StoredRecord[] = [
      { store: 'lanes', key: getFirstLane(data).id, record: structuredClone(getFirstLane(data)) },
      { store: 'sessions', key: data.session.id, record: { ...data.session, title: 'Theirs' } },
    ];
    expect(mergeRecords(current, remoteRecords, { before })).toBe(current);
  });
});

it("keeps a tip changed in this tab while the other tab's setup was read", () => {
  const { data, turnId } = createOpenSession();
  const lane = getFirstLane(data);
  const { tip: _, ...before } = lane;
  const theirs = { ...before, setup: { ...lane.setup, system: 'Typed' } };
  const storedRecords: StoredRecord[] = [{ store: 'lanes', key: lane.id, record: theirs }];
  const merged = mergeRecords(data, storedRecords, { before: { ...data, lanes: { [lane.id]: before } } });
  expect(getFirstLane(merged)).toEqual({ ...theirs, tip: turnId });
  const added = mergeRecords(data, storedRecords, { before: { ...data, lanes: {} } });
  expect(added, 'a lane restored in this tab').toBe(data);
  const removed = { ...data, lanes: {} };
  expect(mergeRecords(removed, storedRecords, { before: data }), 'a lane removed in this tab').toBe(removed);
});

it("merges the name given in another tab with this tab's setup, also if it was removed", () => {
  const { data } = createOpenSession();
  const { id } = getFirstLane(data);
  const mergeName = (name: string, own: string, theirs: string) => {
    const before = renameLane(data, id, name);
    const withSetup = changeLane(before, id, (lane) => ({
      ...lane,
      setup: { ...lane.setup, system: 'Typed' },
    }));
    const record = getFirstLane(renameLane(before, id, theirs));
    return getFirstLane(
      mergeRecords(renameLane(withSetup, id, own), [{ store: 'lanes', key: id, record }], { before }),
    );
  };
  expect(mergeName('', '', 'Theirs')).toMatchObject({ name: 'Theirs', setup: { system: 'Typed' } });
  expect(mergeName('Old', 'Mine', 'Theirs').name).toBe('Mine');
  expect(mergeName('Old', 'Old', '')).not.toHaveProperty('name');
});

describe('two replies to one turn at the same moment', () => {
  const createRunReply = (runId: string): Reply => ({ kind: 'run', runId });
  const createWrittenReply = (content: string): Reply => ({
    kind: 'written',
    message: { role: 'assistant', content },
  });

  /** Returns the replies of all turns after merging the other tab's reply, oldest turn first. */
  function mergeReplies(mine: Reply | undefined, theirs: Reply | undefined): (Reply | undefined)[] {
    const { data, turnId } = createOpenSession();
    const withReply = (reply: Reply | undefined) =>
      changeTurn(data, turnId, ({ reply: _, ...turn }) => (reply ? { ...turn, reply } : turn));
    const next = keepDisplacedReplies(withReply(mine), withReply(theirs), createTestEnvironment(2e12));
    return Object.values(next.turns).map(({ reply }) => reply);
  }

  it("adds this tab's reply as a version beside the stored one", () => {
    expect(mergeReplies(createRunReply('mine'), createRunReply('theirs'))).toEqual([
      createRunReply('theirs'),
      createRunReply('mine'),
    ]);
    expect(mergeReplies(createRunReply('mine'), createWrittenReply('theirs'))).toEqual([
      createWrittenReply('theirs'),
      createRunReply('mine'),
    ]);
    expect(mergeReplies(createWrittenReply('mine'), createRunReply('theirs'))).toEqual([
      createRunReply('theirs'),
      createWrittenReply('mine'),
    ]);
  });

  it('adds no version if both replies are equal, both were edited or one was removed', () => {
    expect(mergeReplies(createRunReply('one'), createRunReply('one'))).toEqual([createRunReply('one')]);
    expect(mergeReplies(createWrittenReply('mine'), createWrittenReply('theirs'))).toEqual([
      createWrittenReply('theirs'),
    ]);
    expect(mergeReplies(createRunReply('mine'), undefined)).toEqual([undefined]);
    expect(mergeReplies(undefined, createRunReply('theirs'))).toEqual([createRunReply('theirs')]);
  });

  it('drops the local reply if its turn or its lane was removed', () => {
    const { data, turnId } = createOpenSession();
    const withoutTurns = { ...data, turns: {} };
    expect(keepDisplacedReplies(data, withoutTurns, createTestEnvironment())).toBe(withoutTurns);
    const next = {
      ...changeTurn(data, turnId, (turn) => ({ ...turn, reply: createRunReply('theirs') })),
      lanes: {},
    };
    expect(keepDisplacedReplies(data, next, createTestEnvironment())).toBe(next);
  });
});
