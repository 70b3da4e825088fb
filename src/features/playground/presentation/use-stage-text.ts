import { useEffect, useRef, useState, type RefObject } from 'react';

import { useStickToBottom } from '../conversation/use-stick-to-bottom.ts';

const emptyRef = { current: null };
/** Minimum overflow in px that counts as more text. */
const minOverflowPx = 8;

/**
 * Manages the text of an answer on the stage, which is registered in `scrollers` while mounted. Follows an answer that
 * was live when mounted. `hasMore` is true if there is more text below.
 */
export function useStageText(
  live: boolean,
  scrollers: Set<HTMLElement>,
): { scroller: RefObject<HTMLDivElement | null>; hasMore: boolean } {
  const scroller = useRef<HTMLDivElement>(null);
  const [isFollowing] = useState(live);
  const [hasMore, setHasMore] = useState(false);
  // With `newestSeq` set to 1, the answer is followed from the start.
  useStickToBottom(isFollowing ? scroller : emptyRef, 1);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const update = () =>
      setHasMore(element.scrollHeight - element.clientHeight - element.scrollTop > minOverflowPx);
    const resizeObserver = new ResizeObserver(update);
    resizeObserver.observe(element);
    if (element.firstElementChild) resizeObserver.observe(element.firstElementChild);
    element.addEventListener('scroll', update, { passive: true });
    scrollers.add(element);
    return () => {
      scrollers.delete(element);
      element.removeEventListener('scroll', update);
      resizeObserver.disconnect();
    };
  }, [scrollers]);
  return { scroller, hasMore };
}
