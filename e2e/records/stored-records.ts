/** All that a browser keeps for Bench as one JSON value: every database, and localStorage. Both halves run in the page. */
import type { Page } from 'playwright/test';

export interface StoredRecords {
  databases: {
    name: string;
    version: number;
    stores: {
      name: string;
      keyPath: string | string[];
      indexes: [name: string, keyPath: string][];
      records: unknown[];
    }[];
  }[];
  localStorage: Record<string, string>;
}

/** What JSON cannot say of a record is an object with `$`: its type, and its bytes in base64. */
export function readRecords(page: Page): Promise<StoredRecords> {
  return page.evaluate(async () => {
    const answerOf = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(new Error(String(request.error))));
      });
    const base64Of = (bytes: Uint8Array) =>
      btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    const packed = async (value: unknown): Promise<unknown> => {
      if (value === undefined) return { $: 'undefined' };
      if (value instanceof Blob)
        return { $: 'Blob', type: value.type, bytes: base64Of(new Uint8Array(await value.arrayBuffer())) };
      if (value instanceof ArrayBuffer) return { $: 'ArrayBuffer', bytes: base64Of(new Uint8Array(value)) };
      if (ArrayBuffer.isView(value)) {
        const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
        return { $: value.constructor.name, bytes: base64Of(bytes) };
      }
      if (Array.isArray(value)) return Promise.all(value.map(packed));
      if (typeof value !== 'object' || value === null) return value;
      if (Object.getPrototypeOf(value) !== Object.prototype)
        throw new Error(`No way to write a ${value.constructor.name}`);
      const fields = Object.entries(value).map(async ([name, field]) => [name, await packed(field)] as const);
      return Object.fromEntries(await Promise.all(fields));
    };
    const storeOf = async (store: IDBObjectStore) => {
      if (store.keyPath === null || store.autoIncrement)
        throw new Error(`The keys of ${store.name} are not in its records`);
      return {
        name: store.name,
        keyPath: store.keyPath,
        indexes: Array.from(store.indexNames, (name): [string, string] => [
          name,
          String(store.index(name).keyPath),
        ]),
        records: await answerOf(store.getAll()),
      };
    };
    const databaseOf = async ({ name = '', version = 0 }: IDBDatabaseInfo) => {
      const db = await answerOf(indexedDB.open(name));
      const transaction = db.transaction(db.objectStoreNames);
      const stores = await Promise.all(
        Array.from(db.objectStoreNames, (store) => storeOf(transaction.objectStore(store))),
      );
      db.close();
      const packedStores = stores.map(async (store) => ({
        ...store,
        records: await Promise.all(store.records.map(packed)),
      }));
      return { name, version, stores: await Promise.all(packedStores) };
    };
    const found = await indexedDB.databases();
    return { databases: await Promise.all(found.map(databaseOf)), localStorage: { ...localStorage } };
  });
}

/** Puts them where there is nothing yet: a page of the same origin, before Bench has been there. */
export function restoreRecords(page: Page, records: StoredRecords): Promise<void> {
  return page.evaluate(async ({ databases, localStorage: items }) => {
    const unpacked = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(unpacked);
      if (typeof value !== 'object' || value === null) return value;
      if (!('$' in value))
        return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, unpacked(field)]));
      if (value.$ === 'undefined') return undefined;
      const text = 'bytes' in value ? atob(String(value.bytes)) : '';
      const { buffer } = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
      if (value.$ === 'ArrayBuffer') return buffer;
      if (value.$ === 'Blob') return new Blob([buffer], { type: 'type' in value ? String(value.type) : '' });
      const arrays = { Float32Array, Float64Array, Int8Array, Uint8Array, Uint32Array };
      const array = Object.entries(arrays).find(([name]) => name === value.$)?.[1];
      if (array === undefined) throw new Error(`No way to read a ${String(value.$)}`);
      return new array(buffer);
    };
    for (const { name, version, stores } of databases)
      await new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open(name, version);
        opening.addEventListener('error', () => reject(new Error(String(opening.error))));
        opening.addEventListener('upgradeneeded', () => {
          for (const { name: storeName, keyPath, indexes, records: kept } of stores) {
            const store = opening.result.createObjectStore(storeName, { keyPath });
            for (const [index, path] of indexes) store.createIndex(index, path);
            for (const record of kept) store.put(unpacked(record));
          }
        });
        opening.addEventListener('success', () => {
          opening.result.close();
          resolve();
        });
      });
    for (const [name, value] of Object.entries(items)) localStorage.setItem(name, value);
  }, records);
}
