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
export function useLaneWindow(laneIds: readonly LaneId[]): RefObject<HTMLDivElement | null> {
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = area.current;
    const lanes = element?.firstElementChild;
    if (!element || !lanes) return undefined;
    const look = () => {
      const { scrollLeft, clientWidth, scrollWidth } = element;
      const isOver = scrollWidth > clientWidth + roundingPx;
      element.style.setProperty('--window-left', isOver ? `${scrollLeft}px` : '0px');
      element.style.setProperty('--window-width', isOver ? `${clientWidth}px` : '100%');
      const frame = element.parentElement;
      frame?.toggleAttribute('data-more-left', scrollLeft > roundingPx);
      frame?.toggleAttribute('data-more-right', scrollLeft + clientWidth < scrollWidth - roundingPx);
    };
    const resized = new ResizeObserver(look);
    resized.observe(element);
    resized.observe(lanes);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);

  const known = useRef(laneIds);
  useEffect(() => {
    const added = laneIds.findIndex((id) => !known.current.includes(id));
    const isMore = laneIds.length > known.current.length;
    known.current = laneIds;
    if (isMore && added >= 0) bringLaneIntoView(getLaneLetter(added));
  }, [laneIds]);
  return area;
}
