import type { Page } from 'playwright/test';

/** Returns the JSON of every record of both databases by store, with the content of blobs and arrays. */
export function dumpDatabases(page: Page): Promise<Record<string, string[]>> {
  return page.evaluate(async () => {
    const toPromise = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(new Error('The database could not be read')));
      });
    const formatRecord = async (record: unknown): Promise<string> => {
      const blob: unknown =
        typeof record === 'object' && record !== null && 'blob' in record ? record.blob : undefined;
      const blobText = blob instanceof Blob ? `${blob.type} ${await blob.text()}` : '';
      const sortKeys = (_: string, value: unknown): unknown => {
        if (value instanceof Uint8Array || value instanceof Float32Array) return [...value];
        const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value);
        return isPlain ? Object.fromEntries(Object.entries(value).toSorted()) : value;
      };
      return JSON.stringify(record, sortKeys) + blobText;
    };
    const dump: Record<string, string[]> = {};
    for (const name of ['bench', 'bench-vectors']) {
      const db = await toPromise(indexedDB.open(name));
      for (const store of db.objectStoreNames) {
        const records = await toPromise(db.transaction(store).objectStore(store).getAll());
        dump[store] = await Promise.all(records.map(formatRecord));
      }
      db.close();
    }
    return dump;
  });
}
