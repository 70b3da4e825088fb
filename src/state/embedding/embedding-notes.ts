/** Facts that embedding jobs store beside the vectors for later jobs. */
import { getNumberProperty, getOwnProperty } from '../../lib/json.ts';
import type { VectorStore } from '../../storage/vector-store.ts';
import type { RunQueue } from '../runs/run-queue.ts';

const sentTimesNoteId = 'minute';

/** Stores when requests were sent. Callers need not await it, because the queue already counts these requests. */
export function saveSentTimes(queue: RunQueue, vectors: VectorStore): Promise<void> {
  return vectors.putNote(sentTimesNoteId, { sentAt: queue.state.getState().sentAt });
}

/** Restores the send times of the last minute after a reload, since the gateway still counts these requests. */
export async function restoreSentTimes(queue: RunQueue, vectors: VectorStore): Promise<void> {
  const storedTimes: unknown = getOwnProperty(await vectors.readNote(sentTimesNoteId), 'sentAt');
  queue.recordSent(
    Array.isArray(storedTimes) ? storedTimes.filter((sentAt) => typeof sentAt === 'number') : [],
  );
}

const getCeilingNoteId = (model: string) => `batch ${model}`;

/** Returns the batch size that this model's server accepts; undefined if it has not rejected any. */
export async function readCeiling(vectors: VectorStore, model: string): Promise<number | undefined> {
  const note = await vectors.readNote(getCeilingNoteId(model));
  const ceiling = getNumberProperty(note, 'ceiling');
  return ceiling !== undefined && ceiling >= 1 ? Math.floor(ceiling) : undefined;
}

export function saveCeiling(vectors: VectorStore, model: string, ceiling: number | undefined): Promise<void> {
  return vectors.putNote(getCeilingNoteId(model), ceiling === undefined ? undefined : { ceiling });
}
