import { useState, type KeyboardEvent, type PointerEvent } from 'react';

import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { LaneId } from '../../conversation/session/types.ts';
import { useView, useSessionServices } from '../../state/contexts.tsx';
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
  const [drag, setDrag] = useState<{ fromX: number; width: number }>();
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
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ fromX: event.clientX, width: getWidth() });
  };
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`Width of lane ${letter}`}
      aria-valuemin={minFitLanePx}
      aria-valuenow={fixedWidth ?? minFitLanePx}
      aria-valuetext={fixedWidth === undefined ? 'Automatic' : `${fixedWidth} pixels`}
      title="Drag to resize. Double-click to show one lane."
      data-dragged={drag !== undefined || undefined}
      className="pointer-events-auto absolute inset-y-0 -right-1 z-3 w-2 cursor-col-resize touch-none after:absolute after:inset-y-0 after:left-[3px] after:w-0.5 hover:after:bg-edge focus-visible:outline-none focus-visible:after:bg-ink data-dragged:after:bg-ink"
      onKeyDown={onKeyDown}
      onDoubleClick={toggleSolo}
      onMouseDown={(event) => {
        // Prevents a native drag of the header that lies under the pointer once the handle has moved.
        event.preventDefault();
        event.currentTarget.focus();
      }}
      onPointerDown={onPointerDown}
      onPointerMove={(event) => {
        // A click without movement may be the first half of a double-click.
        if (drag && Math.abs(event.clientX - drag.fromX) > 2)
          setWidth(drag.width + event.clientX - drag.fromX);
      }}
      onPointerUp={() => setDrag(undefined)}
      onPointerCancel={() => setDrag(undefined)}
    />
  );
}
