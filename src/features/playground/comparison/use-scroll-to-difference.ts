import { useEffect, useRef, type RefObject } from 'react';

/**
 * Returns a ref for the container of both texts. Focuses the container first, so that arrow keys move between turns and
 * differences. Scrolls to the difference with this number, and again whenever `viewKey` changes.
 */
export function useScrollToDifference(number: number, viewKey: string): RefObject<HTMLDivElement | null> {
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => body.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    body.current?.querySelector(`[data-difference="${number}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [number, viewKey]);
  return body;
}
