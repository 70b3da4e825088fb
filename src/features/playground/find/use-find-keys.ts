import { useEffect, useLayoutEffect, type RefObject } from 'react';

import { isOverlayOpen } from '../../../ui/overlays/is-overlay-open.ts';
import { getScrollView } from '../conversation/scroll-view.ts';

/** Handles F3 and Shift+F3 for the next and previous hit, wherever the focus is. */
export function useFindKeys(stepToHit: (step: 1 | -1) => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'F3' || event.ctrlKey || event.metaKey || event.altKey || isOverlayOpen()) return;
      event.preventDefault();
      stepToHit(event.shiftKey ? -1 : 1);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [stepToHit]);
}

/** Adjusts the scroll position so that the text does not move when the bar appears or disappears. */
export function useScrollCompensation(
  bar: RefObject<HTMLElement | null>,
  scroller: RefObject<HTMLElement | null>,
  isFlat: boolean,
): void {
  useLayoutEffect(() => {
    const element = scroller.current && getScrollView(scroller.current, isFlat).element;
    const height = bar.current?.offsetHeight ?? 0;
    if (!element) return undefined;
    element.scrollTop += height;
    return () => {
      element.scrollTop -= height;
    };
  }, [bar, scroller, isFlat]);
}
