/** Takes images off the disk that nothing refers to any more: messages were deleted, drafts were sent without them. */
import { getNumberProperty, getOwnProperty, getStringProperty } from '../../lib/json.ts';
import { keyOfRecord } from '../../storage/memory-store.ts';
import type { KeyedStore, RecordStore, Write } from '../../storage/record-store.ts';
import { isTrialKey } from '../../trials/trial.ts';

const sliceLength = 100;
/** Another tab may have put an image down whose message is not on the disk yet. */
const youngMs = 60 * 60 * 1000;

const holders: readonly KeyedStore[] = ['prompts', 'turns', 'runs', 'drafts', 'presets', 'trials'];
const reference = /bench-image:([0-9a-f]{64})/g;

/**
 * Hashes of stored images that no record mentions. Whatever looks like a reference counts, in records that
 * cannot be read as well: an image too many is a smaller loss than one that is missing.
 */
export async function orphanedImages(records: RecordStore, now: number): Promise<Set<string>> {
  const orphans = new Set(await records.keys('images'));
  for (const store of holders) {
    if (orphans.size === 0) return orphans;
    let after: string | undefined;
    for (;;) {
      const slice = await records.scan(store, sliceLength, after);
      for (const record of slice) {
        removeMentioned(orphans, record);
        // The images of an unfinished run are on its tape only.
        const runId = store === 'runs' && isUnfinished(record) ? getStringProperty(record, 'id') : undefined;
        if (runId !== undefined) removeMentioned(orphans, await records.tape(runId, 0));
      }
      after = keyOfRecord(slice.at(-1));
      // Without a key it would begin again from the start.
      if (slice.length < sliceLength || after === '') break;
    }
  }
  // What was said before in a case; one trial after the other.
  for (const trialId of (await records.keys('trials')).filter(isTrialKey)) {
    if (orphans.size === 0) return orphans;
    for (const block of await records.ofTrial('cases', trialId)) removeMentioned(orphans, block);
  }
  for (const hash of orphans) {
    const addedAt = getNumberProperty(await records.record('images', hash), 'addedAt') ?? 0;
    if (now - addedAt < youngMs) orphans.delete(hash);
  }
  return orphans;
}

function isUnfinished(record: unknown): boolean {
  return ['queued', 'waiting', 'streaming'].includes(
    getStringProperty(getOwnProperty(record, 'phase'), 'name') ?? '',
  );
}

function removeMentioned(orphans: Set<string>, record: unknown): void {
  for (const match of JSON.stringify(record).matchAll(reference)) orphans.delete(match[1] ?? '');
}

/** A deletion in any tab can be taken back for less than this. */
const undoMs = 60_000;

/** Removes what is orphaned now and still is when no deletion can be taken back any more. */
export async function removeOrphanedImages(
  records: RecordStore,
  now: () => number,
  wait: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
): Promise<void> {
  const before = await orphanedImages(records, now());
  if (before.size === 0) return;
  await wait(undoMs);
  const still = await orphanedImages(records, now());
  const writes = [...still]
    .filter((hash) => before.has(hash))
    .map((remove): Write => ({ store: 'images', remove }));
  await records.write(writes);
}
