import { mostLanes } from '../../../conversation/session/lanes.ts';
import { usePlayground, useSession } from '../../../state/react.tsx';
import { Menu, type MenuItem } from '../../../ui/overlays/menu.tsx';

/** What can be done with a lane. */
export function LaneMenu({ laneId, letter, index }: { laneId: string; letter: string; index: number }) {
  const { actions } = usePlayground();
  const count = useSession((data) => data.session.laneIds.length) ?? 1;
  const full = count >= mostLanes ? { disabledBecause: `Limit: ${mostLanes} lanes` } : {};
  const only = count === 1 ? { disabledBecause: 'The only lane' } : {};
  const items: MenuItem[] = [
    { label: 'Duplicate lane', onPick: () => actions.addLane(laneId), ...full },
    {
      label: 'Move left',
      onPick: () => actions.moveLane(laneId, -1),
      ...(index === 0 ? { disabledBecause: 'First lane' } : {}),
    },
    {
      label: 'Move right',
      onPick: () => actions.moveLane(laneId, 1),
      ...(index === count - 1 ? { disabledBecause: 'Last lane' } : {}),
    },
    { label: 'Copy setup to all lanes', onPick: () => actions.copySetupToAll(laneId), ...only },
    {
      label: 'Remove lane',
      danger: true,
      startsGroup: true,
      onPick: () => void actions.removeLane(laneId),
      ...only,
    },
  ];
  return <Menu label={`Lane ${letter} menu`} items={items} />;
}
