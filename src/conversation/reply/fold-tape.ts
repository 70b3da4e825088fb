import { createTapeReader } from '../../gateway/stream/stream-events.ts';
import { getEntryTime, type TapeEntry } from '../../gateway/stream/tape.ts';
import type { Run } from '../session/types.ts';
import { applyEvents, interruptRun } from './run.ts';

/** Folds a tape, or the rest of it, into the run. */
export function foldTape(run: Run, entries: readonly TapeEntry[]): Run {
  return fold(run, entries, createTapeReader(run.sentAt));
}

/** Folds the tape of an interrupted run, including fields that the reader holds back until the end of a stream. */
export function foldInterruptedTape(run: Run, entries: readonly TapeEntry[]): Run {
  const readEntry = createTapeReader(run.sentAt);
  const foldedRun = fold(run, entries, readEntry);
  const last = entries.at(-1);
  if (!last || 'end' in last) return interruptRun(foldedRun);
  const opaqueEvents = readEntry({ at: last.at, end: 'aborted' }).filter(
    ({ type }) => type === 'opaque-fields',
  );
  return interruptRun(
    applyEvents(
      foldedRun,
      opaqueEvents.map((event) => ({ atMs: getEntryTime(last), event })),
    ),
  );
}

function fold(run: Run, entries: readonly TapeEntry[], readEntry: ReturnType<typeof createTapeReader>): Run {
  const events = entries.flatMap((entry) =>
    readEntry(entry).map((event) => ({ atMs: getEntryTime(entry), event })),
  );
  return applyEvents(run, events);
}
