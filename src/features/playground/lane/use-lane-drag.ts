import type { DragEvent, HTMLAttributes } from 'react';

import { usePlayground, useSession } from '../../../state/react.tsx';

const format = 'application/x-bench-lane';

/** Lets a lane header be dragged onto another to take its place. The menu does the same by keyboard. */
export function useLaneDrag(laneId: string, enabled: boolean): HTMLAttributes<HTMLElement> {
  const { actions } = usePlayground();
  const laneIds = useSession((data) => data.session.laneIds) ?? [];
  if (!enabled) return {};
  const accepts = (event: DragEvent) => event.dataTransfer.types.includes(format);
  return {
    draggable: true,
    onDragStart: (event) => {
      // Text in the header's fields is selected by dragging; only the header itself moves the lane.
      if (event.target !== event.currentTarget) return event.preventDefault();
      event.dataTransfer.setData(format, laneId);
      event.dataTransfer.effectAllowed = 'move';
    },
    onDragOver: (event) => {
      if (accepts(event)) event.preventDefault();
    },
    onDrop: (event) => {
      if (!accepts(event)) return;
      event.preventDefault();
      const dragged = event.dataTransfer.getData(format);
      const step = laneIds.indexOf(laneId) - laneIds.indexOf(dragged);
      if (step !== 0) actions.moveLane(dragged, step);
    },
  };
}
