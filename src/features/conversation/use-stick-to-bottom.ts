import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

import { getScrollView } from '../workspace/scroll-view.ts';

/** Distance within which the view counts as being at the end, in px. */
const nearEndPx = 24;
/** Maximum difference between a written and a rounded scroll position, in px. */
const roundingPx = 2;
const upwardKeys = new Set(['ArrowUp', 'PageUp', 'Home']);

/**
 * Keeps the newest text in view while the user is at the end. Any other scrolling (wheel, touch, keys, scroll bar, find
 * in page) and any text selection stops this immediately. Reaching the end, `scrollToEnd` or a larger `newestSeq`
 * (sequence number of the newest prompt) starts it again.
 */
export function useStickToBottom(
  scroller: RefObject<HTMLElement | null>,
  newestSeq: number,
  isFlat = false,
): { isAtEnd: boolean; scrollToEnd: () => void } {
  const [isAtEnd, setIsAtEnd] = useState(true);
  const newestSeqRef = useRef(newestSeq);
  useLayoutEffect(() => {
    newestSeqRef.current = newestSeq;
  }, [newestSeq]);
  const controls = useRef<{ setFollowing: (next: boolean) => void; scrollToEnd: () => void }>(undefined);

  useEffect(() => {
    const conversation = scroller.current;
    const content = conversation?.firstElementChild;
    if (!conversation || !content) return undefined;
    const { element, eventTarget } = getScrollView(conversation, isFlat);
    let isFollowing = true;
    let lastScroll = {
      top: element.scrollTop,
      height: element.scrollHeight,
      viewportHeight: element.clientHeight,
    };
    const recordScroll = () => {
      lastScroll = {
        top: element.scrollTop,
        height: element.scrollHeight,
        viewportHeight: element.clientHeight,
      };
    };
    const setFollowing = (next: boolean) => {
      isFollowing = next;
      setIsAtEnd(next);
    };
    const scrollToEnd = () => {
      element.scrollTop = element.scrollHeight;
      recordScroll();
    };
    controls.current = { setFollowing, scrollToEnd };

    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      const distance = scrollHeight - clientHeight - scrollTop;
      const isOwnScroll = Math.abs(scrollTop - lastScroll.top) < roundingPx;
      // Content became shorter and the browser clamped the scroll position.
      const wasClamped = scrollHeight < lastScroll.height && distance < roundingPx;
      // Content below changed height and the browser adjusted the scroll position.
      const hasResized = clientHeight !== lastScroll.viewportHeight;
      // Scrolling down never stops following: the browser may have moved the view along with growing content.
      const isScrollingDown = scrollTop > lastScroll.top;
      recordScroll();
      if ((hasResized || isScrollingDown) && isFollowing && newestSeqRef.current > 0) return scrollToEnd();
      if (isOwnScroll || (wasClamped && isFollowing)) return;
      setFollowing(distance <= nearEndPx);
    };
    const stopFollowing = () => {
      if (!isFollowing || element.scrollHeight <= element.clientHeight) return;
      setFollowing(false);
      // At the very end, Chromium follows the end on its own.
      element.scrollTop -= 1;
      recordScroll();
    };
    // These inputs scroll slightly later, and a new line of text could scroll back before that.
    const onWheel = (event: WheelEvent) => event.deltaY < 0 && !event.ctrlKey && stopFollowing();
    let touchStartY = 0;
    const onTouchStart = (event: TouchEvent) => {
      touchStartY = event.touches[0]?.clientY ?? 0;
    };
    const onTouchMove = (event: TouchEvent) => {
      if ((event.touches[0]?.clientY ?? 0) > touchStartY + roundingPx) stopFollowing();
    };
    const onKeyDown = (event: KeyboardEvent) => {
      const isTextField =
        event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]');
      const isUpward = upwardKeys.has(event.key) || (event.key === ' ' && event.shiftKey);
      if (!isTextField && isUpward && !event.defaultPrevented) stopFollowing();
    };
    const onPointerDown = (event: PointerEvent) => {
      const isOnScrollBar = event.target === element && event.offsetX >= element.clientWidth;
      if (isOnScrollBar) stopFollowing();
    };
    const onSelect = ({ target }: Event) => {
      // Ignores text fields, in which reading the selection takes longer the longer the conversation is.
      if (target !== document) return;
      const selection = document.getSelection();
      if (selection !== null && !selection.isCollapsed && conversation.contains(selection.anchorNode))
        stopFollowing();
    };
    const onResize = () => {
      // An empty conversation is shown from its beginning.
      if (isFollowing && newestSeqRef.current > 0) scrollToEnd();
      else lastScroll = { ...lastScroll, height: element.scrollHeight, viewportHeight: element.clientHeight };
    };
    const observer = new ResizeObserver(onResize);
    observer.observe(content);
    observer.observe(conversation);
    eventTarget.addEventListener('scroll', onScroll, { passive: true });
    conversation.addEventListener('wheel', onWheel, { passive: true });
    conversation.addEventListener('touchstart', onTouchStart, { passive: true });
    conversation.addEventListener('touchmove', onTouchMove, { passive: true });
    conversation.addEventListener('keydown', onKeyDown);
    conversation.addEventListener('pointerdown', onPointerDown);
    document.addEventListener('selectionchange', onSelect);
    return () => {
      controls.current = undefined;
      observer.disconnect();
      eventTarget.removeEventListener('scroll', onScroll);
      conversation.removeEventListener('wheel', onWheel);
      conversation.removeEventListener('touchstart', onTouchStart);
      conversation.removeEventListener('touchmove', onTouchMove);
      conversation.removeEventListener('keydown', onKeyDown);
      conversation.removeEventListener('pointerdown', onPointerDown);
      document.removeEventListener('selectionchange', onSelect);
    };
  }, [scroller, isFlat]);

  const scrollToEnd = useCallback(() => {
    controls.current?.setFollowing(true);
    controls.current?.scrollToEnd();
  }, []);

  // A new message scrolls into view, wherever the user has scrolled to.
  const lastSeenSeq = useRef(newestSeq);
  useEffect(() => {
    const isNewer = newestSeq > lastSeenSeq.current;
    lastSeenSeq.current = newestSeq;
    if (!isNewer) return;
    controls.current?.setFollowing(true);
    // Deferred to the next frame, in which layout is computed in any case, so that typing is not delayed.
    requestAnimationFrame(() => {
      // The added content may have moved the view, which looks like a scroll by the user.
      controls.current?.setFollowing(true);
      controls.current?.scrollToEnd();
    });
  }, [newestSeq]);

  return { isAtEnd, scrollToEnd };
}
