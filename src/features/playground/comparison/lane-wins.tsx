import { useMemo } from 'react';

import { describeWins } from '../../../conversation/comparison/turn-vote.ts';
import type { LaneId } from '../../../conversation/session/types.ts';
import { getCurrentSession } from '../../../state/sessions/session-store.ts';
import { usePlayground, useSessionShallow, useView } from '../../../state/use-playground.tsx';

/** How often this lane was better: "better in 2 of 3". Not while the names are hidden, where it would tell who is who. */
export function LaneWins({ laneId }: { laneId: LaneId }) {
  const { session } = usePlayground();
  const namesHidden = useView((view) => view.namesHidden);
  const parts = useSessionShallow(({ session: known, lanes, prompts, turns }) => [
    known,
    lanes,
    prompts,
    turns,
  ]);
  // Of the runs only how they stand is of interest, not that they grow.
  const phases = useSessionShallow(({ runs }) => Object.values(runs).map((run) => run.phase.name));
  const words = useMemo(() => {
    const data = parts && phases && getCurrentSession(session.getState());
    return data && describeWins(data, laneId);
  }, [parts, phases, session, laneId]);
  if (namesHidden || words === undefined) return null;
  return <span className="flex-none text-12 text-ink-2 slim:@max-[440px]/lane:sr-only">{words}</span>;
}
