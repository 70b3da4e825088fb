import 'fake-indexeddb/auto';
import { forceCloseDatabase, IDBFactory } from 'fake-indexeddb';
import { openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { waitUntil } from '../testing/wait-until.ts';
import { eraseVectorDatabase } from './db.ts';
import { openVectorStore } from './vector-db.ts';
import { createMemoryVectorStore, type StoredVector, type VectorStore } from './vector-store.ts';

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
});
afterEach(() => {
  vi.unstubAllGlobals();
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
  it('come back under their keys, in the order asked, and are forgotten together', async () => {
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

  it('have notes beside them, read by how their ids begin, in the order of these, as they were put', async () => {
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
  });
});

describe('the database of vectors', () => {
  it('keeps them for the next visit', async () => {
    await (await openVectorStore()).put([createVector('a', 1, 2)]);
    const next = await openVectorStore();
    expect(next.getMode()).toBe('durable');
    expect(await next.get(['a'])).toEqual([createVector('a', 1, 2)]);
  });

  it('is erased whole, also under a tab that has it open, which is told and can go on', async () => {
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

  it('never gives what is not a vector', async () => {
    await openVectorStore();
    const db = await openDB('bench-vectors', 1);
    await db.put('vectors', { key: 'a', vector: [1, 2] });
    await db.put('vectors', { key: 'b', vector: new Float32Array(0) });
    const buffer = Float32Array.from([9, 1, 2]);
    await db.put('vectors', { key: 'c', vector: buffer.subarray(1), tokens: 'two' });
    db.close();
    const vectors = await (await openVectorStore()).get(['a', 'b', 'c']);
    expect(vectors).toEqual([undefined, undefined, createVector('c', 1, 2)]);
    expect(vectors[2]?.vector.buffer.byteLength).toBe(8);
  });

  it('loses nothing of the visit when the disk refuses, and says that it is not kept', async () => {
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

  it('is only as long without the disk as reading fails: one refusal is not remembered', async () => {
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

  it('keeps a note of the visit when the disk refuses it, and the disk has the last word once it takes one', async () => {
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

  it('gives notes in the order of their ids, also where some could not be stored', async () => {
    const store = await openVectorStore();
    await store.putNote('set 2', { text: 'stored' });
    const putSpy = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('no room', 'QuotaExceededError');
    });
    for (const id of ['set 3', 'set 1']) await store.putNote(id, { text: 'of the visit' });
    putSpy.mockRestore();
    expect((await store.listNotes('set ')).map(({ id }) => id)).toEqual(['set 1', 'set 2', 'set 3']);
  });

  it('keeps for the visit what the disk takes and then gives up', async () => {
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

  it('is opened again where the browser has closed it, also after one refusal', async () => {
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

  it('finds each of many among more than are looked up at once', async () => {
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

  it('counts and finds what is stored and what is of the visit alone, and forgets both', async () => {
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

  it('lets go when another tab brings a newer version, and nobody is told of an erasure', async () => {
    const onErased = vi.fn<() => void>();
    const store = await openVectorStore(onErased);
    await store.put([createVector('a', 1)]);
    (await openDB('bench-vectors', 2)).close();
    expect(await store.get(['a'])).toEqual([undefined]);
    expect(store.getMode()).toBe('memory');
    expect(onErased).not.toHaveBeenCalled();
  });

  it('is in memory where there is no database', async () => {
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
  ] as const)('that could not be read once by %s is not given up for the visit', async (method, read) => {
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

  it('is in memory where the browser does not answer within three seconds', async () => {
    await openVectorStore();
    const blockingConnection = await openDB('bench-vectors', 1);
    // It waits for the holder, and whoever opens it waits for that.
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
    // What opens too late is let go of.
    await waitUntil(() => close.mock.calls.length === 2);
  });
});
