/** The only module that accesses the record database in IndexedDB. */
import { deleteDB, openDB, type IDBPDatabase, type IDBPObjectStore, type IDBPTransaction } from 'idb';

import { migrateDraftParts } from '../conversation/session/draft.ts';
import { isRecord, getNumberProperty, getStringProperty } from '../lib/json.ts';
import type {
  KeyedStore,
  RecordStore,
  SessionRecords,
  SessionStoreName,
  StoreName,
  Write,
} from './record-store.ts';

const recordDatabaseName = 'bench';
/**
 * Name of the database in vector-db.ts. Defined here because that module is loaded only with the lab, and deleting all
 * data must work without it.
 */
export const vectorDatabaseName = 'bench-vectors';
/**
 * Version 5 added records with opaque fields, version 6 setups with a gateway, version 7 messages with text files,
 * version 8 names of lanes and the rules of trials, version 9 messages with documents and sounds, version 10 columns with
 * copied answers. An older Bench would drop these fields when writing the records back, or reject the records.
 */
const databaseVersion = 10;

type Database = IDBPDatabase;

export interface DatabaseEvents {
  /**
   * Called when another tab requires a newer database version. The connection closes when the returned promise settles.
   */
  onOutdated?: () => Promise<void> | void;
  /** Called when another tab still has an older version open. */
  onBlocked?: () => void;
  /** Called when another tab or the browser has deleted the stored data. The next write creates a new database. */
  onDeleted?: () => void;
}

/** Opens the database, at its current version if `version` is undefined. */
function openDatabase(
  name: string,
  version: number | undefined,
  events: DatabaseEvents,
  onClosed: () => void,
  onNew: () => void,
): Promise<Database> {
  return openDB(name, version, {
    upgrade(db, oldVersion, _, transaction) {
      upgradeFrom(db, oldVersion);
      if (oldVersion === 0) onNew();
      else if (oldVersion < 3) void migrateDrafts(transaction).catch(() => abortIfOpen(transaction));
      // openDB rejects with the same error.
      transaction.done.catch(() => undefined);
    },
    blocked() {
      events.onBlocked?.();
    },
    blocking(_current, newVersion, event) {
      const { target } = event;
      const closeConnection = () => {
        if (target instanceof IDBDatabase) target.close();
        onClosed();
      };
      if (newVersion === null) {
        closeConnection();
        events.onDeleted?.();
      } else void Promise.resolve(events.onOutdated?.()).then(closeConnection, closeConnection);
    },
    terminated: onClosed,
  });
}

/** Creates the stores missing in the earlier version. */
function upgradeFrom(db: Database, oldVersion: number): void {
  if (oldVersion < 1) {
    db.createObjectStore('sessions', { keyPath: 'id' });
    db.createObjectStore('lanes', { keyPath: 'id' }).createIndex('sessionId', 'sessionId');
    db.createObjectStore('prompts', { keyPath: 'id' }).createIndex('sessionId', 'sessionId');
    db.createObjectStore('turns', { keyPath: 'id' }).createIndex('sessionId', 'sessionId');
    db.createObjectStore('runs', { keyPath: 'id' }).createIndex('sessionId', 'sessionId');
    db.createObjectStore('tapes', { keyPath: ['runId', 'firstSeq'] });
    db.createObjectStore('drafts', { keyPath: 'sessionId' });
  }
  if (oldVersion < 2) {
    db.createObjectStore('presets', { keyPath: 'id' });
    db.createObjectStore('images', { keyPath: 'hash' });
  }
  if (oldVersion < 3) db.createObjectStore('learned', { keyPath: 'id' });
  if (oldVersion < 4) {
    db.createObjectStore('trials', { keyPath: 'id' });
    db.createObjectStore('cases', { keyPath: ['trialId', 'block'] });
    db.createObjectStore('cells', { keyPath: ['trialId', 'block', 'columnId'] });
    db.createObjectStore('marks', { keyPath: ['trialId', 'key.caseId', 'key.columnId', 'key.repeat'] });
    db.createObjectStore('ballots', { keyPath: 'id' }).createIndex('trialId', 'trialId');
  }
}

/**
 * Merges the version 2 records for parts of a draft. Runs in the upgrade transaction, so both succeed or fail together.
 */
