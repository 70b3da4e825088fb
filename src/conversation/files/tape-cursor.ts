/** What a run looked like at any moment of its tape: the fold of the tape up to then, found without folding from the start. */
import { createTapeReader } from '../../gateway/stream/stream-events.ts';
import { getEntryTime, type TapeEntry } from '../../gateway/stream/tape.ts';
import { applyEvents, resetRun, type TimedEvent } from '../reply/run.ts';
import type { Choice, Part, Run } from '../session/types.ts';
import { buildTraceTicks, type Tick } from '../trace/trace.ts';

export interface TapeCursor {
  /** The run with exactly the entries that had arrived at this moment, ms since the POST; that moment included. */
  getRunAt: (ms: number) => Run;
  /** How many entries had arrived at this moment. */
  countEntriesAt: (ms: number) => number;
  /** Arrival of every entry, in order; grows in place. */
  arrivalTimes: readonly number[];
  /** Grows in place. */
  ticks: readonly Tick[];
  /** More of the tape. */
  push: (entries: readonly TapeEntry[]) => void;
}

/** A step from a kept run never folds more than this many entries. */
const entriesPerSnapshot = 256;

/** `run` gives the setup and the identity; what it already says does not matter. */
export function createTapeCursor(run: Run): TapeCursor {
  const readEntry = createTapeReader();
  const arrivalTimes: number[] = [];
  const entryEvents: TimedEvent[][] = [];
  const ticks: Tick[] = [];
  const emptyRun = resetRun(run);
  const snapshots: Run[] = [emptyRun];
  let lastState = { count: 0, run: emptyRun };

  /** The run after this many entries. */
  function computeRunAfter(count: number): Run {
    const snapshotIndex = Math.floor(count / entriesPerSnapshot);
    const nearestState =
      lastState.count <= count && lastState.count >= snapshotIndex * entriesPerSnapshot
        ? lastState
        : getSnapshot(snapshotIndex);
    const batch = entryEvents.slice(nearestState.count, count).flat();
    lastState = { count, run: applyEvents(nearestState.run, batch) };
    return lastState.run;
  }

  function getSnapshot(snapshotIndex: number): { count: number; run: Run } {
    for (let index = snapshots.length; index <= snapshotIndex; index += 1) {
      const previous = snapshots[index - 1] ?? emptyRun;
      const start = (index - 1) * entriesPerSnapshot;
      snapshots.push(applyEvents(previous, entryEvents.slice(start, start + entriesPerSnapshot).flat()));
    }
    return { count: snapshotIndex * entriesPerSnapshot, run: snapshots[snapshotIndex] ?? emptyRun };
  }

  /** Entries up to and including this moment. Arrivals never go back, so the first later one ends them. */
  function countEntriesAt(ms: number): number {
    let [from, to] = [0, arrivalTimes.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((arrivalTimes[middle] ?? 0) <= ms) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  return {
    getRunAt: (ms) => computeRunAfter(countEntriesAt(ms)),
    countEntriesAt,
    arrivalTimes,
    ticks,
    push: (entries) => {
      for (const entry of entries) {
        // A clock that was set back would make an entry come before the one it follows.
        const atMs = Math.max(getEntryTime(entry), arrivalTimes.at(-1) ?? 0);
        const events = readEntry(entry).map((event): TimedEvent => ({ atMs, event }));
        arrivalTimes.push(atMs);
        entryEvents.push(events);
        for (const tick of buildTraceTicks(events)) ticks.push(tick);
      }
    },
  };
}

/** Lists the parts of a candidate as text, in order of arrival; images as the word "Image". */
export function getCandidateParts(choice: Choice | undefined): { type: Part['type']; text: string }[] {
  return (choice?.parts ?? []).map((part) => ({ type: part.type, text: formatPart(part) }));
}

function formatPart(part: Part): string {
  if (part.type === 'image') return 'Image';
  return part.type === 'tool-call' ? `${part.name}(${part.arguments})` : part.text;
}
