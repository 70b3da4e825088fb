import { openRecordStore } from '../storage/db.ts';
import { memoryRecordStore } from '../storage/memory-store.ts';
import type { RecordStore } from '../storage/record-store.ts';

/** A database that another tab blocks may never open; the app starts without it. */
const patienceMs = 2000;

/** The database, or records in memory where the browser refuses one or does not open it in time. Never rejects. */
export async function openRecords(onOutdated: () => void): Promise<RecordStore> {
  const opening = openRecordStore({ onOutdated });
  const late = new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), patienceMs);
  });
  try {
    const opened = await Promise.race([opening, late]);
    if (opened) {
      void askToPersist();
      return opened;
    }
    // What opens too late is let go of, so that it blocks no other tab.
    opening.then((records) => records.close()).catch(() => undefined);
  } catch {
    // Refused, as in some private windows: the banner says what that means.
  }
  return memoryRecordStore();
}

/** Without this the browser may throw the sessions away when the disk fills up. A refusal changes nothing here. */
async function askToPersist(): Promise<void> {
  try {
    await navigator.storage.persist();
  } catch {
    // Insecure origins have no storage manager.
  }
}
