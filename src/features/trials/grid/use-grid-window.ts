import { useEffectEvent, useLayoutEffect, useState, type RefObject } from 'react';

import { getScrollLeft, type GridLayout } from './grid-layout.ts';

/** Number of rows rendered beyond each edge. */
const spareRows = 4;
/** Time without movement after which scrolling has ended, in ms. */
const restMs = 300;
/** Horizontal scroll distance between two renders, in px. */
const stepPx = 80;

export interface GridWindow {
  from: number;
  to: number;
  /** Maximum number of rows; a row reuses the element of the previous row with the same `row % rowPoolSize`. */
  rowPoolSize: number;
  /** First rendered row when the grid last came to rest. */
  restScrollTop: number;
  /** Number of rows that fit into the visible part. */
  page: number;
  scrollLeft: number;
  /** True if the grid is scrolled sideways. */
  isScrolledSideways: boolean;
  width: number;
}

/** Returns the visible part of a grid. */
export function useGridWindow(
  scroller: RefObject<HTMLElement | null>,
  { count, rowPx, headPx }: { count: number; rowPx: number; headPx: number },
): GridWindow {
  const [view, setView] = useState({ first: 0, rows: 24, left: 0, isAside: false, width: 0 });
  const [rest, setRest] = useState(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => {
      const next = {
        first: Math.floor(element.scrollTop / rowPx),
        rows: Math.ceil(Math.max(0, element.clientHeight - headPx) / rowPx) + 1,
        left: Math.floor(element.scrollLeft / stepPx) * stepPx,
        isAside: element.scrollLeft > 0,
        width: element.clientWidth,
      };
      setView((known) =>
        known.first === next.first &&
        known.rows === next.rows &&
        known.left === next.left &&
        known.isAside === next.isAside &&
        known.width === next.width
          ? known
          : next,
      );
    };
    let resting: ReturnType<typeof setTimeout> | undefined;
    const onScroll = () => {
      look();
      clearTimeout(resting);
      resting = setTimeout(() => setRest(Math.floor(element.scrollTop / rowPx)), restMs);
    };
    look();
    element.addEventListener('scroll', onScroll, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => {
      clearTimeout(resting);
      element.removeEventListener('scroll', onScroll);
      observer.disconnect();
    };
  }, [scroller, rowPx, headPx]);
  return {
    from: Math.min(count, Math.max(0, view.first - spareRows)),
    to: Math.min(count, view.first + view.rows + spareRows),
    rowPoolSize: view.rows + 2 * spareRows,
    restScrollTop: Math.max(0, rest - spareRows),
    page: Math.max(1, view.rows - 2),
    scrollLeft: view.left,
    isScrolledSideways: view.isAside,
    width: view.width,
  };
}

/**
 * Returns the rows to render. During scrolling, a new row takes the DOM position of a row that has left the view, while
 * other rows keep theirs; at rest, the rows are in order.
 */
export function getRowsToRender({ from, to, rowPoolSize, restScrollTop }: GridWindow): number[] {
  const placeOf = (row: number): number =>
    (((row - restScrollTop) % rowPoolSize) + rowPoolSize) % rowPoolSize;
  return Array.from({ length: to - from }, (_, index) => from + index).toSorted(
    (one, other) => placeOf(one) - placeOf(other),
  );
}

/** Scrolls a cell into view whenever the cell changes. */
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
    element.scrollLeft = getScrollLeft(layout, at.column, element.scrollLeft, element.clientWidth);
  });
  // Only if the cell changes, so that the user can scroll away.
  useLayoutEffect(() => show({ row, column }), [row, column]);
}

/** Returns the height of the header in px; it has more lines once there are answers. */
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
