import { useEffect, type RefObject } from 'react';

import { useFind, useSessionServices } from '../../state/contexts.tsx';
import type { Find } from '../../state/find/find-store.ts';
import { getScrollView, type ScrollView } from '../workspace/scroll-view.ts';
import { findHitMessage, findHitRange } from './hit-highlights.ts';

/** Position of the scroll target, as a share of the view's height from the top. */
const targetShare = 1 / 3;
/**
 * Number of unchanged frames after which scrolling ends. Rows get their real heights only near the visible part, and
 * rows above may be mounted later.
 */
const minStableFrames = 30;
/** Maximum number of frames to wait while a long session is being mounted. */
const maxWaitFrames = 600;
const tolerancePx = 2;

/** Scrolls to the requested hit or turn, a third of the way down the view. */
export function useFindScroll(scroller: RefObject<HTMLElement | null>, isFlat: boolean): void {
  const { find } = useSessionServices();
  const scrollTarget = useFind((state) => state.scrollTarget);
  useEffect(() => {
    const element = scroller.current;
    if (!element || !scrollTarget) return undefined;
    const scrollView = getScrollView(element, isFlat);
    let frame = 0;
    let waitedFrames = 0;
    let stableCount = 0;
    let lastHeight = 0;
    const finish = () => {
      if (find.getState().scrollTarget === scrollTarget) find.setState({ scrollTarget: undefined });
    };
    const update = () => {
      const offset = computeOffset(element, scrollView, scrollTarget);
      if (offset === undefined) {
        waitedFrames += 1;
        if (waitedFrames > maxWaitFrames) return finish();
      } else {
        const previousTop = scrollView.element.scrollTop;
        if (Math.abs(offset) > tolerancePx) scrollView.element.scrollTop += offset;
        const isStable =
          Math.abs(scrollView.element.scrollTop - previousTop) < tolerancePx &&
          scrollView.element.scrollHeight === lastHeight;
        lastHeight = scrollView.element.scrollHeight;
        stableCount = isStable ? stableCount + 1 : 0;
        if (stableCount >= minStableFrames) return finish();
      }
      frame = requestAnimationFrame(update);
    };
    frame = requestAnimationFrame(update);
    // Stops as soon as the user scrolls.
    element.addEventListener('wheel', finish, { passive: true });
    element.addEventListener('touchstart', finish, { passive: true });
    element.addEventListener('pointerdown', finish);
    element.addEventListener('keydown', finish);
    return () => {
      cancelAnimationFrame(frame);
      element.removeEventListener('wheel', finish);
      element.removeEventListener('touchstart', finish);
      element.removeEventListener('pointerdown', finish);
      element.removeEventListener('keydown', finish);
    };
  }, [scroller, scrollTarget, find, isFlat]);
}

/** Returns the distance to the target position in px; `undefined` while the target is not mounted. */
function computeOffset(
  scroller: HTMLElement,
  scrollView: ScrollView,
  { promptId, hit, pattern }: NonNullable<Find['scrollTarget']>,
): number | undefined {
  const view = scrollView.getBox();
  const message = hit && findHitMessage(scroller, hit);
  // A sticky reply is measured at its non-sticky position.
  const isSticky = message?.matches('[data-lane]') === true;
  if (isSticky) message.style.position = 'static';
  const range = hit && pattern && findHitRange(scroller, hit, pattern);
  const target = range ?? message ?? findTurnHeading(scroller, promptId);
  const rect = target?.getBoundingClientRect();
  if (isSticky) message.style.position = '';
  return rect && rect.top - view.top - view.height * targetShare;
}

/** Returns the heading of the prompt's turn. */
function findTurnHeading(scroller: HTMLElement, promptId: string): HTMLElement | undefined {
  const headings = scroller.querySelectorAll<HTMLElement>('[data-prompt]');
  return [...headings].find(({ dataset }) => dataset['prompt'] === promptId);
}
