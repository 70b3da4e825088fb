import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { DatabaseEvents } from '../storage/db.ts';
import { memoryRecordStore } from '../storage/memory-store.ts';
import type { RecordStore } from '../storage/record-store.ts';
import { anAnsweredRun } from '../testing/trials.ts';
import { openStorage } from './storage.ts';

it('what is written in the very moment in which the database opens is in it', async () => {
  const database: RecordStore = { ...memoryRecordStore(), mode: 'durable' };
  let open: (store: RecordStore) => void = () => undefined;
  const storage = openStorage(() => new Promise((resolve) => (open = resolve)));
  const draft = (sessionId: string) => ({ store: 'drafts' as const, put: { sessionId, text: sessionId } });
  const writing = [storage.records.write([draft('before')])];
  open(database);
  for (let turn = 0; turn < 12; turn += 1) {
    writing.push(storage.records.write([draft(`turn ${turn}`)]));
    await Promise.resolve();
  }
  await Promise.all([...writing, storage.usable]);
  expect((await database.keys('drafts')).toSorted()).toEqual(
    ['before', ...Array.from({ length: 12 }, (_, turn) => `turn ${turn}`)].toSorted(),
  );
});

const draftOf = (sessionId: string) => ({ store: 'drafts' as const, put: { sessionId, text: sessionId } });

function aLateDatabase(mode: RecordStore['mode'] = 'durable') {
  const memory = memoryRecordStore();
  let tries = 0;
  let isFull = false;
  const database: RecordStore = {
    ...memory,
    mode,
    write: async (...asked) => {
      tries += 1;
      if (isFull) throw new DOMException('', 'QuotaExceededError');
      await memory.write(...asked);
    },
  };
  let open: () => void = () => undefined;
  const storage = openStorage(() => new Promise((resolve) => (open = () => resolve(database))));
  const setFull = (full: boolean) => {
    isFull = full;
  };
  return { storage, database, open: () => open(), setFull, tries: () => tries };
}

describe('what waits for a database', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is given to it again every two seconds where it is full, until it takes it', async () => {
    const { storage, database, open, setFull, tries } = aLateDatabase();
    await storage.records.write([draftOf('a')]);
    setFull(true);
    open();
    await storage.usable;
    expect(storage.state.getState().mode).toBe('durable');
    await vi.advanceTimersByTimeAsync(1000);
    expect(tries()).toBe(2);
    await vi.advanceTimersByTimeAsync(2000);
    expect(tries()).toBe(3);
    setFull(false);
    await vi.advanceTimersByTimeAsync(2000);
    expect(await database.keys('drafts')).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(tries()).toBe(4);
  });

  it('is given once to one that is never written, and stays in the tab', async () => {
    const { storage, open, setFull, tries } = aLateDatabase('read-only');
    await storage.records.write([draftOf('a')]);
    setFull(true);
    open();
    await storage.usable;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(tries()).toBe(1);
    expect(storage.records.mode).toBe('read-only');
    expect(await storage.records.keys('drafts')).toEqual(['a']);
  });

  it('is listed with what the database has, each once and in order, and is found by its name', async () => {
    const { storage, database, open, setFull } = aLateDatabase();
    await database.write([draftOf('b'), draftOf('d')]);
    await storage.records.write([draftOf('c'), draftOf('b')]);
    expect(storage.records.mode).toBe('memory');
    setFull(true);
    open();
    await storage.usable;
    const { records } = storage;
    expect((await records.keys('drafts')).toSorted()).toEqual(['b', 'c', 'd']);
    expect(await records.scan('drafts', 2)).toEqual([draftOf('b').put, draftOf('c').put]);
    expect(await records.scan('drafts', 2, 'c')).toEqual([draftOf('d').put]);
    expect(await records.record('drafts', 'c')).toEqual(draftOf('c').put);
    expect(await records.record('drafts', 'd')).toEqual(draftOf('d').put);
    expect(await records.record('drafts', 'd')).toEqual(draftOf('d').put);
    expect(await records.tape('none')).toEqual([]);
  });

  it('is found whole by the name of its session while the database does not open', async () => {
    const { storage } = aLateDatabase();
    const { records } = storage;
    const session = { id: 's', title: 'S', createdAt: 1, updatedAt: 1, laneIds: [] };
    const prompt = { id: 'p', sessionId: 's', seq: 0, createdAt: 0, messages: [] };
    const run = anAnsweredRun('Yes', { id: 'r', sessionId: 's' });
    await records.write([
      { store: 'sessions', put: session },
      { store: 'prompts', put: prompt },
      { store: 'runs', put: run },
    ]);
    expect(await records.ofSession('prompts', 's')).toEqual([prompt]);
    expect(await records.ofSession('turns', 's')).toEqual([]);
    expect(await records.runIdsOf('s')).toEqual(['r']);
    expect(await records.session('s')).toMatchObject({ session, prompts: [prompt], runs: [run] });
    expect(await records.tape('r')).toEqual([]);
  });

  it('is gone when all is cleared, and does not come back with the next write', async () => {
    const { storage, database, open, setFull } = aLateDatabase();
    await storage.records.write([draftOf('a')]);
    setFull(true);
    open();
    await storage.usable;
    setFull(false);
    await storage.records.clear();
    expect(await storage.records.keys('drafts')).toEqual([]);
    await storage.records.write([draftOf('b')]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await database.keys('drafts')).toEqual(['b']);
  });

  it('keeps nobody waiting for more than three seconds, and a database that is closed unasked is closed', async () => {
    const { storage, database, open } = aLateDatabase();
    let isUsable = false;
    void storage.usable.then(() => (isUsable = true));
    await vi.advanceTimersByTimeAsync(2999);
    expect(isUsable).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isUsable).toBe(true);
    expect(storage.state.getState()).toMatchObject({ mode: 'opening', isBlocked: false, isOutdated: false });
    const close = vi.spyOn(database, 'close');
    storage.records.close();
    expect(close).not.toHaveBeenCalled();
    open();
    await vi.advanceTimersByTimeAsync(0);
    expect(close).toHaveBeenCalledTimes(1);
  });
});

describe('what the database says of itself', () => {
  it('is known to the page: that it waits, that it is wanted by a newer Bench, that all was deleted', async () => {
    let events: DatabaseEvents = {};
    let open: () => void = () => undefined;
    const { state, usable } = openStorage((given) => {
      events = given;
      return new Promise((resolve) => (open = () => resolve(memoryRecordStore())));
    });
    events.onBlocked?.();
    expect(state.getState()).toMatchObject({ mode: 'opening', isBlocked: true });
    open();
    await usable;
    expect(state.getState()).toMatchObject({ mode: 'memory', isBlocked: false, deletions: 0 });
    events.onDeleted?.();
    events.onDeleted?.();
    expect(state.getState().deletions).toBe(2);
    const lastWrites = Promise.resolve();
    state.setState({ lastWrites });
    expect(events.onOutdated?.()).toBe(lastWrites);
    expect(state.getState().isOutdated).toBe(true);
  });
});
