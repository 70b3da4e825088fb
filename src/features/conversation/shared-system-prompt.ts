import type { LaneId, SessionData } from '../../conversation/session/types.ts';
import { useSession, useView } from '../../state/contexts.tsx';

/** Returns whether one field edits the system prompt of all lanes. */
export function useIsSystemPromptShared(): boolean {
  const isSplit = useView(({ scope, splitsSystemPrompt }) => scope !== undefined || splitsSystemPrompt);
  const isOnlyLane = useSession((data) => data.session.laneIds.length < 2) ?? true;
  const isEqual = useSession(hasEqualSystemPrompts) ?? true;
  return isOnlyLane || (isEqual && !isSplit);
}

/** Returns the lanes whose system prompt is edited together with that of this lane. */
export function useSystemPromptLanes(laneId: LaneId): readonly LaneId[] {
  const allLaneIds = useSession((data) => data.session.laneIds) ?? [];
  return useIsSystemPromptShared() ? allLaneIds : [laneId];
}

function hasEqualSystemPrompts({ session, lanes }: SessionData): boolean {
  const [first, ...others] = session.laneIds.flatMap((laneId) => lanes[laneId]?.setup ?? []);
  return others.every(
    ({ system, systemRole }) => system === first?.system && systemRole === first.systemRole,
  );
}
