import { useQuery } from '@tanstack/react-query';

import { isLive } from '../../../conversation/reply/run.ts';
import type { Run } from '../../../conversation/session/types.ts';
import { buildTapeTicks, type Tick } from '../../../conversation/trace/trace.ts';
import { useRunServices, useLibraryServices } from '../../../state/contexts.tsx';

const noTicks: readonly Tick[] = [];

/**
 * Returns the ticks of a run: the ticks received by this page, which grow in place, or otherwise those of the stored
 * tape.
 */
export function useTicks(run: Run): readonly Tick[] {
  const { traces } = useRunServices();
  const { library } = useLibraryServices();
  const liveTicks = traces.get(run.id);
  const storedTicks = useQuery({
    queryKey: ['trace', run.id],
    queryFn: async () => buildTapeTicks(await library.readTape(run.id)),
    enabled: !isLive(run) && liveTicks === undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return liveTicks ?? storedTicks.data ?? noTicks;
}
