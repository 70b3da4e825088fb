/** What can be done with a lane: its menu and the commands are made from this table. */
import { maxLanes } from '../../../conversation/session/lanes.ts';
import type { LaneId } from '../../../conversation/session/types.ts';
import type { Actions } from '../../../state/sessions/actions.ts';

/** Where a lane stands. */
interface LanePlace {
  index: number;
  count: number;
}

export interface LaneChoice {
  id: string;
  /** In the menu of the lane. */
  label: string;
  /** Where it must be said which lane is meant. */
  words: (letter: string) => string;
  /** What is worth knowing before. */
  effect?: string;
  isRemoval?: true;
  /** Why it cannot be done now; undefined where it can. */
  blockedBy: (place: LanePlace) => string | undefined;
  run: (actions: Actions, laneId: LaneId) => void | Promise<void>;
}

type Count = Pick<LanePlace, 'count'>;

export function onlyLane({ count }: Count): string | undefined {
  return count === 1 ? 'The only lane' : undefined;
}

export function noMoreLanes({ count }: Count): string | undefined {
  return count >= maxLanes ? `Limit: ${maxLanes} lanes` : undefined;
}

export const laneChoices: readonly LaneChoice[] = [
  {
    id: 'duplicate',
    label: 'Duplicate lane',
    words: (letter) => `Duplicate lane ${letter}`,
    blockedBy: noMoreLanes,
    run: (actions, laneId) => actions.addLane(laneId),
  },
  {
    id: 'left',
    label: 'Move left',
    words: (letter) => `Move lane ${letter} left`,
    blockedBy: ({ index }) => (index === 0 ? 'First lane' : undefined),
    run: (actions, laneId) => actions.moveLane(laneId, -1),
  },
  {
    id: 'right',
    label: 'Move right',
    words: (letter) => `Move lane ${letter} right`,
    blockedBy: ({ index, count }) => (index === count - 1 ? 'Last lane' : undefined),
    run: (actions, laneId) => actions.moveLane(laneId, 1),
  },
  {
    id: 'copy',
    label: 'Copy setup to all lanes',
    words: (letter) => `Copy the setup of lane ${letter} to all lanes`,
    effect: 'can be undone for 8 seconds',
    blockedBy: onlyLane,
    run: (actions, laneId) => actions.copySetupToAll(laneId),
  },
  {
    id: 'remove',
    label: 'Remove lane',
    words: (letter) => `Remove lane ${letter}`,
    effect: 'can be undone for 8 seconds',
    isRemoval: true,
    blockedBy: onlyLane,
    run: (actions, laneId) => actions.removeLane(laneId),
  },
];
