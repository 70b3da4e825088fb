/**
 * Record store of the build of 23 November (94c2e36), before database version 3. Reproduces a tab that was opened then
 * and never reloaded; code that no test needs is omitted.
 */
import { openDB, type IDBPDatabase } from 'idb';

const databaseVersion = 2;

type Database = IDBPDatabase;
export type EarlierWrite = { store: string; put: unknown };

interface EarlierRecordStore {
  mode: 'durable' | 'read-only';
  sessions: () => Promise<unknown[]>;
  write: (writes: readonly EarlierWrite[]) => Promise<void>;
  close: () => void;
}

export async function openEarlierRecordStore(
  events: { onOutdated?: () => void },
  name: string,
): Promise<EarlierRecordStore> {
  let open: Promise<Database> | undefined;
  let isNewer = false;
  function forget(closed: Promise<Database>): void {
    if (open === closed) open = undefined;
  }
  function database(): Promise<Database> {
    if (open) return open;
    const opening = openDB(name, isNewer ? undefined : databaseVersion, {
      upgrade: upgradeFrom,
      blocking(_current, wanted, event) {
        if (event.target instanceof IDBDatabase) event.target.close();
        forget(opening);
        if (wanted !== null) events.onOutdated?.();
      },
      terminated: () => forget(opening),
    });
    open = opening;
    opening.catch(() => forget(opening));
    return opening;
  }
  async function reopening<T>(work: (db: Database) => Promise<T>): Promise<T> {
    const opened = database();
    try {
      return await work(await opened);
    } catch (error) {
      const closed = error instanceof DOMException && error.name === 'InvalidStateError';
      if (!closed) throw error;
      forget(opened);
      return work(await database());
    }
  }
  try {
    await database();
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'VersionError')) throw error;
    isNewer = true;
    await database();
  }
  return {
    mode: isNewer ? 'read-only' : 'durable',
    sessions: () => reopening((db): Promise<unknown[]> => db.getAll('sessions')),
    write: async (writes) => {
      if (isNewer) throw new Error('A newer Bench keeps its sessions here. This older one only reads them.');
      await reopening(async (db) => {
        const stores = [...new Set(writes.map((write) => write.store))];
        const transaction = db.transaction(stores, 'readwrite');
        for (const { store, put } of writes)
          transaction
            .objectStore(store)
            .put(put)
            .catch(() => undefined);
        transaction.commit();
        await transaction.done;
      });
    },
    close: () => {
      open?.then((db) => db.close()).catch(() => undefined);
      open = undefined;
    },
  };
}

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
}
