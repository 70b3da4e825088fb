import { useEffect, type RefObject } from 'react';

import { usePlayground } from '../../../state/use-playground.tsx';
import { scrollViewOf } from './scroll-view.ts';
import { lastFrom } from './use-scroll-anchor.ts';

/**
 * Tells the app which turn is read: the last one whose prompt starts above the middle of the view. At
 * the end it is the last one, however little of it there is yet.
 */
export function useTurnInView(
  scroller: RefObject<HTMLElement | null>,
  following: boolean,
  isFlat: boolean,
): void {
  const { view } = usePlayground();
  useEffect(() => {
    const element = scroller.current;
    if (!element || following) return undefined;
    const { box, teller } = scrollViewOf(element, isFlat);
    let nextLook: number | undefined;
    const look = () => {
      nextLook = undefined;
      view.setState({ promptInView: promptAbove(element, middleOf(box())) });
    };
    // With the frame, where layout is done anyway.
    const lookSoon = () => {
      nextLook ??= requestAnimationFrame(look);
    };
    lookSoon();
    teller.addEventListener('scroll', lookSoon, { passive: true });
    const resized = new ResizeObserver(lookSoon);
    resized.observe(element);
    return () => {
      if (nextLook !== undefined) cancelAnimationFrame(nextLook);
      teller.removeEventListener('scroll', lookSoon);
      resized.disconnect();
      view.setState({ promptInView: undefined });
    };
  }, [scroller, following, isFlat, view]);
}

function middleOf({ top, height }: { top: number; height: number }): number {
  return top + height / 2;
}

/** The prompt that starts last above this height; the first one where none does. Looked for from the end. */
function promptAbove(scroller: HTMLElement, height: number): string | undefined {
  const group = lastFrom(scroller.firstElementChild?.lastElementChild, height, (each) =>
    each.matches(':has(> [data-prompt])'),
  );
  const starts = group?.querySelectorAll<HTMLElement>(':scope > [data-prompt]') ?? [];
  const start =
    lastFrom([...starts].at(-1), height, (each) => each.matches('[data-prompt]')) ??
    scroller.querySelector('[data-prompt]');
  return start instanceof HTMLElement ? start.dataset['prompt'] : undefined;
}
