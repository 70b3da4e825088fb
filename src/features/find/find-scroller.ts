import type { RefObject } from 'react';

import { useFindScroll } from './use-find-scroll.ts';

interface FindScrollerProps {
  scroller: RefObject<HTMLElement | null>;
  isFlat: boolean;
}

/**
 * Scrolls to the requested hit or turn. Renders nothing; it is a component so that its code can load after the first
 * screen.
 */
export function FindScroller({ scroller, isFlat }: FindScrollerProps): null {
  useFindScroll(scroller, isFlat);
  return null;
}
