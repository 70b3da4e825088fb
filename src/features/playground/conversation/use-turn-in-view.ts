import { useEffect, type RefObject } from 'react';

import { useSessionServices } from '../../../state/contexts.tsx';
import { getScrollView } from './scroll-view.ts';
import { findLastAbove } from './use-scroll-anchor.ts';

/**
 * Reports the turn being read: the last turn whose prompt starts above the middle of the view. At the end of the
 * conversation, this is always the last turn, however little of it is visible.
 */
export function useTurnInView(
  scroller: RefObject<HTMLElement | null>,
  isAtEnd: boolean,
  isFlat: boolean,
): void {
  const { view } = useSessionServices();
  useEffect(() => {
    const element = scroller.current;
    if (!element || isAtEnd) return undefined;
    const { getBox, eventTarget } = getScrollView(element, isFlat);
    let pendingFrame: number | undefined;
    const update = () => {
      pendingFrame = undefined;
      view.setState({ promptInView: findPromptAbove(element, getMiddle(getBox())) });
    };
    // Update in the next frame, in which layout is computed anyway.
    const scheduleUpdate = () => {
      pendingFrame ??= requestAnimationFrame(update);
    };
    scheduleUpdate();
    eventTarget.addEventListener('scroll', scheduleUpdate, { passive: true });
    const resizeObserver = new ResizeObserver(scheduleUpdate);
    resizeObserver.observe(element);
    return () => {
      if (pendingFrame !== undefined) cancelAnimationFrame(pendingFrame);
      eventTarget.removeEventListener('scroll', scheduleUpdate);
      resizeObserver.disconnect();
      view.setState({ promptInView: undefined });
    };
  }, [scroller, isAtEnd, isFlat, view]);
}

function getMiddle({ top, height }: { top: number; height: number }): number {
  return top + height / 2;
}

/** Returns the last prompt that starts above this height or, if there is none, the first one. Searches from the end. */
function findPromptAbove(scroller: HTMLElement, y: number): string | undefined {
  const group = findLastAbove(scroller.firstElementChild?.lastElementChild, y, (element) =>
    element.matches(':has(> [data-prompt])'),
  );
  const headings = group?.querySelectorAll<HTMLElement>(':scope > [data-prompt]') ?? [];
  const heading =
    findLastAbove([...headings].at(-1), y, (element) => element.matches('[data-prompt]')) ??
    scroller.querySelector('[data-prompt]');
  return heading instanceof HTMLElement ? heading.dataset['prompt'] : undefined;
}
