import { useLayoutEffect, useState, type RefObject } from 'react';

/** Returns the inner size of an element, without the padding on both sides, in px. */
export function useContentSize(
  element: RefObject<HTMLElement | null>,
  paddingPx: number,
): { widthPx: number; heightPx: number } {
  const [size, setSize] = useState({ widthPx: 0, heightPx: 0 });
  useLayoutEffect(() => {
    const box = element.current;
    if (!box) return;
    const observer = new ResizeObserver(() =>
      setSize({ widthPx: box.clientWidth - 2 * paddingPx, heightPx: box.clientHeight }),
    );
    observer.observe(box);
    return () => observer.disconnect();
  }, [element, paddingPx]);
  return size;
}
