import { useState } from 'react';
import { createPortal } from 'react-dom';

import type { LaneId } from '../../../conversation/session/types.ts';
import { usePlayground, useSession, useView } from '../../../state/use-playground.tsx';
import { AllLanes } from './all-lanes.tsx';
import { LaneTabs } from './lane-tabs.tsx';

/** What the workspace has below 600 px only: a tab for all lanes and one for each, and the scrim behind the parameters. */
export function Phone({ laneIds }: { laneIds: readonly LaneId[] }) {
  const { view } = usePlayground();
  const [selectedLaneId, setSelectedLaneId] = useState<LaneId>();
  const isSheetOpen = useView((state) => state.isParametersOverlayOpen);
  const hasTurns = useSession((data) => laneIds.some((id) => data.lanes[id]?.tip !== undefined)) ?? false;
  const closeSheet = () => view.setState({ isParametersOverlayOpen: false });
  // A lane that was removed is not shown any more.
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
