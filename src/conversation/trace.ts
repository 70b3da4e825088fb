import { createTapeReader } from '../gateway/stream-events.ts';
import type { TapeEntry } from '../gateway/tape.ts';
import type { TimedEvent } from './run.ts';

/** One mark of the trace: something that a model said, and when. `size` in characters. */
export interface Tick {
  atMs: number;
  kind: 'thinking' | 'answer';
  size: number;
}

/** The ticks of these events, in order. */
export function ticksOf(events: readonly TimedEvent[]): Tick[] {
  return events.flatMap(({ atMs, event }): Tick[] => {
    switch (event.type) {
      case 'thinking-delta':
        return event.text === '' ? [] : [{ atMs, kind: 'thinking', size: event.text.length }];
      case 'text-delta':
      case 'refusal-delta':
        return event.text === '' ? [] : [{ atMs, kind: 'answer', size: event.text.length }];
      case 'tool-call-delta':
        return [{ atMs, kind: 'answer', size: (event.name?.length ?? 0) + (event.arguments?.length ?? 0) }];
      default:
        return [];
    }
  });
}

const rangesMs = [2_000, 4_000, 8_000, 15_000, 30_000, 60_000, 120_000];

/** The shared clock of a turn's lanes: the next of 2, 4, 8, 15, 30, 60, 120 s, then whole multiples of 2 min. */
export function rangeFor(longestMs: number): number {
  return rangesMs.find((range) => longestMs <= range) ?? Math.ceil(longestMs / 120_000) * 120_000;
}

/** The ticks of a stored tape. */
export function ticksOfTape(entries: readonly TapeEntry[]): Tick[] {
  const read = createTapeReader();
  return entries.flatMap((entry) => ticksOf(read(entry).map((event) => ({ atMs: entry.at, event }))));
}
