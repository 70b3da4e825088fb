import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import { useInspector, useSession, useRunServices } from '../../state/contexts.tsx';
import { getInspectedTurn } from '../../state/runs/inspector-store.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { LaneTile } from '../../ui/display/lane-tile.tsx';

/** Selects the lane shown in the inspector; the other lanes are collapsed while it is open. */
export function LaneSwitch() {
  const { inspector } = useRunServices();
  const laneId = useInspector((state) => state.laneId);
  const laneIds = useSession((data) => data.session.laneIds) ?? [];
  const inspectedLaneId = useSession((data) => getInspectedTurn(data, { laneId }).laneId);
  if (laneIds.length < 2) return null;
  const choices = laneIds.map((id, index) => {
    const letter = getLaneLetter(index);
    return { value: id, label: `Inspect lane ${letter}`, content: <LaneTile letter={letter} /> };
  });
  return (
    <Segmented
      label="Inspected lane"
      value={inspectedLaneId ?? ''}
      choices={choices}
      onChange={(nextLaneId) =>
        inspector.setState({ laneId: nextLaneId, turnId: undefined, selectedEvent: undefined })
      }
    />
  );
}