async function migrateDrafts(upgrade: IDBPTransaction<unknown, string[], 'versionchange'>): Promise<void> {
  const drafts = upgrade.objectStore('drafts');
  const parts: unknown[] = await drafts.getAll();
  await Promise.all([drafts.clear(), ...migrateDraftParts(parts).map(async (draft) => drafts.put(draft))]);
}

/**
 * Opens the database; rejects if IndexedDB is missing or blocked. Tests use a separate `name` for each simulated
 * browser.
 */
export async function openRecordStore(
  events: DatabaseEvents = {},
  name = recordDatabaseName,
): Promise<RecordStore> {
  let connection: Promise<Database> | undefined;
  /** True if a newer Bench has upgraded the database. The database is then read-only. */
  let isNewer = false;
  /** True once a connection has opened, so that records may exist. */
  let hadRecords = false;
  function reportDeletion(): void {
    if (hadRecords) events.onDeleted?.();
    hadRecords = false;
  }
  /** Drops only this connection, because a new one may already be open when it reports that it has closed. */
  function dropConnection(closed: Promise<Database>): void {
    if (connection === closed) connection = undefined;
  }
  function connect(): Promise<Database> {
    if (connection) return connection;
    const opening = openDatabase(
      name,
      isNewer ? undefined : databaseVersion,
      { ...events, onDeleted: reportDeletion },
      () => dropConnection(opening),
      // A browser that clears site data only closes the connection, so the next one finds an empty database.
      reportDeletion,
    );
    connection = opening;
    opening.then(
      () => (hadRecords = true),
      // Failures are not cached; the next access tries to open the database again.
      () => dropConnection(opening),
    );
    return opening;
  }

  /** Retries the work once on a new connection, since the browser may close the connection at any time. */
  async function withReconnect<T>(work: (db: Database) => Promise<T>): Promise<T> {
    const current = connect();
    try {
      return await work(await current);
    } catch (error) {
      const isClosed = error instanceof DOMException && error.name === 'InvalidStateError';
      if (!isClosed) throw error;
      dropConnection(current);
      return work(await connect());
    }
  }

  try {
    await connect();
  } catch (error) {
    if (!isVersionError(error)) throw error;
    isNewer = true;
    await connect();
  }
  return {
    mode: isNewer ? 'read-only' : 'durable',
    listSessions: () => withReconnect((db): Promise<unknown[]> => db.getAll('sessions')),
    readSession: (id) => withReconnect((db) => readSession(db, id)),
    listPresets: () => withReconnect((db): Promise<unknown[]> => db.getAll('presets')),
    listBySession: (store, id) =>
      withReconnect((db): Promise<unknown[]> => db.getAllFromIndex(store, 'sessionId', id)),
    listRunIds: (id) =>
      withReconnect(async (db) =>
        (await db.getAllKeysFromIndex('runs', 'sessionId', id)).filter((key) => typeof key === 'string'),
      ),
    listByTrial: (store, id, range) =>
      withReconnect((db): Promise<unknown[]> =>
        db.getAll(store, getTrialRange(id, range?.after), range?.limit),
      ),
    readTape: (runId, fromSeq = 0, maxSegments) =>
      withReconnect((db): Promise<unknown[]> =>
        db.getAll('tapes', getTapeRange(runId, fromSeq), maxSegments),
      ),
    readRecord: (store, key) => withReconnect((db): Promise<unknown> => db.get(store, key)),
    listKeys: (store) =>
      withReconnect(async (db) => (await db.getAllKeys(store)).filter((key) => typeof key === 'string')),
    scan: (store, count, afterKey) => withReconnect((db) => scanRecords(db, store, count, afterKey)),
    write: async (writes, options) => {
      if (isNewer)
        throw new Error(
          'The data in this browser was saved by a newer version of Bench. This version can only read its sessions.',
        );
      await withReconnect((db) => writeAll(db, writes, options?.strict ?? false));
    },
    clear: () =>
      withReconnect(async (db) => {
        await Promise.all([...db.objectStoreNames].map((name) => db.clear(name)));
      }),
    close: () => {
      connection?.then((db) => db.close()).catch(() => undefined);
      connection = undefined;
    },
  };
}

