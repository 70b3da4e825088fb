import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { deleteDB, openDB } from 'idb';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { toStoredTurn } from '../conversation/session/session-schemas.ts';
import type { SessionData } from '../conversation/session/types.ts';
import type { TapeEntry } from '../gateway/stream/tape.ts';
import { getNumberProperty, getOwnProperty, getStringProperty } from '../lib/json.ts';
import { createTestEnvironment, createTextChoices, createTestTurn } from '../testing/builders.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { openRecordStore } from './db.ts';
import { createMemoryRecordStore } from './memory-record-store.ts';
import type { RecordStore, Write } from './record-store.ts';

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
});

const createEntries = (...texts: string[]): TapeEntry[] => texts.map((data, index) => ({ at: index, data }));
const createSegment = (runId: string, firstSeq: number, ...texts: string[]): Write => ({
  store: 'tapes',
  put: { runId, firstSeq, entries: createEntries(...texts) },
});
const createDraftWrite = (sessionId: string, text: string): Write => ({
  store: 'drafts',
  put: { sessionId, text },
});

/** Returns a session and the writes that store it. */
function createConversationWrites(): { data: SessionData; writes: Write[] } {
  const environment = createTestEnvironment();
  const { data } = createTestTurn(environment, 'One', createTextChoices('1'));
  const writes: Write[] = [
    { store: 'sessions', put: data.session },
    ...Object.values(data.lanes).map((put): Write => ({ store: 'lanes', put })),
    ...Object.values(data.prompts).map((put): Write => ({ store: 'prompts', put })),
    ...Object.values(data.turns).map((turn): Write => ({ store: 'turns', put: toStoredTurn(turn) })),
    ...Object.values(data.runs).map((put): Write => ({ store: 'runs', put })),
  ];
  return { data, writes };
}

/** Both kinds of store, which must behave in the same way. */
const kinds: [string, () => Promise<RecordStore>][] = [
  ['in the database', () => openRecordStore()],
  ['in memory', async () => createMemoryRecordStore()],
];

