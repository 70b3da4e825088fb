/** The browser's storage from the first moment on: the page can be used before it has opened, and what is made then is stored later. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { DatabaseEvents } from '../storage/db.ts';
import { keyOfRecord, memoryRecordStore } from '../storage/memory-store.ts';
import type { RecordStore, Write } from '../storage/record-store.ts';

export interface StorageState {
  /** opening: the browser has not answered yet; what is made waits in memory until it has. */
  mode: RecordStore['mode'] | 'opening';
  /** Another tab holds an older version of the database, so it cannot open here. */
  isBlocked: boolean;
  /** A newer Bench in another tab takes the database over. */
  isOutdated: boolean;
  /** What this tab still stores before it lets go of the database: set by whoever hears that it is outdated. */
  lastWrites?: Promise<void>;
  /** How often all that was stored was deleted by other hands. */
  deletions: number;
}

export type StorageStore = StoreApi<StorageState>;

export function createStorageState(mode: StorageState['mode']): StorageStore {
  return createStore<StorageState>(() => ({ mode, isBlocked: false, isOutdated: false, deletions: 0 }));
}

export interface Storage {
  records: RecordStore;
  state: StorageStore;
  /** Resolves when the database has opened or was refused, and after three seconds in any case. */
  usable: Promise<void>;
}

/** Nobody looks at an empty page for longer. */
const patienceMs = 3000;
const retryEveryMs = 2000;

/** Never gives up on a database that does not answer; where the browser refuses one, records stay in memory. */
export function openStorage(open: (events: DatabaseEvents) => Promise<RecordStore>): Storage {
  const state = createStorageState('opening');
  const made = memoryRecordStore();
  const opened = open({
    onBlocked: () => state.setState({ isBlocked: true }),
    onOutdated: () => {
      state.setState({ isOutdated: true });
      return state.getState().lastWrites;
    },
    onDeleted: () => state.setState(({ deletions }) => ({ deletions: deletions + 1 })),
    // Refused, as in some private windows: the banner says what that means.
  }).catch(() => made);
  const { records, settled } = lateRecords(opened, made);
  const isOpen = settled.then((mode) => state.setState({ mode, isBlocked: false }));
  const usable = Promise.race([
    isOpen,
    new Promise<void>((resolve) => {
      setTimeout(resolve, patienceMs);
    }),
  ]);
  return { records, state, usable };
}

/**
 * Records that are in memory until the database is open, and then in it. What one asks for by its name is waited for
 * where it was not made here; a list holds what there is.
 */
function lateRecords(
  opened: Promise<RecordStore>,
  made: RecordStore,
): { records: RecordStore; settled: Promise<RecordStore['mode']> } {
  /** What was written before the database opened, in order; empty once it is in there. */
  let waiting: Write[] = [];
  let database: RecordStore | undefined;
  let settling: Promise<void> | undefined;

  /** Brings what waits into the database; rejects where it does not take it. */
  function settle(into: RecordStore): Promise<void> {
    if (waiting.length === 0) return Promise.resolve();
    settling ??= into
      .write(waiting, { strict: true })
      .then(() => {
        waiting = [];
      })
      .finally(() => (settling = undefined));
    return settling;
  }
  function settleSoon(into: RecordStore): void {
    settle(into).catch(() => setTimeout(() => settleSoon(into), retryEveryMs));
  }
  const settled = opened.then(async (store) => {
    if (store === made) waiting = [];
    database = store;
    await settle(store).catch(() => store.mode === 'durable' && settleSoon(store));
    return store.mode;
  });

  const isWhole = () => waiting.length === 0;
  async function find<T>(
    key: string,
    ofMade: () => Promise<T>,
    stored: (from: RecordStore) => Promise<T>,
  ): Promise<T> {
    if (!isWhole()) {
      const owners = (['sessions', 'runs', 'trials'] as const).map((store) => made.record(store, key));
      // Made here, so there is no more of it than what is here.
      if ((await Promise.all(owners)).some((owner) => owner !== undefined)) return ofMade();
      const found = await ofMade();
      if (found !== undefined && !(Array.isArray(found) && found.length === 0)) return found;
    }
    return stored(await opened);
  }
  async function list<T>(
    keyOf: (item: T) => string,
    read: (from: RecordStore) => Promise<T[]>,
  ): Promise<T[]> {
    if (database && isWhole()) return read(database);
    const [mine, stored] = await Promise.all([read(made), database ? read(database) : []]);
    const own = new Set(mine.map(keyOf));
    return [...mine, ...stored.filter((item) => !own.has(keyOf(item)))];
  }

  const records: RecordStore = {
    get mode() {
      return database?.mode ?? 'memory';
    },
    sessions: () => list(keyOfRecord, (from) => from.sessions()),
    presets: () => list(keyOfRecord, (from) => from.presets()),
    ofSession: (store, id) =>
      find(
        id,
        () => made.ofSession(store, id),
        (from) => from.ofSession(store, id),
      ),
    runIdsOf: (id) =>
      find(
        id,
        () => made.runIdsOf(id),
        (from) => from.runIdsOf(id),
      ),
    ofTrial: (store, id, part) =>
      find(
        id,
        () => made.ofTrial(store, id, part),
        (from) => from.ofTrial(store, id, part),
      ),
    keys: (store) => list(String, (from) => from.keys(store)),
    scan: async (store, count, after) => {
      const all = await list(keyOfRecord, (from) => from.scan(store, count, after));
      return all.toSorted((one, other) => (keyOfRecord(one) < keyOfRecord(other) ? -1 : 1)).slice(0, count);
    },
    session: (id) =>
      find(
        id,
        () => made.session(id),
        (from) => from.session(id),
      ),
    tape: (id, ...where) =>
      find(
        id,
        () => made.tape(id, ...where),
        (from) => from.tape(id, ...where),
      ),
    record: (store, key) =>
      find(
        // What belongs to a session begins with its id.
        key.split(' ')[0] ?? key,
        () => made.record(store, key),
        (from) => from.record(store, key),
      ),
    write: async (writes, options) => {
      if (database) {
        await settle(database);
        return database.write(writes, options);
      }
      // At once: were it after the write, the database could open in between and miss them.
      waiting.push(...writes);
      return made.write(writes);
    },
    clear: async () => {
      const store = await opened;
      await settling?.catch(() => undefined);
      waiting = [];
      await Promise.all([made.clear(), store.clear()]);
    },
    close: () => void opened.then((store) => store.close()),
  };
  return { records, settled };
}
