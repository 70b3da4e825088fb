import { createContext, useEffect, useLayoutEffect, useState, type RefObject } from 'react';

import { getScrollView, type ScrollView } from './scroll-view.ts';

type Box = ReturnType<ScrollView['getBox']>;

/** With less of a reply left than this, the user is reading its end. */
const minReadablePx = 120;
/** Positions are rounded here and there. */
const roundingPx = 1;
/** So far may the start of a reply be above the view and still count as in it. */
const startTolerancePx = 4;

/** Keeps a reply in view from here on; answers with how to stop. */
export const ScrollAnchorContext = createContext<((reply: HTMLElement | null) => () => void) | undefined>(
  undefined,
);

/**
 * While the row of a turn is in view, each of its replies is: one that is lower than the view stays whole, a higher one
 * keeps its last screenful. The browser does both (`position: sticky`); told to it is which of them a
 * reply is. For who reads above the end no text moves because an answer grows: a reply that stands still keeps the
 * height by which it stands until it can take the new one without moving.
 */
export function useScrollAnchor(
  scroller: RefObject<HTMLElement | null>,
  isAtEnd: boolean,
  isFlat: boolean,
): (reply: HTMLElement | null) => () => void {
  const [replyAnchors] = useState(() => createReplyAnchors(scroller));
  useLayoutEffect(() => replyAnchors.setFollowing(isAtEnd), [replyAnchors, isAtEnd]);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    // Heads and figures of the lanes are as wide as the replies between them.
    const scrollBarObserver = new ResizeObserver(() => {
      const width = element.offsetWidth - element.clientWidth;
      element.closest('main')?.style.setProperty('--scroll-bar', `${width}px`);
      replyAnchors.updateViewHeight();
    });
    scrollBarObserver.observe(element);
    const scrollView = getScrollView(element, isFlat);
    replyAnchors.setView(scrollView);
    scrollView.eventTarget.addEventListener('scroll', replyAnchors.scheduleUpdate, { passive: true });
    element.addEventListener('focusin', replyAnchors.scrollToFocused);
    return () => {
      scrollBarObserver.disconnect();
      scrollView.eventTarget.removeEventListener('scroll', replyAnchors.scheduleUpdate);
      element.removeEventListener('focusin', replyAnchors.scrollToFocused);
    };
  }, [replyAnchors, scroller, isFlat]);
  return replyAnchors.observeReply;
}

/** Brings the start of this turn to the top of the view, and the focus to the reply. */
export function scrollToReplyStart(reply: HTMLElement): void {
  reply.parentElement?.scrollIntoView({ block: 'start' });
  // Its button goes; whoever uses the keyboard goes on here.
  reply.tabIndex = -1;
  reply.focus({ preventScroll: true });
}

function createReplyAnchors(scroller: RefObject<HTMLElement | null>) {
  /** The height by which each stands. */
  const heights = new Map<HTMLElement, number>();
  /** Those that have grown since, while somebody read above the end. */
  const grownHeights = new Map<HTMLElement, number>();
  let isFollowing = true;
  let clippedReplies: readonly Element[] = [];
  let pendingFrame: number | undefined;
  let scrollView: ScrollView | undefined;
  let viewHeight = Number.POSITIVE_INFINITY;

  /** Stands by its height, whatever that will be. */
  const applyHeight = (reply: HTMLElement, height: number) => {
    heights.set(reply, height);
    if (grownHeights.delete(reply)) reply.style.removeProperty('top');
    reply.toggleAttribute('data-tall', height > viewHeight);
  };
  /** Stands by the height that it had, although it is higher now. */
  const freezeHeight = (reply: HTMLElement, height: number) => {
    grownHeights.set(reply, height);
    reply.removeAttribute('data-tall');
    // The share is of the view's height (conversation.css).
    reply.style.top = `calc(var(--view-top) + min(0px, var(--view-height) - ${heights.get(reply) ?? height}px))`;
  };
  /** Whether it is kept where it is: another height would move it. */
  const isPinned = (reply: HTMLElement, view: Box) => {
    const pinnedTop = Math.min(0, view.height - (heights.get(reply) ?? 0));
    return reply.getBoundingClientRect().top - view.top < pinnedTop + roundingPx;
  };
  const applyPendingHeights = (view: Box) => {
    const unpinned = [...grownHeights].filter(([reply]) => isFollowing || !isPinned(reply, view));
    for (const [reply, height] of unpinned) applyHeight(reply, height);
  };
  const update = () => {
    pendingFrame = undefined;
    const element = scroller.current;
    const view = scrollView?.getBox();
    if (!element || !view) return;
    applyPendingHeights(view);
    const previousReplies = clippedReplies;
    // Those that stand by a height of their own.
    clippedReplies = findClippedReplies(element, view).filter(
      (reply) => reply instanceof HTMLElement && heights.has(reply),
    );
    for (const reply of previousReplies)
      if (!clippedReplies.includes(reply)) reply.removeAttribute('data-clipped');
    for (const reply of clippedReplies)
      if (!previousReplies.includes(reply)) reply.setAttribute('data-clipped', '');
  };
  /** With the frame, where layout is done anyway. */
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
  return {
    scheduleUpdate,
    setView: (next: ScrollView) => {
      scrollView = next;
      updateViewHeight();
      scheduleUpdate();
    },
    updateViewHeight,
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
    /** The browser scrolls to what it gives the focus, but not far enough where that is in a reply that is kept. */
    scrollToFocused: ({ target }: FocusEvent) => {
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
    },
  };
}

/** Of the turn at the view's upper edge, the replies whose start is above it. Looked for from the end, where one mostly is. */
function findClippedReplies(scroller: HTMLElement, view: Box): Element[] {
  const group = findLastAbove(scroller.firstElementChild?.lastElementChild, view.top);
  const turn = findLastAbove(group?.lastElementChild, view.top);
  return [...(turn?.children ?? [])].filter((reply) => {
    const { top, bottom } = reply.getBoundingClientRect();
    return top < view.top - startTolerancePx && bottom > view.top + minReadablePx;
  });
}

/** This element or the nearest before it that begins at or above `top`, and is one of those looked for. */
export function findLastAbove(
  element: Element | null | undefined,
  top: number,
  isMatch: (element: Element) => boolean = () => true,
): Element | undefined {
  for (let candidate = element; candidate; candidate = candidate.previousElementSibling) {
    if (isMatch(candidate) && candidate.getBoundingClientRect().top <= top) return candidate;
  }
  return undefined;
}
