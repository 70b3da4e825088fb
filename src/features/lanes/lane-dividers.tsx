import type { KeyboardEvent } from 'react';

import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { LaneId } from '../../conversation/session/types.ts';
import { useView, useSessionServices } from '../../state/contexts.tsx';
import { ResizeHandle } from '../../ui/controls/resize-handle.tsx';
import { bringLaneIntoView, getLaneHeaderTarget } from '../workspace/playground-focus-targets.ts';
import { minFitLanePx, withLaneWidth } from './lane-columns.ts';

const stepPx = 16;
const keySteps: Record<string, number> = { ArrowLeft: -stepPx, ArrowRight: stepPx };

/** Handles between the lane headers that resize a lane by dragging or with Left and Right. */
export function LaneDividers({ laneIds }: { laneIds: readonly LaneId[] }) {
  return (
    <div className="pointer-events-none absolute inset-0 grid grid-cols-(--lane-columns) max-phone:hidden print:hidden">
      {laneIds.map((laneId, index) => (
        <div key={laneId} className="relative">
          {index < laneIds.length - 1 && <Divider laneId={laneId} letter={getLaneLetter(index)} />}
        </div>
      ))}
    </div>
  );
}

function Divider({ laneId, letter }: { laneId: LaneId; letter: string }) {
  const { view } = useSessionServices();
  const fixedWidth = useView(({ laneWidths }) => laneWidths[laneId]);
  const getWidth = () => Math.round(getLaneHeaderTarget(letter).findElement()?.offsetWidth ?? minFitLanePx);
  const setWidth = (width: number) =>
    view.setState(({ laneWidths }) => ({
      laneWidths: withLaneWidth(laneWidths, laneId, width),
      fitsLanes: false,
      soloLane: undefined,
    }));
  const onKeyDown = (event: KeyboardEvent) => {
    const step = keySteps[event.key];
    if (event.key === 'Enter') return toggleSolo(event);
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    setWidth(getWidth() + step);
  };
  const toggleSolo = (event: { preventDefault: () => void }) => {
    event.preventDefault();
    const isSolo = view.getState().soloLane === laneId;
    view.setState({ soloLane: isSolo ? undefined : laneId, laneWidths: {} });
    requestAnimationFrame(() => bringLaneIntoView(letter));
  };
  return (
    <ResizeHandle
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`Width of lane ${letter}`}
      aria-valuemin={minFitLanePx}
      aria-valuenow={fixedWidth ?? minFitLanePx}
      aria-valuetext={fixedWidth === undefined ? 'Automatic' : `${fixedWidth} pixels`}
      title="Drag to resize. Double-click to show one lane."
      className="pointer-events-auto -right-1 z-3"
      getWidth={getWidth}
      onWidth={setWidth}
      onKeyDown={onKeyDown}
      onDoubleClick={toggleSolo}
      onMouseDown={(event) => {
        event.preventDefault();
        event.currentTarget.focus();
      }}
    />
  );
}
