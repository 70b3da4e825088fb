import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';

/** The view counts as at the end within this distance. */
const nearEndPx = 24;

/**
 * Keeps the newest text in view while, and only while, the person is at the end. Any scroll that is not
 * our own write lets go at once, whatever caused it; reaching the end again, or `toEnd`, takes hold.
 */
export function useFollowEnd(scroller: RefObject<HTMLElement | null>): { following: boolean; toEnd: () => void } {
  const [following, setFollowing] = useState(true);
  const isFollowing = useRef(true);
  const writtenTop = useRef(-1);

  const follow = useCallback((next: boolean) => {
    isFollowing.current = next;
    setFollowing(next);
  }, []);

  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    follow(true);
    element.scrollTop = element.scrollHeight;
    writtenTop.current = element.scrollTop;
  }, [follow, scroller]);

  useEffect(() => {
    const element = scroller.current;
    const content = element?.firstElementChild;
    if (!element || !content) return;
    const distance = () => element.scrollHeight - element.clientHeight - element.scrollTop;
    const onScroll = () => {
      // A scroll to where we wrote is ours; everything else is the person, or the content shrinking.
      if (Math.abs(element.scrollTop - writtenTop.current) < 2 && isFollowing.current) return;
      follow(distance() <= nearEndPx);
    };
    const onUpward = (event: WheelEvent) => {
      if (event.deltaY < 0 && element.scrollHeight > element.clientHeight) follow(false);
    };
    const onGrow = () => {
      const selecting = document.getSelection();
      const selects = selecting !== null && !selecting.isCollapsed && element.contains(selecting.anchorNode);
      if (!isFollowing.current || selects) return;
      element.scrollTop = element.scrollHeight;
      writtenTop.current = element.scrollTop;
    };
    const observer = new ResizeObserver(onGrow);
    observer.observe(content);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    element.addEventListener('wheel', onUpward, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
      element.removeEventListener('wheel', onUpward);
    };
  }, [follow, scroller]);

  return { following, toEnd };
}
