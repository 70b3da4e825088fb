import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { openDB } from 'idb';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { migrateDraftParts } from '../conversation/session/draft.ts';
import { readRun } from '../conversation/session/read-session.ts';
import { listEarlierStores, listEarlierVectorStores } from './__fixtures__/earlier-records.ts';
import { openRecordStore } from './db.ts';
import { createMemoryRecordStore } from './memory-record-store.ts';
import type { RecordStore, Write } from './record-store.ts';
import { openVectorStore } from './vector-db.ts';

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
});

const createSessionRecord = (id: string) => ({ id, title: id, createdAt: 1, updatedAt: 1, laneIds: [] });

/** Opens the database with the stores of an earlier version. */
function openEarlierVersion(version: number) {
  return openDB('bench', version, {
    upgrade(db) {
      for (const name of ['sessions', 'lanes', 'prompts', 'turns', 'runs']) {
        const store = db.createObjectStore(name, { keyPath: 'id' });
        if (name !== 'sessions') store.createIndex('sessionId', 'sessionId');
      }
      db.createObjectStore('tapes', { keyPath: ['runId', 'firstSeq'] });
      db.createObjectStore('drafts', { keyPath: 'sessionId' });
      if (version > 1) {
        db.createObjectStore('presets', { keyPath: 'id' });
        db.createObjectStore('images', { keyPath: 'hash' });
      }
      if (version > 2) db.createObjectStore('learned', { keyPath: 'id' });
      if (version > 3) {
        db.createObjectStore('trials', { keyPath: 'id' });
        db.createObjectStore('cases', { keyPath: ['trialId', 'block'] });
        db.createObjectStore('cells', { keyPath: ['trialId', 'block', 'columnId'] });
        db.createObjectStore('marks', {
          keyPath: ['trialId', 'key.caseId', 'key.columnId', 'key.repeat'],
        });
        db.createObjectStore('ballots', { keyPath: 'id' }).createIndex('trialId', 'trialId');
      }
    },
  });
}

/** Creates the database of the first version of Bench with one record per store. */
async function createFirstVersion(): Promise<void> {
  const db = await openEarlierVersion(1);
  await db.put('sessions', createSessionRecord('old'));
  await db.put('runs', { id: 'r', sessionId: 'old' });
  for (const [part, text] of [
    ['', 'half'],
    [' pasted', '["long"]'],
    [' edits', '{"cut'],
  ] as const)
    await db.put('drafts', { sessionId: `old${part}`, text });
  db.close();
}

describe('a database of the first version', () => {
  it('upgrades the database to the current version and keeps all records', async () => {
    await createFirstVersion();
    const records = await openRecordStore();
    expect(records.mode).toBe('durable');
    expect(await records.listSessions()).toEqual([createSessionRecord('old')]);
    expect((await records.readSession('old'))?.runs).toEqual([{ id: 'r', sessionId: 'old' }]);
    const preset: Write = { store: 'presets', put: { id: 'p', name: 'P', createdAt: 1, setup: {} } };
    await records.write([preset]);
    expect(await records.listPresets()).toEqual(['put' in preset ? preset.put : undefined]);
    expect(await records.listKeys('images')).toEqual([]);
    expect(await records.scan('drafts', 9)).toEqual([
      { sessionId: 'old', text: 'half', edits: '{"cut' },
      { sessionId: 'old pasted', pasted: ['long'] },
    ]);
    records.close();
  });

  it('keeps the old database if the upgrade fails, and upgrades it on the next open', async () => {
    await createFirstVersion();
    const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(() => {
      throw new DOMException('no room', 'QuotaExceededError');
    });
    await expect(openRecordStore()).rejects.toThrow('aborted');
    put.mockRestore();
    const unchanged = await openDB('bench');
    expect(unchanged.version).toBe(1);
    expect(await unchanged.getAllKeys('drafts')).toEqual(['old', 'old edits', 'old pasted']);
    unchanged.close();
    const records = await openRecordStore();
    expect(await records.listKeys('drafts')).toEqual(['old', 'old pasted']);
    records.close();
  });

  it('opens the new version without waiting for a tab that has closed the old one', async () => {
    await createFirstVersion();
    const onOutdated = vi.fn<() => void>();
    (await openRecordStore({ onOutdated })).close();
    const blocked = vi.fn<() => void>();
    (await openDB('bench', 10, { blocked })).close();
    expect(blocked).not.toHaveBeenCalled();
    expect(onOutdated).not.toHaveBeenCalled();
  });

  it('closes an outdated connection and notifies its tab', async () => {
    await createFirstVersion();
    const onOutdated = vi.fn<() => void>();
    const olderStore = await openRecordStore({ onOutdated });
    const newer = await openDB('bench', 11);
    expect(onOutdated).toHaveBeenCalledTimes(1);
    newer.close();
    olderStore.close();
  });
});

