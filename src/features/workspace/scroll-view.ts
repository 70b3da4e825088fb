/** Scroller of the conversation and its visible part. */
export interface ScrollView {
  /** Element with the scroll position. */
  element: HTMLElement;
  /** Target of scroll events. */
  eventTarget: HTMLElement | Document;
  /** Returns the box between lane headers and metrics. */
  getBox: () => ScrollBox;
}

/** Vertical extent of the visible part, in viewport coordinates (px). */
export interface ScrollBox {
  top: number;
  bottom: number;
  height: number;
}

/**
 * Media query for windows so short that the page scrolls as a whole, so that the conversation can use the height of the
 * bars.
 */
export const pageScrollQuery = '(width >= 600px) and (height < 500px)';

/** Returns the scroller: the conversation, or the page in a very short window. */
export function getScrollView(conversation: HTMLElement, isFlat: boolean): ScrollView {
  const page = document.documentElement;
  if (!isFlat) {
    return {
      element: conversation,
      eventTarget: conversation,
      getBox: () => conversation.getBoundingClientRect(),
    };
  }
  // Heights covered by the lane headers and the metrics.
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(page);
  const top = Number.parseFloat(scrollPaddingTop) || 0;
  const bottomInset = Number.parseFloat(scrollPaddingBottom) || 0;
  return {
    element: page,
    eventTarget: document,
    getBox: () => {
      const bottom = window.innerHeight - bottomInset;
      return { top, bottom, height: bottom - top };
    },
  };
}

/** Returns this element or the nearest previous sibling that matches and starts at or above `top`. */
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
