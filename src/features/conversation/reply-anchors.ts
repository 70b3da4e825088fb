import { findLastAbove, type ScrollView, type ScrollBox } from '../workspace/scroll-view.ts';

/** Minimum visible height of a reply, in px. If less of it is visible, the user counts as reading its end. */
const minReadablePx = 120;
/** Tolerance for rounded positions, in px. */
const roundingPx = 1;
/** Maximum distance in px by which the start of a reply may be above the view and still count as visible. */
const startTolerancePx = 4;

/**
 * Keeps every reply of a visible turn in view with `position: sticky`: short replies completely, tall ones with their
 * last screenful. A growing answer never moves text while the user reads above the end: a pinned reply keeps its old
 * height until the new height no longer moves anything.
 */
export function createReplyAnchors() {
  /** Height by which each reply is positioned, in px. */
  const heights = new Map<HTMLElement, number>();
  /** Replies that have grown while the user was reading above the end, with their new heights in px. */
  const grownHeights = new Map<HTMLElement, number>();
  let isFollowing = true;
  let clippedReplies: readonly Element[] = [];
  let pendingFrame: number | undefined;
  let conversation: HTMLElement | undefined;
  let scrollView: ScrollView | undefined;
  let viewHeight = Number.POSITIVE_INFINITY;

  /** Positions the reply by its height. */
  const applyHeight = (reply: HTMLElement, height: number) => {
    heights.set(reply, height);
    if (grownHeights.delete(reply)) reply.style.removeProperty('top');
    reply.toggleAttribute('data-tall', height > viewHeight);
  };
  /** Keeps the reply positioned according to its previous height, although it has grown. */
  const freezeHeight = (reply: HTMLElement, height: number) => {
    grownHeights.set(reply, height);
    reply.removeAttribute('data-tall');
    // `--view-height` is set in conversation.tsx.
    reply.style.top = `calc(var(--view-top) + min(0px, var(--view-height) - ${heights.get(reply) ?? height}px))`;
  };
  /** Returns true if the reply is pinned, so that a new height would move it. */
  const isPinned = (reply: HTMLElement, view: ScrollBox) => {
    const pinnedTop = Math.min(0, view.height - (heights.get(reply) ?? 0));
    return reply.getBoundingClientRect().top - view.top < pinnedTop + roundingPx;
  };
  const applyPendingHeights = (view: ScrollBox) => {
    const unpinned = [...grownHeights].filter(([reply]) => isFollowing || !isPinned(reply, view));
    for (const [reply, height] of unpinned) applyHeight(reply, height);
  };
  const update = () => {
    pendingFrame = undefined;
    const view = scrollView?.getBox();
    if (!conversation || !view) return;
    applyPendingHeights(view);
    const previousReplies = clippedReplies;
    // Only includes replies with a registered height.
    clippedReplies = findClippedReplies(conversation, view).filter(
      (reply) => reply instanceof HTMLElement && heights.has(reply),
    );
    for (const reply of previousReplies)
      if (!clippedReplies.includes(reply)) reply.removeAttribute('data-clipped');
    for (const reply of clippedReplies)
      if (!previousReplies.includes(reply)) reply.setAttribute('data-clipped', '');
  };
  /** Updates in the next frame, in which layout is computed anyway. */
  const scheduleUpdate = () => {
    pendingFrame ??= requestAnimationFrame(update);
  };

  const updateViewHeight = () => {
    const height = scrollView?.getBox().height;
    if (height === undefined || height === viewHeight) return;
    viewHeight = height;
    for (const [reply, replyHeight] of heights) if (!grownHeights.has(reply)) applyHeight(reply, replyHeight);
  };

  let observer: ResizeObserver | undefined;
  const onResize = (entries: readonly ResizeObserverEntry[]) => {
    for (const { target, borderBoxSize } of entries) {
      const height = borderBoxSize[0]?.blockSize ?? 0;
      if (!(target instanceof HTMLElement)) continue;
      const previousHeight = heights.get(target);
      if (isFollowing || previousHeight === undefined || height <= previousHeight)
        applyHeight(target, height);
      else freezeHeight(target, height);
    }
    scheduleUpdate();
  };
  /** Browsers scroll to a focused element, but not far enough if it is inside a sticky reply. */
  const scrollToFocused = ({ target }: FocusEvent) => {
    const view = scrollView?.getBox();
    const reply = target instanceof HTMLElement ? target.closest<HTMLElement>('article[data-lane]') : null;
    if (!view || !(target instanceof HTMLElement) || !reply || reply === target) return;
    const { top, bottom, height } = target.getBoundingClientRect();
    const isVisible = target.matches(':focus-visible')
      ? (top >= view.top && bottom <= view.bottom) || height > view.height
      : bottom > view.top && top < view.bottom;
    if (isVisible) return;
    applyHeight(reply, reply.offsetHeight);
    reply.style.position = 'static';
    reply.style.alignSelf = 'start';
    target.scrollIntoView({ block: 'nearest' });
    reply.style.position = '';
    reply.style.alignSelf = '';
  };
  return {
    /** Registers the listeners of a conversation and returns a function that removes them. */
    connect: (element: HTMLElement, nextView: ScrollView) => {
      conversation = element;
      scrollView = nextView;
      const abortController = new AbortController();
      const { signal } = abortController;
      // Lane headers and metrics have the width of the replies between them.
      const scrollBarObserver = new ResizeObserver(() => {
        const width = element.offsetWidth - element.clientWidth;
        element.closest('main')?.style.setProperty('--scroll-bar', `${width}px`);
        updateViewHeight();
      });
      scrollBarObserver.observe(element);
      updateViewHeight();
      scheduleUpdate();
      nextView.eventTarget.addEventListener('scroll', scheduleUpdate, { passive: true, signal });
      element.addEventListener('focusin', scrollToFocused, { signal });
      return () => {
        scrollBarObserver.disconnect();
        abortController.abort();
      };
    },
    observeReply: (reply: HTMLElement | null) => {
      if (!reply) return () => undefined;
      observer ??= new ResizeObserver(onResize);
      observer.observe(reply);
      return () => {
        observer?.unobserve(reply);
        heights.delete(reply);
        grownHeights.delete(reply);
      };
    },
    setFollowing: (next: boolean) => {
      isFollowing = next;
      if (next) for (const [reply, height] of grownHeights) applyHeight(reply, height);
    },
  };
}

/**
 * Returns the replies whose start is above the view, from the turn at the upper edge. Searches from the end, where the
 * view usually is.
 */
function findClippedReplies(scroller: HTMLElement, view: ScrollBox): Element[] {
  const group = findLastAbove(scroller.firstElementChild?.lastElementChild, view.top);
  const turn = findLastAbove(group?.lastElementChild, view.top);
  return [...(turn?.children ?? [])].filter((reply) => {
    const { top, bottom } = reply.getBoundingClientRect();
    return top < view.top - startTolerancePx && bottom > view.top + minReadablePx;
  });
}
