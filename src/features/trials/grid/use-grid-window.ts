import { useEffectEvent, useLayoutEffect, useState, type RefObject } from 'react';

import { leftToShow, type GridLayout } from './grid-layout.ts';

/** Rows kept beyond the edges. */
const spareRows = 4;
/** Sideways, a new drawing each so many px. */
const stepPx = 80;

export interface GridWindow {
  from: number;
  to: number;
  /** Never more rows than these. */
  most: number;
  /** Rows that fit. */
  page: number;
  left: number;
  width: number;
}

/** Which part of a grid is in view. */
export function useGridWindow(
  scroller: RefObject<HTMLElement | null>,
  { count, rowPx, headPx }: { count: number; rowPx: number; headPx: number },
): GridWindow {
  const [view, setView] = useState({ first: 0, rows: 24, left: 0, width: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => {
      const next = {
        first: Math.floor(element.scrollTop / rowPx),
        rows: Math.ceil(Math.max(0, element.clientHeight - headPx) / rowPx) + 1,
        left: Math.floor(element.scrollLeft / stepPx) * stepPx,
        width: element.clientWidth,
      };
      setView((known) =>
        known.first === next.first &&
        known.rows === next.rows &&
        known.left === next.left &&
        known.width === next.width
          ? known
          : next,
      );
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, [scroller, rowPx, headPx]);
  return {
    from: Math.min(count, Math.max(0, view.first - spareRows)),
    to: Math.min(count, view.first + view.rows + spareRows),
    most: view.rows + 2 * spareRows,
    page: Math.max(1, view.rows - 2),
    left: view.left,
    width: view.width,
  };
}

/** Scrolls so that this cell is in view, whenever it is another one. */
export function useCellInView(
  scroller: RefObject<HTMLElement | null>,
  layout: GridLayout,
  { row, column, rowPx, headPx }: { row: number; column: number; rowPx: number; headPx: number },
): void {
  const show = useEffectEvent((at: { row: number; column: number }) => {
    const element = scroller.current;
    if (!element || at.row < 0) return;
    const top = at.row * rowPx;
    const height = element.clientHeight - headPx;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowPx > element.scrollTop + height) element.scrollTop = top + rowPx - height;
    element.scrollLeft = leftToShow(layout, at.column, element.scrollLeft, element.clientWidth);
  });
  // Only where the cell is another one: whoever scrolls away stays there.
  useLayoutEffect(() => show({ row, column }), [row, column]);
}

/** The height of the head, which has more lines once there are answers. */
export function useHeight(element: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const observer = new ResizeObserver(() => setHeight(current.offsetHeight));
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return height;
}