describe.each(kinds)('records %s', (_, openStore) => {
  it('returns records as they were written, by session', async () => {
    const records = await openStore();
    const { data, writes } = createConversationWrites();
    await records.write(writes, { strict: true });
    await records.write([
      { store: 'turns', put: { id: 'other', sessionId: 'other', laneId: 'l', seq: 1, promptId: 'p' } },
    ]);
    expect(await records.listSessions()).toEqual([data.session]);
    expect(await records.readSession(data.session.id)).toEqual({
      session: data.session,
      lanes: Object.values(data.lanes),
      prompts: Object.values(data.prompts),
      turns: Object.values(data.turns).map(toStoredTurn),
      runs: Object.values(data.runs),
    });
    expect(await records.readSession('none')).toBeUndefined();
    records.close();
  });

  it('replaces and removes records by ID', async () => {
    const records = await openStore();
    const { data, writes } = createConversationWrites();
    await records.write(writes);
    await records.write([{ store: 'sessions', put: { ...data.session, title: 'Renamed' } }]);
    expect(await records.listSessions()).toEqual([{ ...data.session, title: 'Renamed' }]);
    const runIds = Object.keys(data.runs);
    await records.write(runIds.map((remove): Write => ({ store: 'runs', remove })));
    expect((await records.readSession(data.session.id))?.runs).toEqual([]);
    expect((await records.readSession(data.session.id))?.turns).toHaveLength(1);
    records.close();
  });

  it('lists the records of one session by store in ID order, and its run IDs', async () => {
    const records = await openStore();
    const createPromptWrite = (id: string, sessionId = 's'): Write => ({
      store: 'prompts',
      put: { id, sessionId, seq: 0, createdAt: 0, messages: [] },
    });
    await records.write([
      createPromptWrite('c'),
      createPromptWrite('a'),
      createPromptWrite('other', 't'),
      createPromptWrite('b'),
    ]);
    expect(await records.listBySession('prompts', 's')).toMatchObject([
      { id: 'a' },
      { id: 'b' },
      { id: 'c' },
    ]);
    expect(await records.listBySession('turns', 's')).toEqual([]);
    const { data, writes } = createConversationWrites();
    await records.write(writes);
    expect(await records.listRunIds(data.session.id)).toEqual(Object.keys(data.runs));
    expect(await records.listRunIds('none')).toEqual([]);
    expect(await records.readSession('none')).toBeUndefined();
  });

  it('changes single fields of existing records and ignores missing ones', async () => {
    const records = await openStore();
    const { data, writes } = createConversationWrites();
    await records.write(writes);
    await records.write([
      { store: 'sessions', change: { id: data.session.id, title: 'Renamed' } },
      { store: 'sessions', change: { id: 'none', title: 'Nobody' } },
      createDraftWrite('s', 'beside it'),
    ]);
    expect(await records.listSessions()).toEqual([{ ...data.session, title: 'Renamed' }]);
    expect(await records.readRecord('drafts', 's')).toEqual({ sessionId: 's', text: 'beside it' });
  });

  it('orders cells by block and column, and removes marks one by one or all together', async () => {
    const records = await openStore();
    const createCellsWrite = (block: number, columnId: string, trialId = 't'): Write => ({
      store: 'cells',
      put: { trialId, block, columnId, cells: [] },
    });
    await records.write([
      createCellsWrite(1, 'a'),
      createCellsWrite(0, 'b'),
      createCellsWrite(0, 'a'),
      createCellsWrite(0, 'a', 't2'),
    ]);
    const formatBlockKeys = (items: unknown[]) =>
      items.map((item) => `${getNumberProperty(item, 'block')}${getStringProperty(item, 'columnId')}`);
    const first = await records.listByTrial('cells', 't', { limit: 1 });
    expect(formatBlockKeys(first)).toEqual(['0a']);
    expect(formatBlockKeys(await records.listByTrial('cells', 't', { limit: 9, after: first[0] }))).toEqual([
      '0b',
      '1a',
    ]);
    await records.write([{ store: 'cells', remove: 't' }]);
    expect(await records.listByTrial('cells', 't')).toEqual([]);
    expect(formatBlockKeys(await records.listByTrial('cells', 't2'))).toEqual(['0a']);

    const createCellKey = (caseId: string) => ({ caseId, columnId: 'a', repeat: 1 });
    const createMarkWrite = (caseId: string, trialId = 't'): Write => ({
      store: 'marks',
      put: { trialId, key: createCellKey(caseId), mark: 'right', at: 1 },
    });
    await records.write([
      createMarkWrite('one'),
      createMarkWrite('two'),
      createMarkWrite('three'),
      createMarkWrite('one', 't2'),
    ]);
    await records.write([
      createMarkWrite('two'),
      { store: 'marks', unmark: { trialId: 't', ...createCellKey('one') } },
    ]);
    expect((await records.listByTrial('marks', 't')).map((record) => getOwnProperty(record, 'key'))).toEqual([
      createCellKey('three'),
      createCellKey('two'),
    ]);
    await records.write([{ store: 'marks', remove: 't' }]);
    expect(await records.listByTrial('marks', 't')).toEqual([]);
    expect(await records.listByTrial('marks', 't2')).toHaveLength(1);
    records.close();
  });

  it('reads the records of one trial by block in parts, each continuing after the last', async () => {
    const records = await openStore();
    const createBlockWrite = (number: number, trialId = 't'): Write => ({
      store: 'cases',
      put: { trialId, block: number, cases: [] },
    });
    const blocks = [11, 2, 0, 100].map((number) => createBlockWrite(number));
    await records.write([...blocks, createBlockWrite(1, 't2'), createBlockWrite(3, 's')]);
    const listBlockNumbers = (items: unknown[]) => items.map((item) => getNumberProperty(item, 'block'));
    expect(listBlockNumbers(await records.listByTrial('cases', 't'))).toEqual([0, 2, 11, 100]);
    const first = await records.listByTrial('cases', 't', { limit: 2 });
    expect(listBlockNumbers(first)).toEqual([0, 2]);
    expect(listBlockNumbers(await records.listByTrial('cases', 't', { limit: 1, after: first[1] }))).toEqual([
      11,
    ]);
    expect(listBlockNumbers(await records.listByTrial('cases', 't', { limit: 9, after: first[1] }))).toEqual([
      11, 100,
    ]);
    expect(await records.listByTrial('cases', 'none')).toEqual([]);
    await records.write([{ store: 'cases', remove: 't' }]);
    expect(await records.listByTrial('cases', 't')).toEqual([]);
    expect(listBlockNumbers(await records.listByTrial('cases', 't2'))).toEqual([1]);
  });

  it('orders tape segments by sequence number, whatever order they were written in', async () => {
    const records = await openStore();
    await records.write([
      createSegment('b', 0, 'b0'),
      createSegment('a', 12, 'a12'),
      createSegment('a', 9, 'a9', 'a10', 'a11'),
    ]);
    await records.write([
      createSegment('ab', 0, 'ab0'),
      createSegment('a', 100, 'a100'),
      createSegment('a', 0, 'a0'),
    ]);
    const tape = await records.readTape('a');
    expect(tape.map((stored) => JSON.stringify(stored).match(/"firstSeq":(\d+)/)?.[1])).toEqual([
      '0',
      '9',
      '12',
      '100',
    ]);
    expect(await records.readTape('ab')).toHaveLength(1);
    expect(await records.readTape('none')).toEqual([]);
    await records.write([{ store: 'tapes', remove: 'a' }]);
    expect(await records.readTape('a')).toEqual([]);
    expect(await records.readTape('b')).toHaveLength(1);
    expect(await records.readTape('ab')).toHaveLength(1);
    records.close();
  });

  it('stores presets under their IDs and images under their hashes', async () => {
    const records = await openStore();
    const createPreset = (id: string) => ({ id, name: id.toUpperCase(), createdAt: 1, setup: {} });
    await records.write(['b', 'a'].map((id): Write => ({ store: 'presets', put: createPreset(id) })));
    await records.write(
      ['h2', 'h1'].map((hash): Write => ({ store: 'images', put: { hash, blob: new Blob([hash]) } })),
    );
    expect(await records.listPresets()).toHaveLength(2);
    expect(await records.readRecord('presets', 'b')).toEqual(createPreset('b'));
    expect(await records.listKeys('images')).toEqual(['h1', 'h2']);
    await records.write([
      { store: 'presets', remove: 'b' },
      { store: 'images', remove: 'h2' },
    ]);
    expect(await records.listPresets()).toEqual([createPreset('a')]);
    expect(await records.listKeys('images')).toEqual(['h1']);
    records.close();
  });

  it('stores one draft per session', async () => {
    const records = await openStore();
    await records.write([createDraftWrite('s', 'half')]);
    await records.write([createDraftWrite('s', 'half a'), createDraftWrite('t', 'x')]);
    expect(await records.readRecord('drafts', 's')).toEqual({ sessionId: 's', text: 'half a' });
    await records.write([{ store: 'drafts', remove: 's' }]);
    expect(await records.readRecord('drafts', 's')).toBeUndefined();
    expect(await records.readRecord('drafts', 't')).toBeDefined();
    records.close();
  });

  it('clears all records and can be used afterwards', async () => {
    const records = await openStore();
    const { data, writes } = createConversationWrites();
    await records.write([...writes, createSegment('r', 0, 'a'), createDraftWrite('s', 'x')]);
    await records.clear();
    expect(await records.listSessions()).toEqual([]);
    expect(await records.readSession(data.session.id)).toBeUndefined();
    expect(await records.readTape('r')).toEqual([]);
    expect(await records.readRecord('drafts', 's')).toBeUndefined();
    expect(await records.listKeys('runs')).toEqual([]);
    await records.write(writes);
    expect(await records.listSessions()).toEqual([data.session]);
    records.close();
  });

  it('stores a copy that later changes to the object do not affect', async () => {
    const records = await openStore();
    const put = { sessionId: 's', text: 'then' };
    await records.write([{ store: 'drafts', put }]);
    put.text = 'later';
    expect(await records.readRecord('drafts', 's')).toEqual({ sessionId: 's', text: 'then' });
    records.close();
  });
});

