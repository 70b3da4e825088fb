import type { RefObject } from 'react';

import { useFindScroll } from './use-find-scroll.ts';

interface FindScrollerProps {
  scroller: RefObject<HTMLElement | null>;
  isFlat: boolean;
}

/** Goes to what was asked for. Draws nothing: it is a part so that its code comes after the first screen. */
export function FindScroller({ scroller, isFlat }: FindScrollerProps): null {
  useFindScroll(scroller, isFlat);
  return null;
}
