/** What scrolls the conversation, and what of it is seen. */
export interface ScrollView {
  /** Has the position. */
  element: HTMLElement;
  /** Tells of it. */
  teller: HTMLElement | Document;
  /** Between the headers of the lanes and their figures, in the window. */
  box: () => { top: number; bottom: number; height: number };
}

/** In a window this low the page scrolls as a whole: the bars go, and what one reads has their room. */
export const flatWindow = '(width >= 600px) and (height < 500px)';

/** The conversation scrolls in its own box; where the window is flat, the page does. */
export function scrollViewOf(conversation: HTMLElement, isFlat: boolean): ScrollView {
  const page = document.documentElement;
  if (!isFlat) {
    return { element: conversation, teller: conversation, box: () => conversation.getBoundingClientRect() };
  }
  // So far do the headers and the figures cover it.
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(page);
  const top = Number.parseFloat(scrollPaddingTop) || 0;
  const below = Number.parseFloat(scrollPaddingBottom) || 0;
  return {
    element: page,
    teller: document,
    box: () => {
      const bottom = window.innerHeight - below;
      return { top, bottom, height: bottom - top };
    },
  };
}
