import { useEffect, type RefObject } from 'react';

import type { Hit } from '../../../conversation/find/hits.ts';
import { isRing, markHits, messageOfHit, rangeOfHit, ringHit, unmarkHits } from './hit-highlights.ts';

interface Marked {
  hits: readonly Hit[];
  here: Hit | undefined;
  pattern: RegExp | undefined;
}

/** Marks the hits in the conversation, also those that come into the page later. */
export function useFindMarks(scroller: RefObject<HTMLElement | null>, { hits, here, pattern }: Marked): void {
  useEffect(() => {
    const element = scroller.current;
    if (!element || !pattern) return undefined;
    let takeRing = () => {};
    let ringed: Range | undefined;
    const mark = () => {
      nextMark = undefined;
      markHits(element, { hits, here, pattern });
      const range = here && rangeOfHit(element, here, pattern);
      const message = here && messageOfHit(element, here);
      if (
        ringed &&
        range?.startContainer === ringed.startContainer &&
        range.startOffset === ringed.startOffset
      )
        return;
      takeRing();
      ringed = range;
      takeRing = range && message ? ringHit(message, range) : () => {};
    };
    let nextMark: number | undefined = requestAnimationFrame(mark);
    const changed = new MutationObserver((changes) => {
      const isText = changes.some(
        ({ type, addedNodes, removedNodes }) =>
          type === 'characterData' || ![...addedNodes, ...removedNodes].every(isRing),
      );
      if (isText) nextMark ??= requestAnimationFrame(mark);
    });
    changed.observe(element, { childList: true, characterData: true, subtree: true });
    return () => {
      changed.disconnect();
      if (nextMark !== undefined) cancelAnimationFrame(nextMark);
      takeRing();
      unmarkHits();
    };
  }, [scroller, hits, here, pattern]);
}
