import { useEffect, type RefObject } from 'react';

import type { Find } from '../../../state/find/find-store.ts';
import { useFind, usePlayground } from '../../../state/use-playground.tsx';
import { scrollViewOf, type ScrollView } from '../conversation/scroll-view.ts';
import { messageOfHit, rangeOfHit } from './hit-highlights.ts';

/** What one goes to comes to stand this far down the view. */
const share = 1 / 3;
/** Rows get their real heights near the screen, and those above are added later: it is looked again until nothing moves. */
const steadyFrames = 30;
/** A long session is still coming into the page. */
const mostWaitFrames = 600;
const nearPx = 2;

/** Scrolls to the hit or the turn that was asked for, a third down the view. */
export function useArrival(scroller: RefObject<HTMLElement | null>, isFlat: boolean): void {
  const { find } = usePlayground();
  const goal = useFind((state) => state.scrollTarget);
  useEffect(() => {
    const element = scroller.current;
    if (!element || !goal) return undefined;
    const view = scrollViewOf(element, isFlat);
    let frame = 0;
    let waited = 0;
    let steady = 0;
    let height = 0;
    const end = () => {
      if (find.getState().scrollTarget === goal) find.setState({ scrollTarget: undefined });
    };
    const look = () => {
      const off = offsetOf(element, view, goal);
      if (off === undefined) {
        waited += 1;
        if (waited > mostWaitFrames) return end();
      } else {
        const before = view.element.scrollTop;
        if (Math.abs(off) > nearPx) view.element.scrollTop += off;
        const isSteady =
          Math.abs(view.element.scrollTop - before) < nearPx && view.element.scrollHeight === height;
        height = view.element.scrollHeight;
        steady = isSteady ? steady + 1 : 0;
        if (steady >= steadyFrames) return end();
      }
      frame = requestAnimationFrame(look);
    };
    frame = requestAnimationFrame(look);
    // Whoever scrolls on does not want to be taken back.
    element.addEventListener('wheel', end, { passive: true });
    element.addEventListener('touchstart', end, { passive: true });
    element.addEventListener('pointerdown', end);
    element.addEventListener('keydown', end);
    return () => {
      cancelAnimationFrame(frame);
      element.removeEventListener('wheel', end);
      element.removeEventListener('touchstart', end);
      element.removeEventListener('pointerdown', end);
      element.removeEventListener('keydown', end);
    };
  }, [scroller, goal, find, isFlat]);
}

/** How far it is from where it is to stand. Undefined while it is not in the page. */
function offsetOf(
  scroller: HTMLElement,
  scrollView: ScrollView,
  { promptId, hit, pattern }: NonNullable<Find['scrollTarget']>,
): number | undefined {
  const view = scrollView.box();
  const message = hit && messageOfHit(scroller, hit);
  // A reply that stays in view is measured where it belongs.
  const stays = message?.matches('[data-lane]') === true;
  if (stays) message.style.position = 'static';
  const range = hit && pattern && rangeOfHit(scroller, hit, pattern);
  const target = range ?? message ?? headOf(scroller, promptId);
  const rect = target?.getBoundingClientRect();
  if (stays) message.style.position = '';
  return rect && rect.top - view.top - view.height * share;
}

/** Where the turn of this prompt begins. */
function headOf(scroller: HTMLElement, promptId: string): HTMLElement | undefined {
  const heads = scroller.querySelectorAll<HTMLElement>('[data-prompt]');
  return [...heads].find(({ dataset }) => dataset['prompt'] === promptId);
}
