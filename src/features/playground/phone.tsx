import { createPortal } from 'react-dom';

import type { LaneId } from '../../conversation/session/types.ts';
import { useSession, useView, useSessionServices } from '../../state/contexts.tsx';
import { AllLanes } from './all-lanes.tsx';
import { LaneTabs } from './lane-tabs.tsx';

interface PhoneProps {
  laneIds: readonly LaneId[];
  /** Lane that is shown; undefined for all lanes. */
  activeLaneId: LaneId | undefined;
  onShow: (laneId: LaneId | undefined) => void;
}

/**
 * Elements of the workspace that exist only below 600 px: tabs for all lanes and for each lane, and the scrim behind
 * the parameters.
 */
export function Phone({ laneIds, activeLaneId, onShow }: PhoneProps) {
  const { view } = useSessionServices();
  const isSheetOpen = useView((state) => state.isParametersOverlayOpen);
  const hasTurns = useSession((data) => laneIds.some((id) => data.lanes[id]?.tip !== undefined)) ?? false;
  const closeSheet = () => view.setState({ isParametersOverlayOpen: false });
  const scrim = isSheetOpen && (
    <div className="fixed inset-0 z-20 animate-fade bg-scrim" aria-hidden onClick={closeSheet} />
  );
  return (
    <>
      {laneIds.length > 1 && <LaneTabs laneIds={laneIds} activeLaneId={activeLaneId} onShow={onShow} />}
      {laneIds.length > 1 && activeLaneId === undefined && hasTurns && (
        <AllLanes laneIds={laneIds} onShow={onShow} />
      )}
      {createPortal(scrim, document.body)}
    </>
  );
}