/** Statuses of the runs in the fixture, in the order of their IDs. */
const storedStatuses = [
  ...Array.from({ length: 10 }, () => 'complete'),
  'stopped',
  'failed',
  'complete',
  'truncated',
  'waiting',
  'waiting',
];

describe('real records of earlier builds', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
    'keeps all records when a database of version %i is opened',
    async (version) => {
      const stores = listEarlierStores(version);
      const earlierDatabase = await openEarlierVersion(version);
      for (const { name, records } of stores)
        for (const record of records) await earlierDatabase.put(name, record);
      earlierDatabase.close();
      const current = await openRecordStore();
      expect(current.mode).toBe('durable');
      current.close();
      const database = await openDB('bench');
      expect([...database.objectStoreNames]).toHaveLength(15);
      for (const { name, records } of stores) {
        const expected = name === 'drafts' && version < 3 ? migrateDraftParts(records) : records;
        expect(await database.getAll(name), name).toEqual(expected);
      }
      const statuses = (await database.getAll('runs')).map((record) => readRun(record)?.phase.name);
      expect(statuses).toEqual(storedStatuses);
      database.close();
    },
  );

  it('reads all vectors and notes of an earlier build', async () => {
    const stores = listEarlierVectorStores();
    const earlierDatabase = await openDB('bench-vectors', 1, {
      upgrade(db) {
        db.createObjectStore('vectors', { keyPath: 'key' });
        db.createObjectStore('notes', { keyPath: 'id' });
      },
    });
    for (const { name, records } of stores)
      for (const record of records) await earlierDatabase.put(name, record);
    earlierDatabase.close();
    const vectors = stores.find(({ name }) => name === 'vectors')?.records ?? [];
    const current = await openVectorStore();
    expect(vectors).toHaveLength(8);
    expect(await current.get(vectors.map(({ key }) => String(key)))).toEqual(vectors);
  });
});

describe('a database of a later version', () => {
  it('opens a newer database read-only and rejects writes', async () => {
    await createFirstVersion();
    (await openDB('bench', 11)).close();
    const records = await openRecordStore();
    expect(records.mode).toBe('read-only');
    expect(await records.listSessions()).toEqual([createSessionRecord('old')]);
    await expect(records.write([{ store: 'sessions', put: createSessionRecord('new') }])).rejects.toThrow(
      'saved by a newer version of Bench',
    );
    expect(await records.listKeys('sessions')).toEqual(['old']);
    records.close();
  });
});

const kinds: [string, () => Promise<RecordStore>][] = [
  ['in the database', () => openRecordStore()],
  ['in memory', async () => createMemoryRecordStore()],
];

describe.each(kinds)('scans of all records %s', (_, openStore) => {
  it('scans records in slices by key without missing any', async () => {
    const records = await openStore();
    await records.write(
      ['c', 'a', 'e', 'b', 'd'].map((id): Write => ({ store: 'sessions', put: createSessionRecord(id) })),
    );
    const joinIds = (slice: unknown[]) => slice.map((record) => JSON.stringify(record).slice(7, 8)).join('');
    expect(joinIds(await records.scan('sessions', 2))).toBe('ab');
    expect(joinIds(await records.scan('sessions', 2, 'b'))).toBe('cd');
    expect(joinIds(await records.scan('sessions', 2, 'd'))).toBe('e');
    expect(await records.scan('sessions', 2, 'e')).toEqual([]);
    expect(await records.listKeys('sessions')).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(await records.readRecord('sessions', 'c')).toEqual(createSessionRecord('c'));
    expect(await records.readRecord('sessions', 'none')).toBeUndefined();
    records.close();
  });

  it('returns a tape from a given entry onwards', async () => {
    const records = await openStore();
    const createSegment = (firstSeq: number): Write => ({
      store: 'tapes',
      put: { runId: 'r', firstSeq, entries: [{ at: firstSeq, data: 'x' }] },
    });
    await records.write([createSegment(0), createSegment(4), createSegment(9)]);
    expect(await records.readTape('r', 4)).toHaveLength(2);
    expect(await records.readTape('r', 5)).toHaveLength(1);
    expect(await records.readTape('r')).toHaveLength(3);
    expect(await records.readTape('r', 0, 2)).toEqual((await records.readTape('r')).slice(0, 2));
    records.close();
  });
});
