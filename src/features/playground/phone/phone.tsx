import { useState } from 'react';
import { createPortal } from 'react-dom';

import type { LaneId } from '../../../conversation/session/types.ts';
import { usePlayground, useSession, useView } from '../../../state/use-playground.tsx';
import { AllLanes } from './all-lanes.tsx';
import { LaneTabs } from './lane-tabs.tsx';

/**
 * Elements of the workspace that exist only below 600 px: tabs for all lanes and for each lane, and the scrim behind
 * the parameters.
 */
export function Phone({ laneIds }: { laneIds: readonly LaneId[] }) {
  const { view } = usePlayground();
  const [selectedLaneId, setSelectedLaneId] = useState<LaneId>();
  const isSheetOpen = useView((state) => state.isParametersOverlayOpen);
  const hasTurns = useSession((data) => laneIds.some((id) => data.lanes[id]?.tip !== undefined)) ?? false;
  const closeSheet = () => view.setState({ isParametersOverlayOpen: false });
  // Falls back to all lanes if the selected one was removed.
  const activeLaneId = laneIds.find((id) => id === selectedLaneId);
  const scrim = isSheetOpen && (
    <div className="fixed inset-0 z-20 animate-fade bg-scrim" aria-hidden onClick={closeSheet} />
  );
  return (
    <>
      {laneIds.length > 1 && (
        <LaneTabs laneIds={laneIds} activeLaneId={activeLaneId} onShow={setSelectedLaneId} />
      )}
      {laneIds.length > 1 && activeLaneId === undefined && hasTurns && (
        <AllLanes laneIds={laneIds} onShow={setSelectedLaneId} />
      )}
      {createPortal(scrim, document.body)}
    </>
  );
}
