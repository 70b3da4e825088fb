/** What jobs of embedding remember beside the vectors, so that the next one need not learn it again. */
import { getNumberProperty, getOwnProperty } from '../../lib/json.ts';
import type { VectorStore } from '../../storage/vector-store.ts';
import type { RunQueue } from '../runs/run-queue.ts';

const minuteNote = 'minute';

/** Not waited for where a request is about to leave: its turn is now, and a later one is counted from now on. */
export function noteMinute(queue: RunQueue, vectors: VectorStore): Promise<void> {
  return vectors.putNote(minuteNote, { sentAt: queue.state.getState().sentAt });
}

/** A page that was reloaded does not know what it sent in this minute: the gateway does. */
export async function recallMinute(queue: RunQueue, vectors: VectorStore): Promise<void> {
  const noted: unknown = getOwnProperty(await vectors.note(minuteNote), 'sentAt');
  queue.noteSent(Array.isArray(noted) ? noted.filter((at) => typeof at === 'number') : []);
}

const ceilingNote = (model: string) => `batch ${model}`;

/** How many inputs this model's server was found to take at once; undefined where it has refused none. */
export async function readCeiling(vectors: VectorStore, model: string): Promise<number | undefined> {
  const found = await vectors.note(ceilingNote(model));
  const ceiling = getNumberProperty(found, 'ceiling');
  return ceiling !== undefined && ceiling >= 1 ? Math.floor(ceiling) : undefined;
}

export function noteCeiling(vectors: VectorStore, model: string, ceiling: number | undefined): Promise<void> {
  return vectors.putNote(ceilingNote(model), ceiling === undefined ? undefined : { ceiling });
}
