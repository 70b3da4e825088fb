/**
 * Storage that works before the database has opened: records created until then are kept in memory and stored later.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { DatabaseEvents } from '../storage/db.ts';
import { getRecordKey, createMemoryRecordStore } from '../storage/memory-record-store.ts';
import type { RecordStore, Write } from '../storage/record-store.ts';

export interface StorageState {
  /** `opening`: the database has not opened yet, so records are kept in memory. */
  mode: RecordStore['mode'] | 'opening';
  /** True if another tab has an older version of the database open, so it cannot open here. */
  isBlocked: boolean;
  /** True if a newer Bench in another tab takes over the database. */
  isOutdated: boolean;
  /** Last writes of this tab before it releases the database; set once `isOutdated` is true. */
  lastWrites?: Promise<void>;
  /** Number of times that all stored data was deleted by another tab or the browser. */
  deletionCount: number;
}

export type StorageStore = StoreApi<StorageState>;

export function createStorageState(mode: StorageState['mode']): StorageStore {
  return createStore<StorageState>(() => ({ mode, isBlocked: false, isOutdated: false, deletionCount: 0 }));
}

export interface BrowserStorage {
  records: RecordStore;
  state: StorageStore;
  /** Resolves when the database has opened or failed, or after three seconds. */
  whenUsable: Promise<void>;
}

/** Maximum time in ms until the page is shown without the database. */
const openTimeoutMs = 3000;
const retryIntervalMs = 2000;

/** Opens the database and waits for it without a time limit. If it fails to open, records stay in memory. */
export function openStorage(open: (events: DatabaseEvents) => Promise<RecordStore>): BrowserStorage {
  const state = createStorageState('opening');
  const memoryStore = createMemoryRecordStore();
  const openedStore = open({
    onBlocked: () => state.setState({ isBlocked: true }),
    onOutdated: () => {
      state.setState({ isOutdated: true });
      return state.getState().lastWrites;
    },
    onDeleted: () => state.setState(({ deletionCount }) => ({ deletionCount: deletionCount + 1 })),
    // Happens in some private windows; the banner explains the consequences.
  }).catch(() => memoryStore);
  const { records, whenSettled } = createBufferedRecords(openedStore, memoryStore);
  const whenOpen = whenSettled.then((mode) => state.setState({ mode, isBlocked: false }));
  const whenUsable = Promise.race([
    whenOpen,
    new Promise<void>((resolve) => {
      setTimeout(resolve, openTimeoutMs);
    }),
  ]);
  return { records, state, whenUsable };
}

/**
 * Creates a store that uses memory until the database is open. Reads of a single record not created here wait for the
 * database; lists return what is available.
 */
function createBufferedRecords(
  openedStore: Promise<RecordStore>,
  memoryStore: RecordStore,
): { records: RecordStore; whenSettled: Promise<RecordStore['mode']> } {
  /** Writes made before the database opened, in order; empty once they are stored. */
  let pendingWrites: Write[] = [];
  let database: RecordStore | undefined;
  let pendingFlush: Promise<void> | undefined;

  /** Stores the pending writes in the database; rejects if that fails. */
  function flushPending(target: RecordStore): Promise<void> {
    if (pendingWrites.length === 0) return Promise.resolve();
    pendingFlush ??= target
      .write(pendingWrites, { strict: true })
      .then(() => {
        pendingWrites = [];
      })
      .finally(() => (pendingFlush = undefined));
    return pendingFlush;
  }
  function flushUntilStored(target: RecordStore): void {
    flushPending(target).catch(() => setTimeout(() => flushUntilStored(target), retryIntervalMs));
  }
  const whenSettled = openedStore.then(async (store) => {
    if (store === memoryStore) pendingWrites = [];
    database = store;
    await flushPending(store).catch(() => store.mode === 'durable' && flushUntilStored(store));
    return store.mode;
  });

  const isFlushed = () => pendingWrites.length === 0;
  async function findInEither<T>(
    key: string,
    readFromMemory: () => Promise<T>,
    readFromDatabase: (from: RecordStore) => Promise<T>,
  ): Promise<T> {
    if (!isFlushed()) {
      const owners = (['sessions', 'runs', 'trials'] as const).map((store) =>
        memoryStore.readRecord(store, key),
      );
      // The record was created here, so memory holds all of it.
      if ((await Promise.all(owners)).some((owner) => owner !== undefined)) return readFromMemory();
      const memoryResult = await readFromMemory();
      if (memoryResult !== undefined && !(Array.isArray(memoryResult) && memoryResult.length === 0))
        return memoryResult;
    }
    return readFromDatabase(await openedStore);
  }
  async function listFromBoth<T>(
    getKey: (item: T) => string,
    read: (from: RecordStore) => Promise<T[]>,
  ): Promise<T[]> {
    if (database && isFlushed()) return read(database);
    const [memoryItems, databaseItems] = await Promise.all([
      read(memoryStore),
      database ? read(database) : [],
    ]);
    const memoryKeys = new Set(memoryItems.map(getKey));
    return [...memoryItems, ...databaseItems.filter((item) => !memoryKeys.has(getKey(item)))];
  }

  const records: RecordStore = {
    get mode() {
      return database?.mode ?? 'memory';
    },
    listSessions: () => listFromBoth(getRecordKey, (from) => from.listSessions()),
    listPresets: () => listFromBoth(getRecordKey, (from) => from.listPresets()),
    listBySession: (store, id) =>
      findInEither(
        id,
        () => memoryStore.listBySession(store, id),
        (from) => from.listBySession(store, id),
      ),
    listRunIds: (id) =>
      findInEither(
        id,
        () => memoryStore.listRunIds(id),
        (from) => from.listRunIds(id),
      ),
    listByTrial: (store, id, range) =>
      findInEither(
        id,
        () => memoryStore.listByTrial(store, id, range),
        (from) => from.listByTrial(store, id, range),
      ),
    listKeys: (store) => listFromBoth(String, (from) => from.listKeys(store)),
    scan: async (store, count, afterKey) => {
      const all = await listFromBoth(getRecordKey, (from) => from.scan(store, count, afterKey));
      return all.toSorted((a, b) => (getRecordKey(a) < getRecordKey(b) ? -1 : 1)).slice(0, count);
    },
    readSession: (id) =>
      findInEither(
        id,
        () => memoryStore.readSession(id),
        (from) => from.readSession(id),
      ),
    readTape: (id, ...args) =>
      findInEither(
        id,
        () => memoryStore.readTape(id, ...args),
        (from) => from.readTape(id, ...args),
      ),
    readRecord: (store, key) =>
      findInEither(
        // Keys of parts of a session begin with its ID.
        key.split(' ')[0] ?? key,
        () => memoryStore.readRecord(store, key),
        (from) => from.readRecord(store, key),
      ),
    write: async (writes, options) => {
      if (database) {
        await flushPending(database);
        return database.write(writes, options);
      }
      // Queued immediately, because the database could open during the write and miss these records.
      pendingWrites.push(...writes);
      return memoryStore.write(writes);
    },
    clear: async () => {
      const store = await openedStore;
      await pendingFlush?.catch(() => undefined);
      pendingWrites = [];
      await Promise.all([memoryStore.clear(), store.clear()]);
    },
    close: () => void openedStore.then((store) => store.close()),
  };
  return { records, whenSettled };
}
