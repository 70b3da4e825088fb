import { useLayoutEffect, useState, type RefObject } from 'react';

/** Returns a size of an element in px, and updates it when the element is resized; 0 before it is mounted. */
export function useElementPx(
  element: RefObject<HTMLElement | null>,
  size: 'clientWidth' | 'clientHeight' | 'offsetHeight',
): number {
  const [px, setPx] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const update = () => setPx(current[size]);
    update();
    const observer = new ResizeObserver(update);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element, size]);
  return px;
}
