import { useEffect, type RefObject } from 'react';

import type { Hit } from '../../conversation/find/hits.ts';
import {
  isRing,
  highlightHits,
  findHitMessage,
  findHitRange,
  showHitRing,
  clearHighlights,
} from './hit-highlights.ts';

interface HighlightedHits {
  hits: readonly Hit[];
  currentHit: Hit | undefined;
  pattern: RegExp | undefined;
}

/** Highlights the hits in the conversation, including those mounted later. */
export function useHitHighlights(
  scroller: RefObject<HTMLElement | null>,
  { hits, currentHit, pattern }: HighlightedHits,
): void {
  useEffect(() => {
    const element = scroller.current;
    if (!element || !pattern) return undefined;
    let removeRing = () => {};
    let ringedRange: Range | undefined;
    const updateHighlights = () => {
      pendingFrame = undefined;
      highlightHits(element, { hits, currentHit, pattern });
      const range = currentHit && findHitRange(element, currentHit, pattern);
      const message = currentHit && findHitMessage(element, currentHit);
      if (
        ringedRange &&
        range?.startContainer === ringedRange.startContainer &&
        range.startOffset === ringedRange.startOffset
      )
        return;
      removeRing();
      ringedRange = range;
      removeRing = range && message ? showHitRing(message, range) : () => {};
    };
    let pendingFrame: number | undefined = requestAnimationFrame(updateHighlights);
    const mutationObserver = new MutationObserver((mutations) => {
      const hasTextChange = mutations.some(
        ({ type, addedNodes, removedNodes }) =>
          type === 'characterData' || ![...addedNodes, ...removedNodes].every(isRing),
      );
      if (hasTextChange) pendingFrame ??= requestAnimationFrame(updateHighlights);
    });
    mutationObserver.observe(element, { childList: true, characterData: true, subtree: true });
    return () => {
      mutationObserver.disconnect();
      if (pendingFrame !== undefined) cancelAnimationFrame(pendingFrame);
      removeRing();
      clearHighlights();
    };
  }, [scroller, hits, currentHit, pattern]);
}
