/**
 * The database of vectors. One of its own, beside that of the sessions: it is a cache of what can be asked for again,
 * may be thrown away as a whole, must not stop sessions from being stored when the disk is full, and its version
 * never closes a tab that has sessions open. It is opened by the embeddings screen only.
 */
import { openDB, type IDBPDatabase } from 'idb';

import { isRecord } from '../lib/json.ts';
import { vectorDatabaseName } from './db.ts';
import { memoryVectorStore, readStoredVector, type VectorStore } from './vector-store.ts';

const databaseVersion = 1;
/** Nobody waits longer for what can be asked for again. */
const patienceMs = 3000;
const lookedUpAtOnce = 500;

async function openDatabase(onClosed: (isErased: boolean) => void): Promise<IDBPDatabase> {
  return openDB(vectorDatabaseName, databaseVersion, {
    upgrade(db, oldVersion) {
      if (oldVersion < 1) {
        db.createObjectStore('vectors', { keyPath: 'key' });
        db.createObjectStore('notes', { keyPath: 'id' });
      }
    },
    blocking(_current, blocked, event) {
      if (event.target instanceof IDBDatabase) event.target.close();
      onClosed(blocked === null);
    },
    terminated: () => onClosed(false),
  });
}

/**
 * Opens the store of vectors; in memory where the browser has no database, refuses it or does not answer. Never rejects. `onErased`:
 * this tab or another removes all of it.
 */
export async function openVectorStore(onErased: () => void = () => undefined): Promise<VectorStore> {
  // Where the disk fails on the way, what is new lives here; what is stored is still read.
  const memory = memoryVectorStore();
  let open: Promise<IDBPDatabase> | undefined;
  const database = () => {
    if (open) return open;
    const opening = openDatabase((isErased) => {
      if (open === opening) open = undefined;
      if (!isErased) return;
      void memory.clear();
      onErased();
    });
    open = opening;
    // A refusal is not remembered: the next request opens it again.
    opening.catch(() => {
      if (open === opening) open = undefined;
    });
    return opening;
  };
  const opening = database();
  const isOpen = await Promise.race([
    opening.then(
      () => true,
      () => false,
    ),
    new Promise<false>((resolve) => {
      setTimeout(() => resolve(false), patienceMs);
    }),
  ]);
  if (!isOpen) {
    // What opens too late is let go of, so that it blocks no other tab.
    opening.then(
      (db) => db.close(),
      () => undefined,
    );
    return memory;
  }

  /** Something could only be kept in memory, so the disk lacks it. */
  let isBehind = false;
  let readFailed = false;
  /** What the disk gives, or where it fails what there would be without it. */
  async function reading<T>(work: (db: IDBPDatabase) => Promise<T>, otherwise: T): Promise<T> {
    try {
      const read = await work(await database());
      readFailed = false;
      return read;
    } catch {
      readFailed = true;
      return otherwise;
    }
  }

  return {
    mode: () => (isBehind || readFailed ? 'memory' : 'durable'),
    get: async (keys) => {
      const stored = await reading(async (db) => {
        const store = db.transaction('vectors').store;
        return await Promise.all(keys.map((key): Promise<unknown> => store.get(key)));
      }, []);
      const fresh = await memory.get(keys);
      return keys.map((_, index) => fresh[index] ?? readStoredVector(stored[index]));
    },
    has: async (keys) => {
      const stored = await reading(async (db) => {
        const { store } = db.transaction('vectors');
        const found: unknown[] = [];
        // All at once would be one long task.
        for (let at = 0; at < keys.length; at += lookedUpAtOnce) {
          const slice = keys.slice(at, at + lookedUpAtOnce);
          found.push(...(await Promise.all(slice.map((key) => store.getKey(key)))));
        }
        return found;
      }, []);
      const fresh = await memory.has(keys);
      return keys.map((_, index) => fresh[index] === true || stored[index] !== undefined);
    },
    put: async (vectors) => {
      try {
        const transaction = (await database()).transaction('vectors', 'readwrite');
        const puts = vectors.map((vector) => transaction.store.put(vector));
        transaction.commit();
        await Promise.all([...puts, transaction.done]);
      } catch {
        isBehind = true;
        await memory.put(vectors);
      }
    },
    note: async (id) => {
      const fresh = await memory.note(id);
      if (fresh !== undefined) return fresh;
      const stored = await reading((db): Promise<unknown> => db.get('notes', id), undefined);
      return isRecord(stored) ? stored['value'] : undefined;
    },
    putNote: async (id, value) => {
      try {
        const transaction = (await database()).transaction('notes', 'readwrite');
        const { store } = transaction;
        const request = value === undefined ? store.delete(id) : store.put({ id, value });
        // At once: what was typed last is stored as the page is left, and nothing waits for an answer then.
        transaction.commit();
        await Promise.all([request, transaction.done]);
        await memory.putNote(id, undefined);
      } catch {
        isBehind = true;
        await memory.putNote(id, value);
      }
    },
    notes: async (start) => {
      const range = IDBKeyRange.bound(start, `${start}\uFFFF`);
      const stored = await reading((db): Promise<unknown[]> => db.getAll('notes', range), []);
      const byId = new Map<string, unknown>();
      for (const note of stored)
        if (isRecord(note) && typeof note['id'] === 'string') byId.set(note['id'], note['value']);
      for (const { id, value } of await memory.notes(start)) byId.set(id, value);
      return [...byId]
        .map(([id, value]) => ({ id, value }))
        .toSorted((one, other) => (one.id < other.id ? -1 : 1));
    },
    count: async () => (await memory.count()) + (await reading((db) => db.count('vectors'), 0)),
    clear: async () => {
      await memory.clear();
      await reading((db) => db.clear('vectors'), undefined);
    },
  };
}
