import { openRecordStore } from '../storage/db.ts';
import { memoryRecordStore } from '../storage/memory-store.ts';
import type { RecordStore } from '../storage/record-store.ts';

/** A database that another tab blocks may never open; the app starts without it. */
const patienceWhenBlockedMs = 2000;
/** A machine that has just started may take seconds for it: whoever gave up sooner would store nothing all day. */
const patienceMs = 10_000;

/** The database, or records in memory where the browser refuses one or does not open it in time. Never rejects. */
export async function openRecords(onOutdated: () => void): Promise<RecordStore> {
  let giveUp: (after: number) => void = () => undefined;
  const late = new Promise<undefined>((resolve) => {
    giveUp = (after) => setTimeout(() => resolve(undefined), after);
  });
  giveUp(patienceMs);
  const opening = openRecordStore({ onOutdated, onBlocked: () => giveUp(patienceWhenBlockedMs) });
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
