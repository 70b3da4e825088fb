import { createTapeReader } from '../../gateway/stream/stream-events.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { ticksOf, type Tick } from '../trace/trace.ts';

/** The ticks of a stored tape. */
export function ticksOfTape(entries: readonly TapeEntry[]): Tick[] {
  const read = createTapeReader();
  return entries.flatMap((entry) => ticksOf(read(entry).map((event) => ({ atMs: entry.at, event }))));
}
