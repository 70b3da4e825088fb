import 'fake-indexeddb/auto';
import { forceCloseDatabase, IDBFactory } from 'fake-indexeddb';
import { openDB } from 'idb';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { waitUntil } from '../testing/wait-until.ts';
import { eraseVectorDatabase } from './db.ts';
import { openVectorStore } from './vector-db.ts';
import { createMemoryVectorStore, type StoredVector, type VectorStore } from './vector-store.ts';

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
});

const createVector = (key: string, ...numbers: number[]): StoredVector => ({
  key,
  vector: Float32Array.from(numbers),
});

const kinds: [string, () => Promise<VectorStore>][] = [
  ['in the database', () => openVectorStore()],
  ['in memory', async () => createMemoryVectorStore()],
];

describe.each(kinds)('vectors %s', (_, openStore) => {
  it('returns vectors in the order of the keys and clears them together', async () => {
    const store = await openStore();
    await store.put([createVector('a', 1, 2), { ...createVector('b', 3), tokens: 7 }]);
    expect(await store.has(['b', 'none', 'a'])).toEqual([true, false, true]);
    expect(await store.get(['b', 'none', 'a'])).toEqual([
      { ...createVector('b', 3), tokens: 7 },
      undefined,
      createVector('a', 1, 2),
    ]);
    expect(await store.count()).toBe(2);
    await store.putNote('lab', { text: 'x' });
    await store.clear();
    expect(await store.get(['a'])).toEqual([undefined]);
    expect(await store.readNote('lab')).toEqual({ text: 'x' });
    await store.putNote('lab', undefined);
    expect(await store.readNote('lab')).toBeUndefined();
  });

  it('lists notes by ID prefix, in ID order and as they were stored', async () => {
    const store = await openStore();
    const value = { text: 'x' };
    for (const id of ['set 2', 'sum', 'set 1', 'set 3']) await store.putNote(id, { ...value, id });
    await store.putNote('set 0', value);
    value.text = 'changed since';
    expect(await store.listNotes('set ')).toEqual([
      { id: 'set 0', value: { text: 'x' } },
      ...['set 1', 'set 2', 'set 3'].map((id) => ({ id, value: { text: 'x', id } })),
    ]);
    expect(await store.listNotes('none')).toEqual([]);
    expect(await store.listNoteIds()).toEqual(['set 0', 'set 1', 'set 2', 'set 3', 'sum']);
  });

  it('returns all vectors in steps, in the order of their keys', async () => {
    const store = await openStore();
    await store.put(['c', 'a', 'd', 'b'].map((key) => createVector(key, 1)));
    const firstBatch = await store.scan(3);
    expect(firstBatch.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    expect(await store.scan(3, 'c')).toEqual([createVector('d', 1)]);
    expect(await store.scan(3, 'd')).toEqual([]);
  });
});

describe('the vector database', () => {
  it('keeps vectors for the next visit', async () => {
    await (await openVectorStore()).put([createVector('a', 1, 2)]);
    const next = await openVectorStore();
    expect(next.getMode()).toBe('durable');
    expect(await next.get(['a'])).toEqual([createVector('a', 1, 2)]);
  });

  it('deletes the whole database, notifies an open tab and lets it continue', async () => {
    let eraseCount = 0;
    const store = await openVectorStore(() => (eraseCount += 1));
    await store.put([createVector('a', 1, 2)]);
    await store.putNote('lab', { text: 'x' });
    await eraseVectorDatabase();
    expect(eraseCount).toBe(1);
    expect(await store.get(['a'])).toEqual([undefined]);
    expect(await store.readNote('lab')).toBeUndefined();
    await store.put([createVector('b', 3)]);
    expect(await (await openVectorStore()).get(['b'])).toEqual([createVector('b', 3)]);
  });

  it('ignores stored records that are not vectors', async () => {
    await openVectorStore();
    const db = await openDB('bench-vectors');
    await db.put('vectors', { key: 'a', vector: [1, 2] });
    await db.put('vectors', { key: 'b', vector: new Float32Array(0) });
    const buffer = Float32Array.from([9, 1, 2]);
    await db.put('vectors', { key: 'c', vector: buffer.subarray(1), tokens: 'two' });
    db.close();
    const vectors = await (await openVectorStore()).get(['a', 'b', 'c']);
    expect(vectors).toEqual([undefined, undefined, createVector('c', 1, 2)]);
    expect(vectors[2]?.vector.buffer.byteLength).toBe(8);
  });

  it('keeps vectors in memory if the disk fails, and reports memory mode', async () => {
    const store = await openVectorStore();
    await store.put([createVector('a', 1)]);
    const putSpy = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('no room', 'QuotaExceededError');
    });
    await store.put([createVector('b', 2)]);
    putSpy.mockRestore();
    expect(store.getMode()).toBe('memory');
    expect(await store.get(['a', 'b'])).toEqual([createVector('a', 1), createVector('b', 2)]);
  });

  it('reports memory mode only while reads fail', async () => {
    const store = await openVectorStore();
    await store.put([createVector('a', 1)]);
    const transactionSpy = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(() => {
      throw new DOMException('', 'UnknownError');
    });
    expect(await store.get(['a'])).toEqual([undefined]);
    expect(await store.has(['a'])).toEqual([false]);
    expect(await store.count()).toBe(0);
    expect(store.getMode()).toBe('memory');
    transactionSpy.mockRestore();
    expect(await store.get(['a'])).toEqual([createVector('a', 1)]);
    expect(store.getMode()).toBe('durable');
  });

  it('keeps a note in memory if the disk fails, and prefers the disk after the next write', async () => {
    const store = await openVectorStore();
    await store.putNote('lab', { text: 'stored' });
    const putSpy = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('no room', 'QuotaExceededError');
    });
    await store.putNote('lab', { text: 'of the visit' });
    putSpy.mockRestore();
    expect(store.getMode()).toBe('memory');
    expect(await store.readNote('lab')).toEqual({ text: 'of the visit' });
    expect(await store.listNotes('la')).toEqual([{ id: 'lab', value: { text: 'of the visit' } }]);
    await store.putNote('lab', { text: 'stored later' });
    expect(await store.readNote('lab')).toEqual({ text: 'stored later' });
    expect(await (await openVectorStore()).readNote('lab')).toEqual({ text: 'stored later' });
  });

  it('lists stored and unsaved notes together in ID order', async () => {
    const store = await openVectorStore();
    await store.putNote('set 2', { text: 'stored' });
    const putSpy = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('no room', 'QuotaExceededError');
    });
    for (const id of ['set 3', 'set 1']) await store.putNote(id, { text: 'of the visit' });
    putSpy.mockRestore();
    expect((await store.listNotes('set ')).map(({ id }) => id)).toEqual(['set 1', 'set 2', 'set 3']);
  });

  it('keeps vectors and notes in memory if their transaction is aborted', async () => {
    const store = await openVectorStore();
    const commit = vi.spyOn(IDBTransaction.prototype, 'commit').mockImplementation(function abort(
      this: IDBTransaction,
    ) {
      this.abort();
    });
    await store.put([createVector('a', 1)]);
    await store.putNote('lab', { text: 'x' });
    commit.mockRestore();
    expect(store.getMode()).toBe('memory');
    expect(await store.get(['a'])).toEqual([createVector('a', 1)]);
    expect(await store.readNote('lab')).toEqual({ text: 'x' });
  });

  it('reconnects if the browser has closed the connection, even after a failed attempt', async () => {
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
    const store = await openVectorStore();
    await store.put([createVector('a', 1)]);
    const closeByBrowser = () =>
      new Promise<void>((resolve) => {
        const connection: unknown = transaction.mock.contexts.at(-1);
        if (!(connection instanceof IDBDatabase)) throw new Error('No connection was opened');
        connection.addEventListener('close', () => resolve());
        Reflect.apply(forceCloseDatabase, undefined, [connection]);
      });
    await closeByBrowser();
    expect(await store.get(['a'])).toEqual([createVector('a', 1)]);
    await closeByBrowser();
    vi.spyOn(IDBFactory.prototype, 'open').mockImplementationOnce(() => {
      throw new DOMException('not now', 'UnknownError');
    });
    expect(await store.get(['a'])).toEqual([undefined]);
    expect(store.getMode()).toBe('memory');
    expect(await store.get(['a'])).toEqual([createVector('a', 1)]);
    expect(store.getMode()).toBe('durable');
  });

  it('finds all keys if there are more than fit into one lookup slice', async () => {
    const store = await openVectorStore();
    await store.put([
      createVector('key 0', 1),
      createVector('key 499', 2),
      createVector('key 500', 3),
      createVector('key 1200', 4),
    ]);
    const results = await store.has(Array.from({ length: 1201 }, (_, index) => `key ${index}`));
    expect(results.flatMap((isStored, index) => (isStored ? [index] : []))).toEqual([0, 499, 500, 1200]);
  });

  it('counts, finds and clears stored vectors together with those in memory', async () => {
    const store = await openVectorStore();
    await store.put([createVector('a', 1)]);
    const putSpy = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('no room', 'QuotaExceededError');
    });
    await store.put([createVector('b', 2), createVector('c', 3)]);
    putSpy.mockRestore();
    expect(await store.count()).toBe(3);
    expect(await store.has(['a', 'b', 'none'])).toEqual([true, true, false]);
    await store.clear();
    expect(await store.count()).toBe(0);
    expect(await store.has(['a', 'b'])).toEqual([false, false]);
    expect(await (await openVectorStore()).count()).toBe(0);
  });

  it('closes when another tab upgrades the database, without reporting a deletion', async () => {
    const onErased = vi.fn<() => void>();
    const store = await openVectorStore(onErased);
    await store.put([createVector('a', 1)]);
    (await openDB('bench-vectors', 99)).close();
    expect(await store.get(['a'])).toEqual([undefined]);
    expect(store.getMode()).toBe('memory');
    expect(onErased).not.toHaveBeenCalled();
  });

  it('uses memory if IndexedDB is unavailable', async () => {
    vi.stubGlobal('indexedDB', {
      open: () => {
        throw new DOMException('no', 'SecurityError');
      },
    });
    const store = await openVectorStore();
    await store.put([createVector('a', 1)]);
    expect(store.getMode()).toBe('memory');
    expect(await store.get(['a'])).toEqual([createVector('a', 1)]);
  });

  it.each([
    ['get', (store: VectorStore) => store.get(['a'])],
    ['getKey', (store: VectorStore) => store.has(['a'])],
    ['count', (store: VectorStore) => store.count()],
  ] as const)('returns to durable mode after a single failure of %s', async (method, read) => {
    const store = await openVectorStore();
    await store.put([createVector('a', 1)]);
    const initial = await read(store);
    const methodSpy = vi.spyOn(IDBObjectStore.prototype, method).mockImplementation(() => {
      throw new DOMException('for a moment', 'UnknownError');
    });
    await read(store);
    expect(store.getMode()).toBe('memory');
    methodSpy.mockRestore();
    expect(await read(store)).toEqual(initial);
    expect(store.getMode()).toBe('durable');
    await store.put([createVector('b', 2)]);
    expect(await (await openVectorStore()).get(['b'])).toEqual([createVector('b', 2)]);
  });

  it('uses memory if the browser does not open the database within three seconds', async () => {
    await openVectorStore();
    const blockingConnection = await openDB('bench-vectors');
    // The deletion waits for the open connection, and new openings wait for the deletion.
    indexedDB.deleteDatabase('bench-vectors');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let store: VectorStore | undefined;
    void openVectorStore().then((opened) => (store = opened));
    await vi.advanceTimersByTimeAsync(2_999);
    expect(store).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    vi.useRealTimers();
    expect(store?.getMode()).toBe('memory');
    await store?.put([createVector('a', 1)]);
    expect(await store?.get(['a'])).toEqual([createVector('a', 1)]);
    const close = vi.spyOn(IDBDatabase.prototype, 'close');
    blockingConnection.close();
    // Connections that open too late are closed.
    await waitUntil(() => close.mock.calls.length === 2);
  });
});
