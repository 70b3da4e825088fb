import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { useEffectEvent, useLayoutEffect, useRef, type RefObject } from 'react';

interface VirtualRowsOptions {
  count: number;
  rowPx: number;
  /** The current row; undefined or -1 if there is none. */
  active: number | undefined;
  /** Number of rows mounted beyond each edge, so that fast scrolling does not show blank space. */
  overscan?: number;
}

/**
 * Virtualises a list with rows of equal height. The active row stays mounted while the list scrolls, and is scrolled
 * into view when it changes: to the centre after a jump.
 */
export function useVirtualRows(
  scroller: RefObject<HTMLElement | null>,
  { count, rowPx, active = -1, overscan = 12 }: VirtualRowsOptions,
): Virtualizer<HTMLElement, HTMLElement> {
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan,
    useFlushSync: false,
    rangeExtractor: (range) => withIndex(defaultRangeExtractor(range), active),
  });
  const lastActive = useRef(-1);
  const show = useEffectEvent((index: number) => {
    const isJump = Math.abs(index - lastActive.current) > 1;
    lastActive.current = index;
    if (index < 0) return;
    const isVisible = virtualizer.getOffsetForIndex(index)?.[0] === virtualizer.scrollOffset;
    virtualizer.scrollToIndex(index, { align: isJump && !isVisible ? 'center' : 'auto' });
  });
  // Only if the row changes, so that the user can scroll away.
  useLayoutEffect(() => show(active), [active]);
  return virtualizer;
}

/** Returns sorted indexes with one more index, so that its item stays mounted. */
export function withIndex(indexes: readonly number[], index: number): number[] {
  return index < 0 || indexes.includes(index) ? [...indexes] : [...indexes, index].toSorted((a, b) => a - b);
}
