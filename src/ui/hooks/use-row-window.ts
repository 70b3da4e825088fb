import { useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** Rows mounted beyond the edges, so that fast scrolling does not show blank space. */
const spareRows = 12;

interface Rows {
  count: number;
  rowPx: number;
  /** The focused row; undefined or -1 if there is none. */
  active: number | undefined;
  /** Height in px of a header that covers the first rows. */
  headPx?: number;
}

/**
 * Returns the rows to mount of a long list with equal heights, and scrolls the active row into view when it changes.
 */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  { count, rowPx, active = -1, headPx = 0 }: Rows,
): { from: number; to: number } {
  const [view, setView] = useState({ first: 0, rows: 40 });
  const seenRow = useRef(-1);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => {
      const first = Math.floor(element.scrollTop / rowPx);
      const rows = Math.ceil(element.clientHeight / rowPx) + 1;
      // Returning the same object avoids a re-render.
      setView((known) => (known.first === first && known.rows === rows ? known : { first, rows }));
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, [scroller, rowPx]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || active < 0 || active === seenRow.current) return;
    const isFar = Math.abs(active - seenRow.current) > 1;
    seenRow.current = active;
    const top = active * rowPx;
    const { scrollTop } = element;
    const height = element.clientHeight - headPx;
    if (top >= scrollTop && top + rowPx <= scrollTop + height) return;
    if (isFar) element.scrollTop = top - height / 2;
    else element.scrollTop = top < scrollTop ? top : top + rowPx - height;
  }, [scroller, active, rowPx, headPx]);

  return {
    from: Math.max(0, view.first - spareRows),
    to: Math.min(count, view.first + view.rows + spareRows),
  };
}
