import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

import { getScrollView } from './scroll-view.ts';

/** The view counts as at the end within this distance. */
const nearEndPx = 24;
/** Where a scroll position is rounded, it differs from the one that was written by no more than this. */
const roundingPx = 2;
const upwardKeys = new Set(['ArrowUp', 'PageUp', 'Home']);

/**
 * Keeps the newest text in view while, and only while, the person is at the end. A scroll that is not our own write
 * lets go at once, whatever caused it (wheel, touch, keys, scroll bar, find in page), and so does selecting text;
 * reaching the end again, `scrollToEnd`, or a larger `newestSeq` (the number of what was said last) takes hold.
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
      // The end moved up to the view: nobody scrolled.
      const wasClamped = scrollHeight < lastScroll.height && distance < roundingPx;
      // What stands below, as the figures of a lane, became higher or lower, and the browser moved the view for it.
      const hasResized = clientHeight !== lastScroll.viewportHeight;
      // Nobody who goes down lets go: the browser moved the view along with what grew.
      const isScrollingDown = scrollTop > lastScroll.top;
      recordScroll();
      if ((hasResized || isScrollingDown) && isFollowing && newestSeqRef.current > 0) return scrollToEnd();
      if (isOwnScroll || (wasClamped && isFollowing)) return;
      setFollowing(distance <= nearEndPx);
    };
    const stopFollowing = () => {
      if (!isFollowing || element.scrollHeight <= element.clientHeight) return;
      setFollowing(false);
      // At the very end Chromium keeps to the end by itself.
      element.scrollTop -= 1;
      recordScroll();
    };
    // These move the view only a little later, by when another line of text would have taken it back.
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
      // In a text field: asking where the selection is would cost more the longer the conversation is.
      if (target !== document) return;
      const selection = document.getSelection();
      if (selection !== null && !selection.isCollapsed && conversation.contains(selection.anchorNode))
        stopFollowing();
    };
    const onResize = () => {
      // An empty conversation is read from its beginning.
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

  // What was said last comes into view, wherever the person was.
  const lastSeenSeq = useRef(newestSeq);
  useEffect(() => {
    const isNewer = newestSeq > lastSeenSeq.current;
    lastSeenSeq.current = newestSeq;
    if (!isNewer) return;
    controls.current?.setFollowing(true);
    // With the frame, where layout is done anyway: whoever sent it may be typing on.
    requestAnimationFrame(() => {
      // What was added may have moved the view meanwhile, which looks as if somebody had scrolled.
      controls.current?.setFollowing(true);
      controls.current?.scrollToEnd();
    });
  }, [newestSeq]);

  return { isAtEnd, scrollToEnd };
}
