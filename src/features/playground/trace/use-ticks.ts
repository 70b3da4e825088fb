import { useQuery } from '@tanstack/react-query';

import { isLive } from '../../../conversation/reply/run.ts';
import type { Run } from '../../../conversation/session/types.ts';
import { buildTraceTicks, type Tick } from '../../../conversation/trace/trace.ts';
import { createTapeReader } from '../../../gateway/stream/stream-events.ts';
import type { TapeEntry } from '../../../gateway/stream/tape.ts';
import { usePlayground } from '../../../state/use-playground.tsx';

const none: readonly Tick[] = [];

/** The ticks of a run: those that this page saw come, which grow in place, else those of the stored tape. */
export function useTicks(run: Run): readonly Tick[] {
  const { traces, library } = usePlayground();
  const seen = traces.get(run.id);
  const stored = useQuery({
    queryKey: ['trace', run.id],
    queryFn: async () => ticksOfTape(await library.readTape(run.id)),
    enabled: !isLive(run) && seen === undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return seen ?? stored.data ?? none;
}

/** The ticks of a stored tape. */
export function ticksOfTape(entries: readonly TapeEntry[]): Tick[] {
  const read = createTapeReader();
  return entries.flatMap((entry) => buildTraceTicks(read(entry).map((event) => ({ atMs: entry.at, event }))));
}