/** Closes the connection as a browser does when it deletes site data. */
function closeByBrowser(connection: unknown): void {
  if (!(connection instanceof IDBDatabase)) throw new Error('No connection was opened');
  connection.close();
}

describe('the record database', () => {
  it('keeps records after the page is closed', async () => {
    const firstStore = await openRecordStore();
    await firstStore.write([createDraftWrite('s', 'kept')]);
    firstStore.close();
    const secondStore = await openRecordStore();
    expect(secondStore.mode).toBe('durable');
    expect(await secondStore.readRecord('drafts', 's')).toEqual({ sessionId: 's', text: 'kept' });
    secondStore.close();
  });

  it('writes all records of one call or none if one of them cannot be stored', async () => {
    const records = await openRecordStore();
    const unstorable: Write = { store: 'tapes', put: { runId: 'r', firstSeq: Number.NaN, entries: [] } };
    await expect(
      records.write([createDraftWrite('s', 'one'), unstorable, createDraftWrite('t', 'two')]),
    ).rejects.toThrow('requirements');
    expect(await records.readRecord('drafts', 's')).toBeUndefined();
    expect(await records.readRecord('drafts', 't')).toBeUndefined();
    await records.write([createDraftWrite('s', 'one')]);
    expect(await records.readRecord('drafts', 's')).toBeDefined();
    records.close();
  });

  it('uses strict or relaxed durability as requested, with one transaction per call', async () => {
    const records = await openRecordStore();
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
    const commit = vi.spyOn(IDBTransaction.prototype, 'commit');
    await records.write(
      [createDraftWrite('s', 'a'), createSegment('r', 0, 'x'), createDraftWrite('t', 'b')],
      { strict: true },
    );
    await records.write([createDraftWrite('s', 'c')]);
    await records.write([]);
    expect(commit, 'committed at once, since the page may be closed').toHaveBeenCalledTimes(2);
    expect(transaction.mock.calls).toEqual([
      [['drafts', 'tapes'], 'readwrite', { durability: 'strict' }],
      [['drafts'], 'readwrite', { durability: 'relaxed' }],
    ]);
    records.close();
  });

  it('reconnects if the browser has closed the connection', async () => {
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
    const records = await openRecordStore();
    await records.write([createDraftWrite('s', 'before')]);
    closeByBrowser(transaction.mock.contexts[0]);
    await Promise.all([
      records.write([createSegment('r', 0, 'x')]),
      records.write([createDraftWrite('s', 'after')]),
    ]);
    expect(await records.readRecord('drafts', 's')).toEqual({ sessionId: 's', text: 'after' });
    expect(await records.readTape('r')).toHaveLength(1);
    expect(new Set(transaction.mock.contexts).size).toBe(2);
    records.close();
  });

  it('opens the database again after a failed attempt', async () => {
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
    const records = await openRecordStore();
    await records.write([createDraftWrite('s', 'before')]);
    closeByBrowser(transaction.mock.contexts[0]);
    (await openDB('refusing', 5)).close();
    const original = indexedDB.open.bind(indexedDB);
    const open = vi.spyOn(IDBFactory.prototype, 'open').mockImplementationOnce(() => original('refusing', 1));
    await expect(records.write([createDraftWrite('s', 'lost')])).rejects.toThrow('version');
    open.mockRestore();
    await records.write([createDraftWrite('s', 'after')]);
    expect(await records.readRecord('drafts', 's')).toEqual({ sessionId: 's', text: 'after' });
    records.close();
  });

  it('closes and reports an outdated connection when another tab upgrades the database', async () => {
    const onOutdated = vi.fn<() => void>();
    const records = await openRecordStore({ onOutdated });
    const newer = await openDB('bench', 99);
    expect(onOutdated).toHaveBeenCalledTimes(1);
    await expect(records.write([createDraftWrite('s', 'old')])).rejects.toThrow('version');
    newer.close();
  });

  it('reopens the database after it was closed', async () => {
    const records = await openRecordStore();
    await records.write([createDraftWrite('s', 'before')]);
    records.close();
    expect(await records.readRecord('drafts', 's')).toEqual({ sessionId: 's', text: 'before' });
    records.close();
    records.close();
  });

  it('closes for a newer version even without an onOutdated callback', async () => {
    const older = await openDB('bench', 1, {
      upgrade: (db) => void db.createObjectStore('drafts', { keyPath: 'sessionId' }),
    });
    let isBlocked = false;
    older.addEventListener('versionchange', () => (isBlocked = true));
    const opening = openRecordStore();
    await waitUntil(() => isBlocked);
    await new Promise(setImmediate);
    older.close();
    await opening;
    const newer = await openDB('bench', 99);
    expect(newer.version).toBe(99);
    newer.close();
  });

  it('reports a deletion once and does not affect other connections', async () => {
    const onDeleted = vi.fn<() => void>();
    const onOutdated = vi.fn<() => void>();
    const records = await openRecordStore({ onDeleted, onOutdated });
    expect(onDeleted).not.toHaveBeenCalled();
    await records.write([createDraftWrite('s', 'before')]);
    await deleteDB('bench');
    expect(onDeleted).toHaveBeenCalledTimes(1);
    await records.write([createDraftWrite('s', 'after')]);
    expect(onDeleted).toHaveBeenCalledTimes(1);
    expect(await records.readRecord('drafts', 's')).toEqual({ sessionId: 's', text: 'after' });
    await deleteDB('bench');
    expect(onDeleted).toHaveBeenCalledTimes(2);
    expect(onOutdated).not.toHaveBeenCalled();
    records.close();
  });

  it('reports that it is blocked by a tab with an older version, and opens afterwards', async () => {
    const older = await openDB('bench', 1, {
      upgrade: (db) => void db.createObjectStore('drafts', { keyPath: 'sessionId' }),
    });
    const onBlocked = vi.fn<() => void>();
    const opening = openRecordStore({ onBlocked });
    await waitUntil(() => onBlocked.mock.calls.length === 1);
    older.close();
    const records = await opening;
    expect(records.mode).toBe('durable');
    expect(onBlocked).toHaveBeenCalledTimes(1);
    records.close();
  });

  it('passes on errors that reconnecting cannot fix, without a second attempt', async () => {
    const records = await openRecordStore();
    const getSpy = vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(() => {
      throw new DOMException('no such thing', 'DataError');
    });
    await expect(records.readRecord('drafts', 's')).rejects.toThrow('no such thing');
    expect(getSpy).toHaveBeenCalledTimes(1);
    records.close();
  });

  it('rejects if the browser refuses to open the database', async () => {
    vi.spyOn(IDBFactory.prototype, 'open').mockImplementationOnce(() => {
      throw new DOMException('no storage here', 'SecurityError');
    });
    await expect(openRecordStore()).rejects.toThrow('no storage here');
    const records = await openRecordStore();
    expect(records.mode).toBe('durable');
    records.close();
  });
});
