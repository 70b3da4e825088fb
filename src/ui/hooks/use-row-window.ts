import { useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** Rows kept beyond the edges, so that a fast scroll does not run into nothing. */
const spareRows = 12;

interface Rows {
  count: number;
  rowPx: number;
  /** The row that has the focus; undefined or -1 where none has. */
  active: number | undefined;
  /** Height of a head that stands over the first rows. */
  headPx?: number;
}

/** Which rows of a long list of equal rows are mounted; the active one is scrolled into view when it changes. */
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
      // The same rows need no other render.
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
