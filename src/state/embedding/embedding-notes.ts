/** What jobs of embedding remember beside the vectors, so that the next one need not learn it again. */
import { getNumberProperty, getOwnProperty } from '../../lib/json.ts';
import type { VectorStore } from '../../storage/vector-store.ts';
import type { RunQueue } from '../runs/run-queue.ts';

const sentTimesNoteId = 'minute';

/** Not waited for where a request is about to leave: its turn is now, and a later one is counted from now on. */
export function saveSentTimes(queue: RunQueue, vectors: VectorStore): Promise<void> {
  return vectors.putNote(sentTimesNoteId, { sentAt: queue.state.getState().sentAt });
}

/** A page that was reloaded does not know what it sent in this minute: the gateway does. */
export async function restoreSentTimes(queue: RunQueue, vectors: VectorStore): Promise<void> {
  const storedTimes: unknown = getOwnProperty(await vectors.readNote(sentTimesNoteId), 'sentAt');
  queue.recordSent(
    Array.isArray(storedTimes) ? storedTimes.filter((sentAt) => typeof sentAt === 'number') : [],
  );
}

const getCeilingNoteId = (model: string) => `batch ${model}`;

/** How many inputs this model's server was found to take at once; undefined where it has refused none. */
export async function readCeiling(vectors: VectorStore, model: string): Promise<number | undefined> {
  const note = await vectors.readNote(getCeilingNoteId(model));
  const ceiling = getNumberProperty(note, 'ceiling');
  return ceiling !== undefined && ceiling >= 1 ? Math.floor(ceiling) : undefined;
}

export function saveCeiling(vectors: VectorStore, model: string, ceiling: number | undefined): Promise<void> {
  return vectors.putNote(getCeilingNoteId(model), ceiling === undefined ? undefined : { ceiling });
}
