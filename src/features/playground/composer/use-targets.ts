import type { LaneId } from '../../../conversation/session/types.ts';
import { useSessionParts, useView } from '../../../state/react.tsx';

/** The lanes that the next message goes to, in order: all but those that were unticked. */
export function useTargets(): LaneId[] {
  const laneIds = useSessionParts((data) => data.session.laneIds) ?? [];
  const notTo = useView((view) => view.notTo);
  return laneIds.length === 1 ? laneIds : laneIds.filter((laneId) => !notTo.includes(laneId));
}
