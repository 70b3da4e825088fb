import { useMemo } from 'react';

import { describeWins } from '../../conversation/comparison/turn-vote.ts';
import type { LaneId } from '../../conversation/session/types.ts';
import { useSessionByPhases, useView } from '../../state/contexts.tsx';

/**
 * Number of turns in which the lane was better, such as "better in 2 of 3". Hidden while names are hidden, because it
 * would identify the models.
 */
export function LaneWins({ laneId }: { laneId: LaneId }) {
  const data = useSessionByPhases();
  const namesHidden = useView((view) => view.namesHidden);
  const winsText = useMemo(() => data && describeWins(data, laneId), [data, laneId]);
  if (namesHidden || winsText === undefined) return null;
  return (
    <span className="flex-none text-12 text-ink-2 max-phone:@max-[440px]/lane:sr-only low:@max-[440px]/lane:sr-only">
      {winsText}
    </span>
  );
}
