import { useEffectEvent, useLayoutEffect, useState, type RefObject } from 'react';

import { getScrollLeft, type GridLayout } from './grid-layout.ts';

/** Rows kept beyond the edges. */
const spareRows = 4;
/** Scrolling is over when nothing has moved for so long. */
const restMs = 300;
/** Sideways, a new drawing each so many px. */
const stepPx = 80;

export interface GridWindow {
  from: number;
  to: number;
  /** Never more rows than these: a row is drawn where `row % most` was drawn before it. */
  rowPoolSize: number;
  /** Where the view was when it last rested. */
  restScrollTop: number;
  /** Rows that fit. */
  page: number;
  scrollLeft: number;
  /** It has been scrolled sideways. */
  isScrolledSideways: boolean;
  width: number;
}

/** Which part of a grid is in view. */
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
 * The rows in view. While it scrolls, one that comes in takes the place of one that has left, and all others stay where
 * they are in the document; when it rests they stand in their order.
 */
export function getRowsToRender({ from, to, rowPoolSize, restScrollTop }: GridWindow): number[] {
  const placeOf = (row: number): number =>
    (((row - restScrollTop) % rowPoolSize) + rowPoolSize) % rowPoolSize;
  return Array.from({ length: to - from }, (_, index) => from + index).toSorted(
    (one, other) => placeOf(one) - placeOf(other),
  );
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
    element.scrollLeft = getScrollLeft(layout, at.column, element.scrollLeft, element.clientWidth);
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
