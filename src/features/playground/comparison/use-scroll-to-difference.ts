import { useEffect, useRef, type RefObject } from 'react';

/**
 * What holds both texts: it has the focus first, so that arrow keys walk turns and differences until the choice of lanes
 * is used. The difference with this number is brought into view, again where anything in `viewKey` changes.
 */
export function useScrollToDifference(number: number, viewKey: string): RefObject<HTMLDivElement | null> {
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => body.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    body.current?.querySelector(`[data-difference="${number}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [number, viewKey]);
  return body;
}
