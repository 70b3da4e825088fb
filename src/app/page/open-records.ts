import { openStorage, type BrowserStorage } from '../../state/storage.ts';
import { openRecordStore } from '../../storage/db.ts';

/** Opens the database of this browser. */
export function openRecords(): BrowserStorage {
  return openStorage(async (events) => {
    const records = await openRecordStore(events);
    void requestPersistence();
    return records;
  });
}

/** Asks the browser not to evict the sessions when the disk is full. A refusal has no effect. */
async function requestPersistence(): Promise<void> {
  try {
    await navigator.storage.persist();
  } catch {
    // Insecure origins have no storage manager.
  }
}
