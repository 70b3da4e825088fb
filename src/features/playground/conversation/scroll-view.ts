/** What scrolls the conversation, and what of it is seen. */
export interface ScrollView {
  /** Has the position. */
  element: HTMLElement;
  /** Tells of it. */
  eventTarget: HTMLElement | Document;
  /** Between the headers of the lanes and their figures, in the window. */
  getBox: () => { top: number; bottom: number; height: number };
}

/** In a window this low the page scrolls as a whole: the bars go, and what one reads has their room. */
export const pageScrollQuery = '(width >= 600px) and (height < 500px)';

/** The conversation scrolls in its own box; where the window is flat, the page does. */
export function getScrollView(conversation: HTMLElement, isFlat: boolean): ScrollView {
  const page = document.documentElement;
  if (!isFlat) {
    return {
      element: conversation,
      eventTarget: conversation,
      getBox: () => conversation.getBoundingClientRect(),
    };
  }
  // So far do the headers and the figures cover it.
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
