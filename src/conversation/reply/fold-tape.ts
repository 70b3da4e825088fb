import { createTapeReader } from '../../gateway/stream/stream-events.ts';
import { timeOf, type TapeEntry } from '../../gateway/stream/tape.ts';
import type { Run } from '../session/types.ts';
import { applyEvents } from './run.ts';

/** Folds a whole tape, or the rest of one, into the run. */
export function foldTape(run: Run, entries: readonly TapeEntry[]): Run {
  const read = createTapeReader(run.sentAt);
  const events = entries.flatMap((entry) => read(entry).map((event) => ({ atMs: timeOf(entry), event })));
  return applyEvents(run, events);
}