async function readSession(db: Database, id: string): Promise<SessionRecords | undefined> {
  const transaction = db.transaction(['sessions', 'lanes', 'prompts', 'turns', 'runs']);
  const readRecords = (store: SessionStoreName): Promise<unknown[]> =>
    transaction.objectStore(store).index('sessionId').getAll(id);
  const sessionRecord: Promise<unknown> = transaction.objectStore('sessions').get(id);
  const [session, lanes, prompts, turns, runs] = await Promise.all([
    sessionRecord,
    readRecords('lanes'),
    readRecords('prompts'),
    readRecords('turns'),
    readRecords('runs'),
  ]);
  return session === undefined ? undefined : { session, lanes, prompts, turns, runs };
}

function isVersionError(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'VersionError';
}

function getTapeRange(runId: string, firstSeq: number): IDBKeyRange {
  return IDBKeyRange.bound([runId, firstSeq], [runId, Number.MAX_SAFE_INTEGER]);
}

/**
 * Returns the range of all keys of a trial, or of those after the given block. Arrays sort after every other type of
 * key.
 */
function getTrialRange(trialId: string, lastRecord?: unknown): IDBKeyRange {
  const [block, columnId] = [
    getNumberProperty(lastRecord, 'block'),
    getStringProperty(lastRecord, 'columnId'),
  ];
  if (block === undefined) return IDBKeyRange.bound([trialId], [trialId, []]);
  const lastKey = columnId === undefined ? [trialId, block] : [trialId, block, columnId];
  return IDBKeyRange.bound(lastKey, [trialId, []], true);
}

function scanRecords(
  db: Database,
  store: KeyedStore,
  count: number,
  afterKey: string | undefined,
): Promise<unknown[]> {
  return db.getAll(store, afterKey === undefined ? undefined : IDBKeyRange.lowerBound(afterKey, true), count);
}

async function writeAll(db: Database, writes: readonly Write[], strict: boolean): Promise<void> {
  if (writes.length === 0) return;
  const stores = [...new Set<StoreName>(writes.map((write) => write.store))];
  const transaction = db.transaction(stores, 'readwrite', { durability: strict ? 'strict' : 'relaxed' });
  try {
    for (const write of writes) {
      const objectStore = transaction.objectStore(write.store);
      if ('change' in write) {
        void changeRecord(objectStore, write.change).catch(() => undefined);
        continue;
      }
      const request = 'put' in write ? objectStore.put(write.put) : objectStore.delete(getRemovalKey(write));
      // The transaction reports the result; when the disk is full, Chromium leaves some requests unsettled.
      request.catch(() => undefined);
    }
    // An explicit commit starts immediately; the implicit one may come too late if the page is closing.
    if (!writes.some((write) => 'change' in write)) transaction.commit();
  } catch (error) {
    // Throws synchronously if a record cannot be cloned; the writes before it are rolled back.
    abortIfOpen(transaction);
    await Promise.allSettled([transaction.done]);
    throw error;
  }
  await transaction.done;
}

function getRemovalKey(
  write: Exclude<Write, { put: unknown } | { change: unknown }>,
): IDBKeyRange | IDBValidKey {
  if ('unmark' in write) {
    const { trialId, caseId, columnId, repeat } = write.unmark;
    return [trialId, caseId, columnId, repeat];
  }
  switch (write.store) {
    case 'tapes':
      return getTapeRange(write.remove, 0);
    case 'cases':
    case 'cells':
    case 'marks':
      return getTrialRange(write.remove);
    default:
      return write.remove;
  }
}

async function changeRecord(
  records: IDBPObjectStore<unknown, StoreName[], StoreName, 'readwrite'>,
  change: { id: string },
): Promise<void> {
  const stored: unknown = await records.get(change.id);
  if (isRecord(stored)) await records.put({ ...stored, ...change });
}

function abortIfOpen(transaction: { abort: () => void }): void {
  try {
    transaction.abort();
  } catch {
    // The transaction has already been aborted by a failed request.
  }
}

/**
 * Deletes the database with all vectors and notes; other tabs are notified. Rejects if the browser fails to delete it.
 */
export async function eraseVectorDatabase(): Promise<void> {
  await deleteDB(vectorDatabaseName);
}
