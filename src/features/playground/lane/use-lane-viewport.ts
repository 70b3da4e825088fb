import { useEffect, useRef, type RefObject } from 'react';

import { getLaneLetter } from '../../../conversation/session/turn-tree.ts';
import type { LaneId } from '../../../conversation/session/types.ts';
import { bringLaneIntoView } from '../playground-focus-targets.ts';

/** Positions are rounded here and there. */
const roundingPx = 1;

/**
 * Tells the styles what of the lanes is in their window: its width and how far it is scrolled, for what is as wide as
 * the window and not as all lanes, and on which sides more follows. A lane that is added is scrolled to.
 */
export function useLaneViewport(laneIds: readonly LaneId[]): RefObject<HTMLDivElement | null> {
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = area.current;
    const lanes = element?.firstElementChild;
    if (!element || !lanes) return undefined;
    const update = () => {
      const { scrollLeft, clientWidth, scrollWidth } = element;
      const isOverflowing = scrollWidth > clientWidth + roundingPx;
      element.style.setProperty('--viewport-left', isOverflowing ? `${scrollLeft}px` : '0px');
      element.style.setProperty('--viewport-width', isOverflowing ? `${clientWidth}px` : '100%');
      const frame = element.parentElement;
      frame?.toggleAttribute('data-more-left', scrollLeft > roundingPx);
      frame?.toggleAttribute('data-more-right', scrollLeft + clientWidth < scrollWidth - roundingPx);
    };
    const resizeObserver = new ResizeObserver(update);
    resizeObserver.observe(element);
    resizeObserver.observe(lanes);
    element.addEventListener('scroll', update, { passive: true });
    return () => {
      resizeObserver.disconnect();
      element.removeEventListener('scroll', update);
    };
  }, []);

  const previousLaneIds = useRef(laneIds);
  useEffect(() => {
    const addedIndex = laneIds.findIndex((id) => !previousLaneIds.current.includes(id));
    const wasLaneAdded = laneIds.length > previousLaneIds.current.length;
    previousLaneIds.current = laneIds;
    if (wasLaneAdded && addedIndex >= 0) bringLaneIntoView(getLaneLetter(addedIndex));
  }, [laneIds]);
  return area;
}
