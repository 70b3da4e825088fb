import { useEffect, type RefObject } from 'react';

import type { Find } from '../../../state/find/find-store.ts';
import { useFind, usePlayground } from '../../../state/use-playground.tsx';
import { getScrollView, type ScrollView } from '../conversation/scroll-view.ts';
import { findHitMessage, findHitRange } from './hit-highlights.ts';

/** What one goes to comes to stand this far down the view. */
const targetShare = 1 / 3;
/** Rows get their real heights near the screen, and those above are added later: it is looked again until nothing moves. */
const minStableFrames = 30;
/** A long session is still coming into the page. */
const maxWaitFrames = 600;
const tolerancePx = 2;

/** Scrolls to the hit or the turn that was asked for, a third down the view. */
export function useFindScroll(scroller: RefObject<HTMLElement | null>, isFlat: boolean): void {
  const { find } = usePlayground();
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
    // Whoever scrolls on does not want to be taken back.
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

/** How far it is from where it is to stand. Undefined while it is not in the page. */
function computeOffset(
  scroller: HTMLElement,
  scrollView: ScrollView,
  { promptId, hit, pattern }: NonNullable<Find['scrollTarget']>,
): number | undefined {
  const view = scrollView.getBox();
  const message = hit && findHitMessage(scroller, hit);
  // A reply that stays in view is measured where it belongs.
  const isSticky = message?.matches('[data-lane]') === true;
  if (isSticky) message.style.position = 'static';
  const range = hit && pattern && findHitRange(scroller, hit, pattern);
  const target = range ?? message ?? findTurnHeading(scroller, promptId);
  const rect = target?.getBoundingClientRect();
  if (isSticky) message.style.position = '';
  return rect && rect.top - view.top - view.height * targetShare;
}

/** Where the turn of this prompt begins. */
function findTurnHeading(scroller: HTMLElement, promptId: string): HTMLElement | undefined {
  const headings = scroller.querySelectorAll<HTMLElement>('[data-prompt]');
  return [...headings].find(({ dataset }) => dataset['prompt'] === promptId);
}
