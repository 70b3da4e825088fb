import { createContext, useEffect, useLayoutEffect, useState, type RefObject } from 'react';

import { scrollViewOf, type ScrollView } from './scroll-view.ts';

type Box = ReturnType<ScrollView['box']>;

/** With less of a reply left than this, the user is reading its end. */
const worthReadingPx = 120;
/** Positions are rounded here and there. */
const roundingPx = 1;
/** So far may the start of a reply be above the view and still count as in it. */
const startPx = 4;

/** Keeps a reply in view from here on; answers with how to stop. */
export const StayInView = createContext<((reply: HTMLElement | null) => () => void) | undefined>(undefined);

/**
 * While the row of a turn is in view, each of its replies is: one that is lower than the view stays whole, a higher one
 * keeps its last screenful. The browser does both (`position: sticky`); told to it is which of them a
 * reply is. For who reads above the end no text moves because an answer grows: a reply that stands still keeps the
 * height by which it stands until it can take the new one without moving.
 */
export function useRepliesStay(
  scroller: RefObject<HTMLElement | null>,
  following: boolean,
  isFlat: boolean,
): (reply: HTMLElement | null) => () => void {
  const [replies] = useState(() => stayingReplies(scroller));
  useLayoutEffect(() => replies.follow(following), [replies, following]);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    // Heads and figures of the lanes are as wide as the replies between them.
    const bar = new ResizeObserver(() => {
      const width = element.offsetWidth - element.clientWidth;
      element.closest('main')?.style.setProperty('--scroll-bar', `${width}px`);
      replies.resized();
    });
    bar.observe(element);
    const view = scrollViewOf(element, isFlat);
    replies.setView(view);
    view.teller.addEventListener('scroll', replies.lookSoon, { passive: true });
    element.addEventListener('focusin', replies.showFocused);
    return () => {
      bar.disconnect();
      view.teller.removeEventListener('scroll', replies.lookSoon);
      element.removeEventListener('focusin', replies.showFocused);
    };
  }, [replies, scroller, isFlat]);
  return replies.stay;
}

/** Brings the start of this turn to the top of the view, and the focus to the reply. */
export function toStartOf(reply: HTMLElement): void {
  reply.parentElement?.scrollIntoView({ block: 'start' });
  // Its button goes; whoever uses the keyboard goes on here.
  reply.tabIndex = -1;
  reply.focus({ preventScroll: true });
}

