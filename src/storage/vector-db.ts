/**
 * Database of embedding vectors, opened by the embeddings screen only. It is separate from the sessions because it is a
 * cache that can be requested again: it may be deleted as a whole, must not block sessions when the disk is full, and
 * its upgrades never close tabs with open sessions.
 */
import { chunk } from 'es-toolkit';
import { openDB, type IDBPDatabase } from 'idb';

import { isRecord } from '../lib/json.ts';
import { vectorDatabaseName } from './db.ts';
import {
  createMemoryVectorStore,
  readStoredVector,
  type StoredVector,
  type VectorStore,
} from './vector-store.ts';

/** Version 2 added gateways to notes, which an older Bench would drop when writing the notes back. */
const databaseVersion = 2;
/** Maximum time to open the database in ms; vectors can be requested again, so a longer wait is not worth it. */
const openTimeoutMs = 3000;
const lookupSliceSize = 500;

async function openDatabase(onClosed: (isErased: boolean) => void): Promise<IDBPDatabase> {
  return openDB(vectorDatabaseName, databaseVersion, {
    upgrade(db, oldVersion) {
      if (oldVersion < 1) {
        db.createObjectStore('vectors', { keyPath: 'key' });
        db.createObjectStore('notes', { keyPath: 'id' });
      }
    },
    blocking(_current, newVersion, event) {
      if (event.target instanceof IDBDatabase) event.target.close();
      onClosed(newVersion === null);
    },
    terminated: () => onClosed(false),
  });
}

/**
 * Opens the vector store. Never rejects: falls back to memory if IndexedDB is missing, blocked or times out. `onErased`
 * is called when this or another tab deletes the database.
 */
export async function openVectorStore(onErased: () => void = () => undefined): Promise<VectorStore> {
  // Holds new vectors while writes to the disk fail; stored vectors are still read.
  const memory = createMemoryVectorStore();
  let connection: Promise<IDBPDatabase> | undefined;
  const connect = () => {
    if (connection) return connection;
    const opening = openDatabase((isErased) => {
      if (connection === opening) connection = undefined;
      if (!isErased) return;
      void memory.clear();
      onErased();
    });
    connection = opening;
    // Failures are not cached; the next request tries again.
    opening.catch(() => {
      if (connection === opening) connection = undefined;
    });
    return opening;
  };
  const opening = connect();
  const isOpen = await Promise.race([
    opening.then(
      () => true,
      () => false,
    ),
    new Promise<false>((resolve) => {
      setTimeout(() => resolve(false), openTimeoutMs);
    }),
  ]);
  if (!isOpen) {
    // Connections that open too late are closed, so that they do not block other tabs.
    opening.then(
      (db) => db.close(),
      () => undefined,
    );
    return memory;
  }

  /** True if some vectors are in memory only. */
  let hasUnstoredData = false;
  let hasReadFailed = false;
  /** Returns the result from the database, or `fallback` if it fails. */
  async function readOrDefault<T>(work: (db: IDBPDatabase) => Promise<T>, fallback: T): Promise<T> {
    try {
      const result = await work(await connect());
      hasReadFailed = false;
      return result;
    } catch {
      hasReadFailed = true;
      return fallback;
    }
  }

  return {
    getMode: () => (hasUnstoredData || hasReadFailed ? 'memory' : 'durable'),
    get: async (keys) => {
      const stored = await readOrDefault(async (db) => {
        const store = db.transaction('vectors').store;
        return await Promise.all(keys.map((key): Promise<unknown> => store.get(key)));
      }, []);
      const memoryVectors = await memory.get(keys);
      return keys.map((_, index) => memoryVectors[index] ?? readStoredVector(stored[index]));
    },
    has: async (keys) => {
      const stored = await readOrDefault(async (db) => {
        const { store } = db.transaction('vectors');
        const records: unknown[] = [];
        // Slices avoid one long task.
        for (const slice of chunk(keys, lookupSliceSize))
          records.push(...(await Promise.all(slice.map((key) => store.getKey(key)))));
        return records;
      }, []);
      const isInMemory = await memory.has(keys);
      return keys.map((_, index) => isInMemory[index] === true || stored[index] !== undefined);
    },
    put: async (vectors) => {
      try {
        const transaction = (await connect()).transaction('vectors', 'readwrite');
        const puts = vectors.map((vector) => transaction.store.put(vector));
        transaction.commit();
        await Promise.all([...puts, transaction.done]);
      } catch {
        hasUnstoredData = true;
        await memory.put(vectors);
      }
    },
    scan: async (count, afterKey = '') => {
      const stored = await readOrDefault(
        (db): Promise<unknown[]> => db.getAll('vectors', IDBKeyRange.lowerBound(afterKey, true), count),
        [],
      );
      const byKey = new Map<string, StoredVector>();
      for (const vector of [
        ...stored.flatMap((raw) => readStoredVector(raw) ?? []),
        ...(await memory.scan(count, afterKey)),
      ])
        byKey.set(vector.key, vector);
      return [...byKey.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1)).slice(0, count);
    },
    readNote: async (id) => {
      const memoryNote = await memory.readNote(id);
      if (memoryNote !== undefined) return memoryNote;
      const stored = await readOrDefault((db): Promise<unknown> => db.get('notes', id), undefined);
      return isRecord(stored) ? stored['value'] : undefined;
    },
    putNote: async (id, value) => {
      try {
        const transaction = (await connect()).transaction('notes', 'readwrite');
        const { store } = transaction;
        const request = value === undefined ? store.delete(id) : store.put({ id, value });
        // An explicit commit stores the last edit even if the page is closing.
        transaction.commit();
        await Promise.all([request, transaction.done]);
        await memory.putNote(id, undefined);
      } catch {
        hasUnstoredData = true;
        await memory.putNote(id, value);
      }
    },
    listNotes: async (idPrefix) => {
      const range = IDBKeyRange.bound(idPrefix, `${idPrefix}\uFFFF`);
      const stored = await readOrDefault((db): Promise<unknown[]> => db.getAll('notes', range), []);
      const byId = new Map<string, unknown>();
      for (const note of stored)
        if (isRecord(note) && typeof note['id'] === 'string') byId.set(note['id'], note['value']);
      for (const { id, value } of await memory.listNotes(idPrefix)) byId.set(id, value);
      return [...byId].map(([id, value]) => ({ id, value })).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    },
    listNoteIds: async () => {
      const stored = await readOrDefault((db): Promise<unknown[]> => db.getAllKeys('notes'), []);
      const ids = [...stored.filter((id) => typeof id === 'string'), ...(await memory.listNoteIds())];
      return [...new Set(ids)].toSorted();
    },
    count: async () => (await memory.count()) + (await readOrDefault((db) => db.count('vectors'), 0)),
    clear: async () => {
      await memory.clear();
      await readOrDefault((db) => db.clear('vectors'), undefined);
    },
  };
}
