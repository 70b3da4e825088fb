import { createContext, use } from 'react';

import type { LaneId } from '../../conversation/session/types.ts';

/**
 * ID of the lane that is shown alone: the inspected one or, on phones, the selected one. `undefined` if all lanes are
 * shown.
 */
export const OnlyLaneContext = createContext<LaneId | undefined>(undefined);

/** Returns true if a different lane is shown alone. */
export function useIsLaneHidden(laneId: LaneId | undefined): boolean {
  const onlyLaneId = use(OnlyLaneContext);
  return onlyLaneId !== undefined && onlyLaneId !== laneId;
}
