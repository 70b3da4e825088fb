import { useEffect, useRef, useState, type RefObject } from 'react';

import { useStickToBottom } from '../conversation/use-stick-to-bottom.ts';

const emptyRef = { current: null };
/** Less than that is not a line of text. */
const minOverflowPx = 8;

/**
 * The text of an answer on the stage, among `scrollers` for as long as it is there. It follows one that was live when it came.
 * `hasMore`: more of it is below.
 */
export function useStageText(
  live: boolean,
  scrollers: Set<HTMLElement>,
): { scroller: RefObject<HTMLDivElement | null>; hasMore: boolean } {
  const scroller = useRef<HTMLDivElement>(null);
  const [isFollowing] = useState(live);
  const [hasMore, setHasMore] = useState(false);
  // 1: there is a message, whose answer is followed from the start.
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
