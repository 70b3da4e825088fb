import { useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** Rows kept beyond the edges, so that a fast scroll does not run into nothing. */
const spareRows = 12;

/** Which rows of a long list of equal rows are mounted; the active one is scrolled into view when it changes. */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
  activeRow: number,
) {
  const [view, setView] = useState({ top: 0, height: 600 });
  const seenRow = useRef(-1);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => {
      const { scrollTop, clientHeight } = element;
      // The same rows need no other render.
      setView((known) => {
        const isSame =
          Math.floor(known.top / rowHeight) === Math.floor(scrollTop / rowHeight) &&
          known.height === clientHeight;
        return isSame ? known : { top: scrollTop, height: clientHeight };
      });
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, [scroller, rowHeight]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || activeRow < 0 || activeRow === seenRow.current) return;
    const isFar = Math.abs(activeRow - seenRow.current) > 1;
    seenRow.current = activeRow;
    const top = activeRow * rowHeight;
    const { scrollTop, clientHeight } = element;
    if (top >= scrollTop && top + rowHeight <= scrollTop + clientHeight) return;
    if (isFar) element.scrollTop = top - clientHeight / 2;
    else element.scrollTop = top < scrollTop ? top : top + rowHeight - clientHeight;
  }, [scroller, activeRow, rowHeight]);

  const from = Math.max(0, Math.floor(view.top / rowHeight) - spareRows);
  const to = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + spareRows);
  return { from, to };
}
