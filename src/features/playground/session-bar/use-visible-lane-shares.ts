import { useEffect, useState, type RefObject } from 'react';

import { getLaneLetter } from '../../../conversation/session/turn-tree.ts';
import type { LaneId } from '../../../conversation/session/types.ts';
import { getLaneHeaderTarget } from '../playground-focus-targets.ts';

/** Minimum share of a lane's width at which the lane counts as fully visible. */
export const minFullyVisibleShare = 0.9;
/** Minimum share at which a lane counts as visible; a smaller share is only the border between lanes. */
const minVisibleShare = 0.05;
const thresholds = [0, minVisibleShare, 0.5, minFullyVisibleShare, 1];

/** Returns the visible share of each lane's width, 0 to 1. */
export function useVisibleLaneShares(laneIds: readonly LaneId[], isEnabled: boolean): readonly number[] {
  const [visibleShares, setVisibleShares] = useState<readonly number[]>([]);
  useEffect(() => {
    if (!isEnabled) return undefined;
    const headers = laneIds.map((_, index) => getLaneHeaderTarget(getLaneLetter(index)).findElement());
    const observer = new IntersectionObserver(
      (entries) =>
        setVisibleShares((current) => {
          const next = headers.map((_, index) => current[index] ?? 0);
          for (const { target, intersectionRect, boundingClientRect } of entries) {
            const index = headers.findIndex((header) => header === target);
            const share = intersectionRect.width / Math.max(1, boundingClientRect.width);
            if (index >= 0) next[index] = share < minVisibleShare ? 0 : share;
          }
          return next;
        }),
      { threshold: thresholds },
    );
    for (const header of headers) if (header) observer.observe(header);
    return () => observer.disconnect();
  }, [laneIds, isEnabled]);
  return visibleShares;
}

/** Returns the width of an element in px; infinite until it is measured. */
export function useElementWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY);
  useEffect(() => {
    const target = element.current;
    if (!target) return undefined;
    const observer = new ResizeObserver(() => setWidth(target.clientWidth));
    observer.observe(target);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
