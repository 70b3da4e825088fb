import { openStorage, type BrowserStorage } from '../../state/storage.ts';
import { openRecordStore } from '../../storage/db.ts';

/** The database of this browser. */
export function openRecords(): BrowserStorage {
  return openStorage(async (events) => {
    const records = await openRecordStore(events);
    void requestPersistence();
    return records;
  });
}

/** Without this the browser may throw the sessions away when the disk fills up. A refusal changes nothing here. */
async function requestPersistence(): Promise<void> {
  try {
    await navigator.storage.persist();
  } catch {
    // Insecure origins have no storage manager.
  }
}
