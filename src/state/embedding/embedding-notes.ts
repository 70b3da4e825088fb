/**
 * Facts that embedding jobs store beside the vectors for later jobs. Each belongs to a gateway, which has no name if it
 * is the first one.
 */
import type { ModelChoice } from '../../conversation/session/types.ts';
import { buildModelKey } from '../../conversation/setup/model-key.ts';
import { getNumberProperty, getOwnProperty } from '../../lib/json.ts';
import type { VectorStore } from '../../storage/vector-store.ts';
import type { RunQueue } from '../runs/run-queue.ts';

const getSentTimesNoteId = (gateway: string | undefined) =>
  gateway === undefined ? 'minute' : `minute ${gateway}`;

/** Stores when requests were sent. Callers need not await it, because the queue already counts these requests. */
export function saveSentTimes(queue: RunQueue, vectors: VectorStore, gateway?: string): Promise<void> {
  return vectors.putNote(getSentTimesNoteId(gateway), { sentAt: queue.state.getState().sentAt });
}

/** Restores the send times of the last minute after a reload, since the gateway still counts these requests. */
export async function restoreSentTimes(
  queue: RunQueue,
  vectors: VectorStore,
  gateway?: string,
): Promise<void> {
  const storedTimes: unknown = getOwnProperty(await vectors.readNote(getSentTimesNoteId(gateway)), 'sentAt');
  queue.recordSent(
    Array.isArray(storedTimes) ? storedTimes.filter((sentAt) => typeof sentAt === 'number') : [],
  );
}

const getCeilingNoteId = ({ model, gateway }: ModelChoice) => `batch ${buildModelKey(model, gateway)}`;

/** Returns the batch size that this model's server accepts; undefined if it has not rejected any. */
export async function readCeiling(vectors: VectorStore, choice: ModelChoice): Promise<number | undefined> {
  const note = await vectors.readNote(getCeilingNoteId(choice));
  const ceiling = getNumberProperty(note, 'ceiling');
  return ceiling !== undefined && ceiling >= 1 ? Math.floor(ceiling) : undefined;
}

export function saveCeiling(
  vectors: VectorStore,
  choice: ModelChoice,
  ceiling: number | undefined,
): Promise<void> {
  return vectors.putNote(getCeilingNoteId(choice), ceiling === undefined ? undefined : { ceiling });
}
