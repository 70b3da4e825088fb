import { useMemo } from 'react';

import { describeWins } from '../../../conversation/comparison/turn-vote.ts';
import type { LaneId } from '../../../conversation/session/types.ts';
import { getCurrentSession } from '../../../state/sessions/session-store.ts';
import { usePlayground, useSessionShallow, useView } from '../../../state/use-playground.tsx';

/** How often this lane was better: "better in 2 of 3". Not while the names are hidden, where it would tell who is who. */
export function LaneWins({ laneId }: { laneId: LaneId }) {
  const { session } = usePlayground();
  const namesHidden = useView((view) => view.namesHidden);
  const sessionParts = useSessionShallow(({ session: sessionRecord, lanes, prompts, turns }) => [
    sessionRecord,
    lanes,
    prompts,
    turns,
  ]);
  // Of the runs only how they stand is of interest, not that they grow.
  const phases = useSessionShallow(({ runs }) => Object.values(runs).map((run) => run.phase.name));
  const winsText = useMemo(() => {
    const data = sessionParts && phases && getCurrentSession(session.getState());
    return data && describeWins(data, laneId);
  }, [sessionParts, phases, session, laneId]);
  if (namesHidden || winsText === undefined) return null;
  return <span className="flex-none text-12 text-ink-2 slim:@max-[440px]/lane:sr-only">{winsText}</span>;
}
