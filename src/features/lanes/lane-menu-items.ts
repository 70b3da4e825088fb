/** Actions on a lane, used by its menu and by the commands. */
import { maxLanes } from '../../conversation/session/lanes.ts';
import type { LaneId } from '../../conversation/session/types.ts';
import { withModelChoice } from '../../conversation/setup/model-key.ts';
import type { AppServices, SessionServices } from '../../state/create-playground.ts';
import { getCurrentSession } from '../../state/sessions/session-store.ts';
import { setPanelOpen, type OpenPanel } from '../../state/sessions/view-store.ts';

/** Position of a lane. */
interface LanePosition {
  index: number;
  count: number;
  gatewayCount: number;
  /** True if the names of lanes and models are hidden. */
  namesHidden: boolean;
}

type LaneMenuServices = Pick<SessionServices, 'actions' | 'session' | 'view'> & Pick<AppServices, 'gateways'>;

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
  run: (services: LaneMenuServices, laneId: LaneId) => void | Promise<void>;
}

type LaneCount = Pick<LanePosition, 'count'>;

export function getOnlyLaneReason({ count }: LaneCount): string | undefined {
  return count === 1 ? 'Only one lane' : undefined;
}

export function getLaneLimitReason({ count }: LaneCount): string | undefined {
  return count >= maxLanes ? `Limit: ${maxLanes} lanes` : undefined;
}

/** Returns the panel that is open while the lane is renamed. */
export function getLaneNamePanel(laneId: LaneId): OpenPanel {
  return `editor of the name of ${laneId}`;
}

export const laneMenuItems: readonly LaneMenuItem[] = [
  {
    id: 'duplicate',
    label: 'Duplicate lane',
    fullLabel: (letter) => `Duplicate lane ${letter}`,
    getDisabledReason: getLaneLimitReason,
    run: ({ actions }, laneId) => actions.addLane(laneId),
  },
  {
    id: 'gateway',
    label: 'Same model through another gateway',
    fullLabel: (letter) => `Add a lane with the model of lane ${letter} through another gateway`,
    getDisabledReason: (position) =>
      position.gatewayCount < 2
        ? 'Only one gateway. Name more in GATEWAYS on the server'
        : getLaneLimitReason(position),
    run: addLaneThroughOtherGateway,
  },
  {
    id: 'rename',
    label: 'Rename lane',
    fullLabel: (letter) => `Rename lane ${letter}`,
    getDisabledReason: (position) =>
      position.namesHidden ? 'Names are hidden' : getOnlyLaneReason(position),
    run: ({ view }, laneId) => setPanelOpen(view, getLaneNamePanel(laneId)),
  },
  {
    id: 'left',
    label: 'Move left',
    fullLabel: (letter) => `Move lane ${letter} left`,
    getDisabledReason: ({ index }) => (index === 0 ? 'First lane' : undefined),
    run: ({ actions }, laneId) => actions.moveLane(laneId, -1),
  },
  {
    id: 'right',
    label: 'Move right',
    fullLabel: (letter) => `Move lane ${letter} right`,
    getDisabledReason: ({ index, count }) => (index === count - 1 ? 'Last lane' : undefined),
    run: ({ actions }, laneId) => actions.moveLane(laneId, 1),
  },
  {
    id: 'copy',
    label: 'Copy setup to all lanes',
    fullLabel: (letter) => `Copy the setup of lane ${letter} to all lanes`,
    description: 'can be undone for 8 seconds',
    getDisabledReason: getOnlyLaneReason,
    run: ({ actions }, laneId) => actions.copySetupToAll(laneId),
  },
  {
    id: 'remove',
    label: 'Remove lane',
    fullLabel: (letter) => `Remove lane ${letter}`,
    description: 'can be undone for 8 seconds',
    isDestructive: true,
    getDisabledReason: getOnlyLaneReason,
    run: ({ actions }, laneId) => actions.removeLane(laneId),
  },
];

/**
 * Adds a lane with the same setup on the next gateway that no lane uses for this model, one that lists the model if
 * possible.
 */
function addLaneThroughOtherGateway({ actions, session, gateways }: LaneMenuServices, laneId: LaneId): void {
  const data = getCurrentSession(session.getState());
  const setup = data?.lanes[laneId]?.setup;
  if (!data || !setup) return;
  const names = gateways.statuses.getState().map(({ name }) => name);
  const currentIndex = names.indexOf(gateways.getStatus(setup.gateway)?.name ?? '');
  const choices = names
    .slice(currentIndex + 1)
    .concat(names.slice(0, currentIndex))
    .map((gateway) => ({ model: setup.model, gateway }));
  const usedKeys = new Set(Object.values(data.lanes).map((lane) => gateways.getModelKey(lane.setup)));
  const freeChoices = choices.filter((choice) => !usedKeys.has(gateways.getModelKey(choice)));
  const offered = freeChoices.length > 0 ? freeChoices : choices;
  const choice = offered.find((candidate) => gateways.getListedModel(candidate)) ?? offered[0];
  if (choice) actions.addLane(laneId, (current) => withModelChoice(current, choice));
}
