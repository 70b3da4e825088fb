import { describe, expect, it } from 'vitest';

import { changeLane, setRun, removeTurns } from '../../conversation/session/edit-session.ts';
import { renameLane } from '../../conversation/session/lanes.ts';
import type { SessionData } from '../../conversation/session/types.ts';
import type { Write } from '../../storage/record-store.ts';
import {
  createTestEnvironment,
  createTextChoices,
  createTestSession,
  createTestTurn,
  createTestSetup,
  getFirstLane,
  addTestTurn,
} from '../../testing/builders.ts';
import type { Recorder } from '../runs/recorder.ts';
import { diffSession, startAutosave, buildSessionWrites } from './autosave.ts';
import { updateSession, createSessionStore } from './session-store.ts';

const summarizeWrites = (writes: readonly Write[]) =>
  writes.map((write) => `${write.store} ${'remove' in write ? 'removed' : 'put'}`);

describe('changes of a session', () => {
  it('writes exactly the records that are new, changed or removed', () => {
    const environment = createTestEnvironment();
    const empty = createTestSession(environment);
    const { data, turnId } = addTestTurn(empty, environment, 'One', createTextChoices('1'));
    expect(diffSession(empty, empty)).toEqual([]);
    expect(summarizeWrites(diffSession(empty, data)).toSorted()).toEqual([
      'lanes put',
      'prompts put',
      'runs put',
      'sessions put',
      'turns put',
    ]);
    const removed = removeTurns(data, [turnId]).data;
    expect(summarizeWrites(diffSession(data, removed)).toSorted()).toEqual([
      'lanes put',
      'prompts removed',
      'runs removed',
      'turns removed',
    ]);
  });

  it('writes tip, setup and name of a lane separately, and the whole lane once it has no tip or name', () => {
    const environment = createTestEnvironment();
    const empty = createTestSession(environment);
    const { data, turnId } = addTestTurn(empty, environment, 'One', createTextChoices('1'));
    const { id, tip } = getFirstLane(data);
    const setup = createTestSetup({ system: 'Typed' });
    const typed = changeLane(data, id, (lane) => ({ ...lane, setup }));
    const removed = removeTurns(data, [turnId]).data;
    const diffLanes = (before: SessionData, after: SessionData) =>
      diffSession(before, after).filter(({ store }) => store === 'lanes');
    expect(diffLanes(empty, data)).toEqual([{ store: 'lanes', change: { id, tip } }]);
    expect(diffLanes(data, typed)).toEqual([{ store: 'lanes', change: { id, setup } }]);
    expect(diffLanes(data, removed)).toEqual([{ store: 'lanes', put: getFirstLane(removed) }]);
    const named = renameLane(data, id, 'Terse');
    expect(diffLanes(data, named)).toEqual([{ store: 'lanes', change: { id, name: 'Terse' } }]);
    expect(diffLanes(named, data)).toEqual([{ store: 'lanes', put: getFirstLane(data) }]);
  });

  it('writes nothing for a session that was just opened', () => {
    expect(diffSession(undefined, createTestSession(createTestEnvironment()))).toEqual([]);
  });

  it('does not write a streaming run, whose tape is stored instead', () => {
    const environment = createTestEnvironment();
    const { data, runId } = createTestTurn(environment, 'One', {
      phase: { name: 'waiting' },
    });
    const run = data.runs[runId];
    if (!run) throw new Error('The run is missing');
    const streaming = { ...data, runs: { [runId]: { ...run, phase: { name: 'streaming' as const } } } };
    expect(diffSession(data, streaming)).toEqual([]);
    const stopped = { ...data, runs: { [runId]: { ...run, phase: { name: 'stopped' as const } } } };
    expect(summarizeWrites(diffSession(streaming, stopped))).toEqual(['runs put']);
  });

  it('writes all records of a session that is not stored yet', () => {
    const environment = createTestEnvironment();
    const { data } = createTestTurn(environment, 'One');
    expect(summarizeWrites(buildSessionWrites(data)).toSorted()).toEqual([
      'lanes put',
      'prompts put',
      'runs put',
      'sessions put',
      'turns put',
    ]);
  });

  it('passes changes of all open sessions to the recorder, with one key per record', () => {
    const store = createSessionStore();
    const writesByKey = new Map<string, Write>();
    const throwUnused = () => {
      throw new Error('Not used here');
    };
    const recorder: Pick<Recorder, 'put'> = { put: (key, write) => void writesByKey.set(key, write) };
    const stop = startAutosave(store, {
      append: throwUnused,
      dropTape: throwUnused,
      flush: throwUnused,
      problem: createUnused(),
      ...recorder,
    });
    const environment = createTestEnvironment();
    const [first, second] = [createTestSession(environment), createTestSession(environment)];
    store.setState({
      currentId: first.session.id,
      open: { [first.session.id]: first, [second.session.id]: second },
    });
    expect(writesByKey.size).toBe(0);
    updateSession(store, second.session.id, (data) => ({
      ...data,
      session: { ...data.session, title: 'Two' },
    }));
    updateSession(store, second.session.id, (data) => ({
      ...data,
      session: { ...data.session, title: 'Two again' },
    }));
    expect([...writesByKey]).toEqual([
      [
        `sessions ${second.session.id}`,
        { store: 'sessions', put: { ...second.session, title: 'Two again' } },
      ],
    ]);
    store.setState({ missingId: 'x' });
    store.setState({ open: { [first.session.id]: first } });
    expect(writesByKey.size).toBe(1);
    stop();
    updateSession(store, first.session.id, (data) => ({ ...data, lanes: { x: getFirstLane(data) } }));
    expect(writesByKey.size).toBe(1);
  });
});

it('stores added runs and removes deleted ones', () => {
  const { data } = addTestTurn(
    createTestSession(createTestEnvironment()),
    createTestEnvironment(9),
    'One',
    createTextChoices('1'),
  );
  const [run] = Object.values(data.runs);
  if (!run) throw new Error('The run is missing');
  const other = setRun({ ...data, runs: {} }, { ...run, id: 'other' });
  expect(diffSession(data, other)).toEqual([
    { store: 'runs', put: { ...run, id: 'other' } },
    { store: 'runs', remove: run.id },
  ]);
});

function createUnused(): Recorder['problem'] {
  const state = { message: undefined, isSlow: false };
  return {
    getState: () => state,
    getInitialState: () => state,
    setState: () => undefined,
    subscribe: () => () => undefined,
  };
}
