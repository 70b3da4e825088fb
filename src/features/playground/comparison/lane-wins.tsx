import { useMemo } from 'react';

import { describeWins } from '../../../conversation/comparison/turn-vote.ts';
import type { LaneId } from '../../../conversation/session/types.ts';
import { getCurrentSession } from '../../../state/sessions/session-store.ts';
import { usePlayground, useSessionShallow, useView } from '../../../state/use-playground.tsx';

/**
 * Number of turns in which the lane was better, such as "better in 2 of 3". Hidden while names are hidden, because it
 * would identify the models.
 */
export function LaneWins({ laneId }: { laneId: LaneId }) {
  const { session } = usePlayground();
  const namesHidden = useView((view) => view.namesHidden);
  const sessionParts = useSessionShallow(({ session: sessionRecord, lanes, prompts, turns }) => [
    sessionRecord,
    lanes,
    prompts,
    turns,
  ]);
  // Depends only on the phases of runs, so that streaming text does not cause a re-render.
  const phases = useSessionShallow(({ runs }) => Object.values(runs).map((run) => run.phase.name));
  const winsText = useMemo(() => {
    const data = sessionParts && phases && getCurrentSession(session.getState());
    return data && describeWins(data, laneId);
  }, [sessionParts, phases, session, laneId]);
  if (namesHidden || winsText === undefined) return null;
  return (
    <span className="flex-none text-12 text-ink-2 max-phone:@max-[440px]/lane:sr-only low:@max-[440px]/lane:sr-only">
      {winsText}
    </span>
  );
}
