import { createTapeReader } from '../gateway/stream-events.ts';
import type { TapeEntry } from '../gateway/tape.ts';
import { applyEvents } from './run.ts';
import type { Run } from './types.ts';

/** Folds a whole tape, or the rest of one, into the run. */
export function foldTape(run: Run, entries: readonly TapeEntry[]): Run {
  const read = createTapeReader(run.sentAt);
  const events = entries.flatMap((entry) => read(entry).map((event) => ({ atMs: entry.at, event })));
  return applyEvents(run, events);
}
