/** Deletes images that nothing refers to any more, for example after messages were deleted. */
import { getNumberProperty, getOwnProperty, getStringProperty } from '../../lib/json.ts';
import { getRecordKey } from '../../storage/memory-record-store.ts';
import type { KeyedStore, RecordStore, Write } from '../../storage/record-store.ts';
import { isTrialKey } from '../../trials/trial.ts';

const scanPageSize = 100;
/** Minimum age in ms; another tab may have stored an image whose message is not on disk yet. */
const minAgeMs = 60 * 60 * 1000;

const referencingStores: readonly KeyedStore[] = ['prompts', 'turns', 'runs', 'drafts', 'presets', 'trials'];
const imageReferencePattern = /bench-image:([0-9a-f]{64})/g;

/**
 * Returns the hashes of stored images that no record mentions. Anything that looks like a reference counts, even in
 * unreadable records, because keeping an unused image is better than losing one in use.
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
        // While a run is unfinished, its images are only on the tape.
        const runId = store === 'runs' && isUnfinished(record) ? getStringProperty(record, 'id') : undefined;
        if (runId !== undefined) removeReferenced(orphans, await records.readTape(runId, 0));
      }
      lastKey = getRecordKey(slice.at(-1));
      // Without a key, the scan would restart from the beginning.
      if (slice.length < scanPageSize || lastKey === '') break;
    }
  }
  // Case messages may contain images. Trials are read one at a time.
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

/** Deletions in any tab can be undone for less than this (ms). */
const undoWindowMs = 60_000;

/** Removes images that are orphaned now and remain so until no deletion can be undone any more. */
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
