/** Computes the state of a run at any time of its tape, without folding from the start each time. */
import { createTapeReader } from '../../gateway/stream/stream-events.ts';
import { getEntryTime, type TapeEntry } from '../../gateway/stream/tape.ts';
import { applyEvents, resetRun, type TimedEvent } from '../reply/run.ts';
import type { Choice, Part, Run } from '../session/types.ts';
import { buildTraceTicks, type Tick } from '../trace/trace.ts';

export interface TapeCursor {
  /** Returns the run with the entries that had arrived at this time, inclusive, in ms since the POST. */
  getRunAt: (ms: number) => Run;
  /** Returns the number of entries that had arrived at this time. */
  countEntriesAt: (ms: number) => number;
  /** Arrival times of all entries in ms, in order; appended in place. */
  arrivalTimes: readonly number[];
  /** Ticks of the trace; appended in place. */
  ticks: readonly Tick[];
  /** Appends entries of the tape. */
  push: (entries: readonly TapeEntry[]) => void;
}

/** Number of entries between snapshots, and therefore the maximum number that one step has to fold. */
const entriesPerSnapshot = 256;

/** Creates a cursor. Only the setup and identity of `run` are used. */
export function createTapeCursor(run: Run): TapeCursor {
  const readEntry = createTapeReader();
  const arrivalTimes: number[] = [];
  const entryEvents: TimedEvent[][] = [];
  const ticks: Tick[] = [];
  const emptyRun = resetRun(run);
  const snapshots: Run[] = [emptyRun];
  let lastState = { count: 0, run: emptyRun };

  /** Returns the run after `count` entries. */
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

  /** Counts entries up to this time, inclusive. Arrival times never decrease, so binary search works. */
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
        // Clamped because a clock adjustment could make an entry earlier than its predecessor.
        const atMs = Math.max(getEntryTime(entry), arrivalTimes.at(-1) ?? 0);
        const events = readEntry(entry).map((event): TimedEvent => ({ atMs, event }));
        arrivalTimes.push(atMs);
        entryEvents.push(events);
        for (const tick of buildTraceTicks(events)) ticks.push(tick);
      }
    },
  };
}

/** Returns the parts of a candidate as text, in order of arrival; images become the word "Image". */
export function getCandidateParts(choice: Choice | undefined): { type: Part['type']; text: string }[] {
  return (choice?.parts ?? []).map((part) => ({ type: part.type, text: formatPart(part) }));
}

function formatPart(part: Part): string {
  if (part.type === 'image') return 'Image';
  return part.type === 'tool-call' ? `${part.name}(${part.arguments})` : part.text;
}
