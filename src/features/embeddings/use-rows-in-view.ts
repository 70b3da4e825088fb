import { useLayoutEffect, useState, type RefObject } from 'react';

/** Rows kept beyond the edges, so that a fast scroll does not run into nothing. */
const spareRows = 10;

/** Which rows of a long table of equal rows are mounted; the active one is scrolled into view when it changes. */
export function useRowsInView(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowPx: number,
  active: number | undefined,
) {
  const [view, setView] = useState({ first: 0, rows: 40 });

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => {
      const next = {
        first: Math.floor(element.scrollTop / rowPx),
        rows: Math.ceil(element.clientHeight / rowPx),
      };
      setView((known) => (known.first === next.first && known.rows === next.rows ? known : next));
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
    if (!element || active === undefined) return;
    // The head of the table stands over the first row.
    const top = active * rowPx;
    const height = element.clientHeight - rowPx;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowPx > element.scrollTop + height) element.scrollTop = top + rowPx - height;
  }, [scroller, active, rowPx]);

  return {
    from: Math.max(0, view.first - spareRows),
    to: Math.min(count, view.first + view.rows + spareRows),
  };
}
