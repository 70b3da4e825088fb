import type { ScrollView } from '../workspace/scroll-view.ts';

/** Distance within which the view counts as being at the end, in px. */
const nearEndPx = 24;
/** Maximum difference between a written and a rounded scroll position, in px. */
const roundingPx = 2;
const upwardKeys = new Set(['ArrowUp', 'PageUp', 'Home']);

/**
 * Keeps the newest text in view while the user is at the end. Any other scrolling (wheel, touch, keys, scroll bar, find
 * in page) and any text selection stops this immediately, and reaching the end starts it again; `onChange` reports both.
 */
export function createEndFollower(
  conversation: HTMLElement,
  { element, eventTarget }: ScrollView,
  { isEmpty, onChange }: Partial<{ isEmpty: () => boolean; onChange: (isFollowing: boolean) => void }> = {},
) {
  const abortController = new AbortController();
  const { signal } = abortController;
  let isFollowing = true;
  const readScroll = () => ({
    top: element.scrollTop,
    height: element.scrollHeight,
    viewportHeight: element.clientHeight,
  });
  let lastScroll = readScroll();
  const setFollowing = (next: boolean) => {
    isFollowing = next;
    onChange?.(next);
  };
  const scrollToEnd = () => {
    element.scrollTop = element.scrollHeight;
    lastScroll = readScroll();
  };
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
    lastScroll = readScroll();
    if ((hasResized || isScrollingDown) && isFollowing && !isEmpty?.()) return scrollToEnd();
    if (isOwnScroll || (wasClamped && isFollowing)) return;
    setFollowing(distance <= nearEndPx);
  };
  const stopFollowing = () => {
    if (!isFollowing || element.scrollHeight <= element.clientHeight) return;
    setFollowing(false);
    // At the very end, Chromium follows the end on its own.
    element.scrollTop -= 1;
    lastScroll = readScroll();
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
    if (isFollowing && !isEmpty?.()) scrollToEnd();
    else lastScroll = { ...lastScroll, height: element.scrollHeight, viewportHeight: element.clientHeight };
  };
  const observer = new ResizeObserver(onResize);
  if (conversation.firstElementChild) observer.observe(conversation.firstElementChild);
  observer.observe(conversation);
  eventTarget.addEventListener('scroll', onScroll, { passive: true, signal });
  conversation.addEventListener('wheel', onWheel, { passive: true, signal });
  conversation.addEventListener('touchstart', onTouchStart, { passive: true, signal });
  conversation.addEventListener('touchmove', onTouchMove, { passive: true, signal });
  conversation.addEventListener('keydown', onKeyDown, { signal });
  conversation.addEventListener('pointerdown', onPointerDown, { signal });
  document.addEventListener('selectionchange', onSelect, { signal });
  return {
    setFollowing,
    scrollToEnd,
    disconnect: () => {
      observer.disconnect();
      abortController.abort();
    },
  };
}
