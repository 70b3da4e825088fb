import { useEffect, useRef, type RefObject } from 'react';

import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { LaneId } from '../../conversation/session/types.ts';
import { bringLaneIntoView } from '../workspace/playground-focus-targets.ts';

/** Tolerance for rounded positions, in px. */
const roundingPx = 1;

/**
 * Exposes the visible part of the lanes to CSS: its width, scroll offset and the sides with more content, for elements
 * as wide as the viewport instead of all lanes. Scrolls to a lane that is added.
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
