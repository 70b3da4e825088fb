import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

import { scrollViewOf } from './scroll-view.ts';

/** The view counts as at the end within this distance. */
const nearEndPx = 24;
/** Where a scroll position is rounded, it differs from the one that was written by no more than this. */
const roundingPx = 2;
const upwardKeys = new Set(['ArrowUp', 'PageUp', 'Home']);

/**
 * Keeps the newest text in view while, and only while, the person is at the end. A scroll that is not our own write
 * lets go at once, whatever caused it (wheel, touch, keys, scroll bar, find in page), and so does selecting text;
 * reaching the end again, `toEnd`, or a larger `newest` (the number of what was said last) takes hold.
 */
export function useFollowEnd(
  scroller: RefObject<HTMLElement | null>,
  newest: number,
  isFlat = false,
): { following: boolean; toEnd: () => void } {
  const [following, setFollowing] = useState(true);
  const said = useRef(newest);
  useLayoutEffect(() => {
    said.current = newest;
  }, [newest]);
  const hold = useRef<{ follow: (next: boolean) => void; toEnd: () => void }>(undefined);

  useEffect(() => {
    const conversation = scroller.current;
    const content = conversation?.firstElementChild;
    if (!conversation || !content) return undefined;
    const { element, teller } = scrollViewOf(conversation, isFlat);
    let isFollowing = true;
    let known = { top: element.scrollTop, height: element.scrollHeight, room: element.clientHeight };
    const remember = () => {
      known = { top: element.scrollTop, height: element.scrollHeight, room: element.clientHeight };
    };
    const follow = (next: boolean) => {
      isFollowing = next;
      setFollowing(next);
    };
    const toEnd = () => {
      element.scrollTop = element.scrollHeight;
      remember();
    };
    hold.current = { follow, toEnd };

    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      const distance = scrollHeight - clientHeight - scrollTop;
      const isOurs = Math.abs(scrollTop - known.top) < roundingPx;
      // The end moved up to the view: nobody scrolled.
      const isClamp = scrollHeight < known.height && distance < roundingPx;
      // What stands below, as the figures of a lane, became higher or lower, and the browser moved the view for it.
      const isRoom = clientHeight !== known.room;
      // Nobody who goes down lets go: the browser moved the view along with what grew.
      const isDown = scrollTop > known.top;
      remember();
      if ((isRoom || isDown) && isFollowing && said.current > 0) return toEnd();
      if (isOurs || (isClamp && isFollowing)) return;
      follow(distance <= nearEndPx);
    };
    const letGo = () => {
      if (!isFollowing || element.scrollHeight <= element.clientHeight) return;
      follow(false);
      // At the very end Chromium keeps to the end by itself.
      element.scrollTop -= 1;
      remember();
    };
    // These move the view only a little later, by when another line of text would have taken it back.
    const onWheel = (event: WheelEvent) => event.deltaY < 0 && !event.ctrlKey && letGo();
    let touchedAt = 0;
    const onTouchStart = (event: TouchEvent) => {
      touchedAt = event.touches[0]?.clientY ?? 0;
    };
    const onTouchMove = (event: TouchEvent) => {
      if ((event.touches[0]?.clientY ?? 0) > touchedAt + roundingPx) letGo();
    };
    const onKeyDown = (event: KeyboardEvent) => {
      const isField =
        event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]');
      const isUpward = upwardKeys.has(event.key) || (event.key === ' ' && event.shiftKey);
      if (!isField && isUpward && !event.defaultPrevented) letGo();
    };
    const onPointerDown = (event: PointerEvent) => {
      const isOnScrollBar = event.target === element && event.offsetX >= element.clientWidth;
      if (isOnScrollBar) letGo();
    };
    const onSelect = ({ target }: Event) => {
      // In a text field: asking where the selection is would cost more the longer the conversation is.
      if (target !== document) return;
      const selection = document.getSelection();
      if (selection !== null && !selection.isCollapsed && conversation.contains(selection.anchorNode))
        letGo();
    };
    const onGrow = () => {
      // An empty conversation is read from its beginning.
      if (isFollowing && said.current > 0) toEnd();
      else known = { ...known, height: element.scrollHeight, room: element.clientHeight };
    };
    const observer = new ResizeObserver(onGrow);
    observer.observe(content);
    observer.observe(conversation);
    teller.addEventListener('scroll', onScroll, { passive: true });
    conversation.addEventListener('wheel', onWheel, { passive: true });
    conversation.addEventListener('touchstart', onTouchStart, { passive: true });
    conversation.addEventListener('touchmove', onTouchMove, { passive: true });
    conversation.addEventListener('keydown', onKeyDown);
    conversation.addEventListener('pointerdown', onPointerDown);
    document.addEventListener('selectionchange', onSelect);
    return () => {
      hold.current = undefined;
      observer.disconnect();
      teller.removeEventListener('scroll', onScroll);
      conversation.removeEventListener('wheel', onWheel);
      conversation.removeEventListener('touchstart', onTouchStart);
      conversation.removeEventListener('touchmove', onTouchMove);
      conversation.removeEventListener('keydown', onKeyDown);
      conversation.removeEventListener('pointerdown', onPointerDown);
      document.removeEventListener('selectionchange', onSelect);
    };
  }, [scroller, isFlat]);

  const toEnd = useCallback(() => {
    hold.current?.follow(true);
    hold.current?.toEnd();
  }, []);

  // What was said last comes into view, wherever the person was.
  const seen = useRef(newest);
  useEffect(() => {
    const isNewer = newest > seen.current;
    seen.current = newest;
    if (!isNewer) return;
    hold.current?.follow(true);
    // With the frame, where layout is done anyway: whoever sent it may be typing on.
    requestAnimationFrame(() => {
      // What was added may have moved the view meanwhile, which looks as if somebody had scrolled.
      hold.current?.follow(true);
      hold.current?.toEnd();
    });
  }, [newest]);

  return { following, toEnd };
}
