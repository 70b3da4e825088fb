/** What a run looked like at any moment of its tape: the fold of the tape up to then, found without folding from the start. */
import { createTapeReader } from '../../gateway/stream/stream-events.ts';
import { getEntryTime, type TapeEntry } from '../../gateway/stream/tape.ts';
import { applyEvents, blankRun, type TimedEvent } from '../reply/run.ts';
import type { Choice, Part, Run } from '../session/types.ts';
import { ticksOf, type Tick } from '../trace/trace.ts';

export interface TapeCursor {
  /** The run with exactly the entries that had arrived at this moment, ms since the POST; that moment included. */
  runAt: (ms: number) => Run;
  /** How many entries had arrived at this moment. */
  entriesAt: (ms: number) => number;
  /** Arrival of every entry, in order; grows in place. */
  arrivals: readonly number[];
  /** Grows in place. */
  ticks: readonly Tick[];
  /** More of the tape. */
  push: (entries: readonly TapeEntry[]) => void;
}

/** A step from a kept run never folds more than this many entries. */
const entriesBetweenKept = 256;

/** `run` gives the setup and the identity; what it already says does not matter. */
export function createTapeCursor(run: Run): TapeCursor {
  const read = createTapeReader();
  const arrivals: number[] = [];
  const eventsOf: TimedEvent[][] = [];
  const ticks: Tick[] = [];
  const blank = blankRun(run);
  const kept: Run[] = [blank];
  let last = { count: 0, run: blank };

  /** The run after this many entries. */
  function runAfter(count: number): Run {
    const step = Math.floor(count / entriesBetweenKept);
    const from = last.count <= count && last.count >= step * entriesBetweenKept ? last : nearest(step);
    const batch = eventsOf.slice(from.count, count).flat();
    last = { count, run: applyEvents(from.run, batch) };
    return last.run;
  }

  function nearest(step: number): { count: number; run: Run } {
    for (let at = kept.length; at <= step; at += 1) {
      const before = kept[at - 1] ?? blank;
      const from = (at - 1) * entriesBetweenKept;
      kept.push(applyEvents(before, eventsOf.slice(from, from + entriesBetweenKept).flat()));
    }
    return { count: step * entriesBetweenKept, run: kept[step] ?? blank };
  }

  /** Entries up to and including this moment. Arrivals never go back, so the first later one ends them. */
  function entriesAt(ms: number): number {
    let [from, to] = [0, arrivals.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((arrivals[middle] ?? 0) <= ms) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  return {
    runAt: (ms) => runAfter(entriesAt(ms)),
    entriesAt,
    arrivals,
    ticks,
    push: (entries) => {
      for (const entry of entries) {
        // A clock that was set back would make an entry come before the one it follows.
        const atMs = Math.max(getEntryTime(entry), arrivals.at(-1) ?? 0);
        const events = read(entry).map((event): TimedEvent => ({ atMs, event }));
        arrivals.push(atMs);
        eventsOf.push(events);
        for (const tick of ticksOf(events)) ticks.push(tick);
      }
    },
  };
}

/** Lists the parts of a candidate as text, in order of arrival; images as the word "Image". */
export function saidIn(choice: Choice | undefined): { type: Part['type']; text: string }[] {
  return (choice?.parts ?? []).map((part) => ({ type: part.type, text: formatPart(part) }));
}

function formatPart(part: Part): string {
  if (part.type === 'image') return 'Image';
  return part.type === 'tool-call' ? `${part.name}(${part.arguments})` : part.text;
}
