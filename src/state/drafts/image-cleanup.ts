/** Takes images off the disk that nothing refers to any more: messages were deleted, drafts were sent without them. */
import { getNumberProperty, getOwnProperty, getStringProperty } from '../../lib/json.ts';
import { getRecordKey } from '../../storage/memory-record-store.ts';
import type { KeyedStore, RecordStore, Write } from '../../storage/record-store.ts';
import { isTrialKey } from '../../trials/trial.ts';

const scanPageSize = 100;
/** Another tab may have put an image down whose message is not on the disk yet. */
const minAgeMs = 60 * 60 * 1000;

const referencingStores: readonly KeyedStore[] = ['prompts', 'turns', 'runs', 'drafts', 'presets', 'trials'];
const imageReferencePattern = /bench-image:([0-9a-f]{64})/g;

/**
 * Hashes of stored images that no record mentions. Whatever looks like a reference counts, in records that
 * cannot be read as well: an image too many is a smaller loss than one that is missing.
 */
export async function findOrphanedImages(records: RecordStore, nowMs: number): Promise<Set<string>> {
  const orphans = new Set(await records.listKeys('images'));
  for (const store of referencingStores) {
    if (orphans.size === 0) return orphans;
    let lastKey: string | undefined;
    for (;;) {
      const slice = await records.scan(store, scanPageSize, lastKey);
      for (const record of slice) {
        removeReferenced(orphans, record);
        // The images of an unfinished run are on its tape only.
        const runId = store === 'runs' && isUnfinished(record) ? getStringProperty(record, 'id') : undefined;
        if (runId !== undefined) removeReferenced(orphans, await records.readTape(runId, 0));
      }
      lastKey = getRecordKey(slice.at(-1));
      // Without a key it would begin again from the start.
      if (slice.length < scanPageSize || lastKey === '') break;
    }
  }
  // What was said before in a case; one trial after the other.
  for (const trialId of (await records.listKeys('trials')).filter(isTrialKey)) {
    if (orphans.size === 0) return orphans;
    for (const block of await records.listByTrial('cases', trialId)) removeReferenced(orphans, block);
  }
  for (const hash of orphans) {
    const addedAt = getNumberProperty(await records.readRecord('images', hash), 'addedAt') ?? 0;
    if (nowMs - addedAt < minAgeMs) orphans.delete(hash);
  }
  return orphans;
}

function isUnfinished(record: unknown): boolean {
  return ['queued', 'waiting', 'streaming'].includes(
    getStringProperty(getOwnProperty(record, 'phase'), 'name') ?? '',
  );
}

function removeReferenced(orphans: Set<string>, record: unknown): void {
  for (const match of JSON.stringify(record).matchAll(imageReferencePattern)) orphans.delete(match[1] ?? '');
}

/** A deletion in any tab can be taken back for less than this. */
const undoWindowMs = 60_000;

/** Removes what is orphaned now and still is when no deletion can be taken back any more. */
export async function removeOrphanedImages(
  records: RecordStore,
  now: () => number,
  wait: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
): Promise<void> {
  const previousOrphans = await findOrphanedImages(records, now());
  if (previousOrphans.size === 0) return;
  await wait(undoWindowMs);
  const currentOrphans = await findOrphanedImages(records, now());
  const writes = [...currentOrphans]
    .filter((hash) => previousOrphans.has(hash))
    .map((hash): Write => ({ store: 'images', remove: hash }));
  await records.write(writes);
}