function stayingReplies(scroller: RefObject<HTMLElement | null>) {
  /** The height by which each stands. */
  const heights = new Map<HTMLElement, number>();
  /** Those that have grown since, while somebody read above the end. */
  const grown = new Map<HTMLElement, number>();
  let isFollowing = true;
  let cut: readonly Element[] = [];
  let nextLook: number | undefined;
  let scrollView: ScrollView | undefined;
  let viewHeight = Number.POSITIVE_INFINITY;

  /** Stands by its height, whatever that will be. */
  const standFree = (reply: HTMLElement, height: number) => {
    heights.set(reply, height);
    if (grown.delete(reply)) reply.style.removeProperty('top');
    reply.toggleAttribute('data-tall', height > viewHeight);
  };
  /** Stands by the height that it had, although it is higher now. */
  const standAsBefore = (reply: HTMLElement, height: number) => {
    grown.set(reply, height);
    reply.removeAttribute('data-tall');
    // The share is of the view's height (conversation.css).
    reply.style.top = `calc(var(--view-top) + min(0px, var(--view-height) - ${heights.get(reply) ?? height}px))`;
  };
  /** Whether it is kept where it is: another height would move it. */
  const isKept = (reply: HTMLElement, view: Box) => {
    const kept = Math.min(0, view.height - (heights.get(reply) ?? 0));
    return reply.getBoundingClientRect().top - view.top < kept + roundingPx;
  };
  const catchUp = (view: Box) => {
    const free = [...grown].filter(([reply]) => isFollowing || !isKept(reply, view));
    for (const [reply, height] of free) standFree(reply, height);
  };
  const look = () => {
    nextLook = undefined;
    const element = scroller.current;
    const view = scrollView?.box();
    if (!element || !view) return;
    catchUp(view);
    const before = cut;
    // Those that stand by a height of their own.
    cut = cutReplies(element, view).filter((reply) => reply instanceof HTMLElement && heights.has(reply));
    for (const reply of before) if (!cut.includes(reply)) reply.removeAttribute('data-cut');
    for (const reply of cut) if (!before.includes(reply)) reply.setAttribute('data-cut', '');
  };
  /** With the frame, where layout is done anyway. */
  const lookSoon = () => {
    nextLook ??= requestAnimationFrame(look);
  };

  const resized = () => {
    const height = scrollView?.box().height;
    if (height === undefined || height === viewHeight) return;
    viewHeight = height;
    for (const [reply, known] of heights) if (!grown.has(reply)) standFree(reply, known);
  };

  let observer: ResizeObserver | undefined;
  const onResize = (entries: readonly ResizeObserverEntry[]) => {
    for (const { target, borderBoxSize } of entries) {
      const height = borderBoxSize[0]?.blockSize ?? 0;
      if (!(target instanceof HTMLElement)) continue;
      const known = heights.get(target);
      if (isFollowing || known === undefined || height <= known) standFree(target, height);
      else standAsBefore(target, height);
    }
    lookSoon();
  };
  return {
    lookSoon,
    setView: (next: ScrollView) => {
      scrollView = next;
      resized();
      lookSoon();
    },
    resized,
    stay: (reply: HTMLElement | null) => {
      if (!reply) return () => undefined;
      observer ??= new ResizeObserver(onResize);
      observer.observe(reply);
      return () => {
        observer?.unobserve(reply);
        heights.delete(reply);
        grown.delete(reply);
      };
    },
    follow: (next: boolean) => {
      isFollowing = next;
      if (next) for (const [reply, height] of grown) standFree(reply, height);
    },
    /** The browser scrolls to what it gives the focus, but not far enough where that is in a reply that is kept. */
    showFocused: ({ target }: FocusEvent) => {
      const view = scrollView?.box();
      const reply = target instanceof HTMLElement ? target.closest<HTMLElement>('article[data-lane]') : null;
      if (!view || !(target instanceof HTMLElement) || !reply || reply === target) return;
      const { top, bottom, height } = target.getBoundingClientRect();
      const isSeen = target.matches(':focus-visible')
        ? (top >= view.top && bottom <= view.bottom) || height > view.height
        : bottom > view.top && top < view.bottom;
      if (isSeen) return;
      standFree(reply, reply.offsetHeight);
      reply.style.position = 'static';
      reply.style.alignSelf = 'start';
      target.scrollIntoView({ block: 'nearest' });
      reply.style.position = '';
      reply.style.alignSelf = '';
    },
  };
}

/** Of the turn at the view's upper edge, the replies whose start is above it. Looked for from the end, where one mostly is. */
function cutReplies(scroller: HTMLElement, view: Box): Element[] {
  const group = lastFrom(scroller.firstElementChild?.lastElementChild, view.top);
  const turn = lastFrom(group?.lastElementChild, view.top);
  return [...(turn?.children ?? [])].filter((reply) => {
    const { top, bottom } = reply.getBoundingClientRect();
    return top < view.top - startPx && bottom > view.top + worthReadingPx;
  });
}

/** This element or the nearest before it that begins at or above `top`, and is one of those looked for. */
export function lastFrom(
  element: Element | null | undefined,
  top: number,
  isOne: (element: Element) => boolean = () => true,
): Element | undefined {
  for (let each = element; each; each = each.previousElementSibling) {
    if (isOne(each) && each.getBoundingClientRect().top <= top) return each;
  }
  return undefined;
}
