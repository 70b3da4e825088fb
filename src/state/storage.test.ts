import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { DatabaseEvents } from '../storage/db.ts';
import { createMemoryRecordStore } from '../storage/memory-record-store.ts';
import type { RecordStore } from '../storage/record-store.ts';
import { createAnsweredRun } from '../testing/trials.ts';
import { openStorage } from './storage.ts';

it('stores records written at the moment when the database opens', async () => {
  const database: RecordStore = { ...createMemoryRecordStore(), mode: 'durable' };
  let open: (store: RecordStore) => void = () => undefined;
  const storage = openStorage(() => new Promise((resolve) => (open = resolve)));
  const createWrite = (sessionId: string) => ({
    store: 'drafts' as const,
    put: { sessionId, text: sessionId },
  });
  const writing = [storage.records.write([createWrite('before')])];
  open(database);
  for (let turn = 0; turn < 12; turn += 1) {
    writing.push(storage.records.write([createWrite(`turn ${turn}`)]));
    await Promise.resolve();
  }
  await Promise.all([...writing, storage.whenUsable]);
  expect((await database.listKeys('drafts')).toSorted()).toEqual(
    ['before', ...Array.from({ length: 12 }, (_, turn) => `turn ${turn}`)].toSorted(),
  );
});

const createDraftWrite = (sessionId: string) => ({
  store: 'drafts' as const,
  put: { sessionId, text: sessionId },
});

function createLateDatabase(mode: RecordStore['mode'] = 'durable') {
  const memory = createMemoryRecordStore();
  let tryCount = 0;
  let isFull = false;
  const database: RecordStore = {
    ...memory,
    mode,
    write: async (...args) => {
      tryCount += 1;
      if (isFull) throw new DOMException('', 'QuotaExceededError');
      await memory.write(...args);
    },
  };
  let open: () => void = () => undefined;
  const storage = openStorage(() => new Promise((resolve) => (open = () => resolve(database))));
  const setFull = (full: boolean) => {
    isFull = full;
  };
  return { storage, database, open: () => open(), setFull, getTryCount: () => tryCount };
}

describe('records waiting for the database', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('retries every two seconds while the database is full', async () => {
    const { storage, database, open, setFull, getTryCount } = createLateDatabase();
    await storage.records.write([createDraftWrite('a')]);
    setFull(true);
    open();
    await storage.whenUsable;
    expect(storage.state.getState().mode).toBe('durable');
    await vi.advanceTimersByTimeAsync(1000);
    expect(getTryCount()).toBe(2);
    await vi.advanceTimersByTimeAsync(2000);
    expect(getTryCount()).toBe(3);
    setFull(false);
    await vi.advanceTimersByTimeAsync(2000);
    expect(await database.listKeys('drafts')).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(getTryCount()).toBe(4);
  });

  it('tries a read-only database once and keeps the records in the tab', async () => {
    const { storage, open, setFull, getTryCount } = createLateDatabase('read-only');
    await storage.records.write([createDraftWrite('a')]);
    setFull(true);
    open();
    await storage.whenUsable;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(getTryCount()).toBe(1);
    expect(storage.records.mode).toBe('read-only');
    expect(await storage.records.listKeys('drafts')).toEqual(['a']);
  });

  it('lists each waiting or stored record once, in order, and finds it by key', async () => {
    const { storage, database, open, setFull } = createLateDatabase();
    await database.write([createDraftWrite('b'), createDraftWrite('d')]);
    await storage.records.write([createDraftWrite('c'), createDraftWrite('b')]);
    expect(storage.records.mode).toBe('memory');
    setFull(true);
    open();
    await storage.whenUsable;
    const { records } = storage;
    expect((await records.listKeys('drafts')).toSorted()).toEqual(['b', 'c', 'd']);
    expect(await records.scan('drafts', 2)).toEqual([createDraftWrite('b').put, createDraftWrite('c').put]);
    expect(await records.scan('drafts', 2, 'c')).toEqual([createDraftWrite('d').put]);
    expect(await records.readRecord('drafts', 'c')).toEqual(createDraftWrite('c').put);
    expect(await records.readRecord('drafts', 'd')).toEqual(createDraftWrite('d').put);
    expect(await records.readRecord('drafts', 'd')).toEqual(createDraftWrite('d').put);
    expect(await records.readTape('none')).toEqual([]);
  });

  it('finds all records of a waiting session while the database is not open', async () => {
    const { storage } = createLateDatabase();
    const { records } = storage;
    const session = { id: 's', title: 'S', createdAt: 1, updatedAt: 1, laneIds: [] };
    const prompt = { id: 'p', sessionId: 's', seq: 0, createdAt: 0, messages: [] };
    const run = createAnsweredRun('Yes', { id: 'r', sessionId: 's' });
    await records.write([
      { store: 'sessions', put: session },
      { store: 'prompts', put: prompt },
      { store: 'runs', put: run },
    ]);
    expect(await records.listBySession('prompts', 's')).toEqual([prompt]);
    expect(await records.listBySession('turns', 's')).toEqual([]);
    expect(await records.listRunIds('s')).toEqual(['r']);
    expect(await records.readSession('s')).toMatchObject({ session, prompts: [prompt], runs: [run] });
    expect(await records.readTape('r')).toEqual([]);
  });

  it('clears waiting records, so that the next write does not store them', async () => {
    const { storage, database, open, setFull } = createLateDatabase();
    await storage.records.write([createDraftWrite('a')]);
    setFull(true);
    open();
    await storage.whenUsable;
    setFull(false);
    await storage.records.clear();
    expect(await storage.records.listKeys('drafts')).toEqual([]);
    await storage.records.write([createDraftWrite('b')]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await database.listKeys('drafts')).toEqual(['b']);
  });

  it('becomes usable after three seconds, and closes a database that opens after the store was closed', async () => {
    const { storage, database, open } = createLateDatabase();
    let isUsable = false;
    void storage.whenUsable.then(() => (isUsable = true));
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

describe('events of the database', () => {
  it('reports a blocked, outdated or deleted database', async () => {
    let events: DatabaseEvents = {};
    let open: () => void = () => undefined;
    const { state, whenUsable } = openStorage((passedEvents) => {
      events = passedEvents;
      return new Promise((resolve) => (open = () => resolve(createMemoryRecordStore())));
    });
    events.onBlocked?.();
    expect(state.getState()).toMatchObject({ mode: 'opening', isBlocked: true });
    open();
    await whenUsable;
    expect(state.getState()).toMatchObject({ mode: 'memory', isBlocked: false, deletionCount: 0 });
    events.onDeleted?.();
    events.onDeleted?.();
    expect(state.getState().deletionCount).toBe(2);
    const lastWrites = Promise.resolve();
    state.setState({ lastWrites });
    expect(events.onOutdated?.()).toBe(lastWrites);
    expect(state.getState().isOutdated).toBe(true);
  });
});
