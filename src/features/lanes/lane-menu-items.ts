/** Actions on a lane, used by its menu and by the commands. */
import { maxLanes } from '../../conversation/session/lanes.ts';
import type { LaneId } from '../../conversation/session/types.ts';
import type { Actions } from '../../state/sessions/actions.ts';

/** Position of a lane. */
interface LanePosition {
  index: number;
  count: number;
}

export interface LaneMenuItem {
  id: string;
  /** Label in the lane's menu. */
  label: string;
  /** Label that names the lane, used outside its menu. */
  fullLabel: (letter: string) => string;
  /** Explanation to read before running the action. */
  description?: string;
  isDestructive?: true;
  /** Returns why the action is disabled, or `undefined`. */
  getDisabledReason: (position: LanePosition) => string | undefined;
  run: (actions: Actions, laneId: LaneId) => void | Promise<void>;
}

type LaneCount = Pick<LanePosition, 'count'>;

export function getOnlyLaneReason({ count }: LaneCount): string | undefined {
  return count === 1 ? 'Only one lane' : undefined;
}

export function getLaneLimitReason({ count }: LaneCount): string | undefined {
  return count >= maxLanes ? `Limit: ${maxLanes} lanes` : undefined;
}

export const laneMenuItems: readonly LaneMenuItem[] = [
  {
    id: 'duplicate',
    label: 'Duplicate lane',
    fullLabel: (letter) => `Duplicate lane ${letter}`,
    getDisabledReason: getLaneLimitReason,
    run: (actions, laneId) => actions.addLane(laneId),
  },
  {
    id: 'left',
    label: 'Move left',
    fullLabel: (letter) => `Move lane ${letter} left`,
    getDisabledReason: ({ index }) => (index === 0 ? 'First lane' : undefined),
    run: (actions, laneId) => actions.moveLane(laneId, -1),
  },
  {
    id: 'right',
    label: 'Move right',
    fullLabel: (letter) => `Move lane ${letter} right`,
    getDisabledReason: ({ index, count }) => (index === count - 1 ? 'Last lane' : undefined),
    run: (actions, laneId) => actions.moveLane(laneId, 1),
  },
  {
    id: 'copy',
    label: 'Copy setup to all lanes',
    fullLabel: (letter) => `Copy the setup of lane ${letter} to all lanes`,
    description: 'can be undone for 8 seconds',
    getDisabledReason: getOnlyLaneReason,
    run: (actions, laneId) => actions.copySetupToAll(laneId),
  },
  {
    id: 'remove',
    label: 'Remove lane',
    fullLabel: (letter) => `Remove lane ${letter}`,
    description: 'can be undone for 8 seconds',
    isDestructive: true,
    getDisabledReason: getOnlyLaneReason,
    run: (actions, laneId) => actions.removeLane(laneId),
  },
];
