import { useEffect, useState, type RefObject } from 'react';

import { getLaneLetter } from '../../../conversation/session/turn-tree.ts';
import type { LaneId } from '../../../conversation/session/types.ts';
import { laneHead } from '../playground-focus-targets.ts';

/** So much of a lane's width counts as all of it. */
export const wholePart = 0.9;
/** Less is the line between two lanes. */
const leastPart = 0.05;
const thresholds = [0, leastPart, 0.5, wholePart, 1];

/** How much of each lane's width is in the window, 0 to 1. */
export function useLanesInView(laneIds: readonly LaneId[], isAsked: boolean): readonly number[] {
  const [seen, setSeen] = useState<readonly number[]>([]);
  useEffect(() => {
    if (!isAsked) return undefined;
    const heads = laneIds.map((_, index) => laneHead(getLaneLetter(index)).element());
    const observer = new IntersectionObserver(
      (entries) =>
        setSeen((known) => {
          const next = heads.map((_, index) => known[index] ?? 0);
          for (const { target, intersectionRect, boundingClientRect } of entries) {
            const index = heads.findIndex((head) => head === target);
            const part = intersectionRect.width / Math.max(1, boundingClientRect.width);
            if (index >= 0) next[index] = part < leastPart ? 0 : part;
          }
          return next;
        }),
      { threshold: thresholds },
    );
    for (const head of heads) if (head) observer.observe(head);
    return () => observer.disconnect();
  }, [laneIds, isAsked]);
  return seen;
}

/** How wide this element is, px; without end until that is known. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY);
  useEffect(() => {
    const observed = element.current;
    if (!observed) return undefined;
    const observer = new ResizeObserver(() => setWidth(observed.clientWidth));
    observer.observe(observed);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
