import { startTransition, useCallback, useEffect, useLayoutEffect, useState } from 'react';

import { finishSlices } from '../../../markdown/draw/run-in-slices.ts';
import { usePrinting } from '../../../ui/hooks/use-printing.ts';

/** What fills the largest screen, and some more to scroll into. */
export const initialGroupCount = 2;
/** Time that the page keeps for everything else between two groups. */
const pauseMs = 8;

interface MountedGroups {
  /** All from this one on are there, also those that are added at the end. */
  firstIndex: number;
  /** These came to be seen before it was their turn. */
  forcedIndexes: ReadonlySet<number>;
}

/**
 * Which of so many groups are in the page: the last ones at once, those before them one by one, last to first, when
 * the page has time, or all at once where the page is printed. `mountNow` brings one group in without waiting. Once
 * mounted, a group stays.
 */
export function useMountedGroups(count: number): {
  isMounted: (index: number) => boolean;
  mountNow: (index: number) => void;
} {
  const [{ firstIndex, forcedIndexes }, setMounted] = useState<MountedGroups>(() => ({
    firstIndex: Math.max(0, count - initialGroupCount),
    forcedIndexes: new Set(),
  }));

  const isPrinting = usePrinting();
  if (isPrinting && firstIndex > 0) setMounted((current) => ({ ...current, firstIndex: 0 }));
  useLayoutEffect(() => {
    if (isPrinting) finishSlices();
  }, [isPrinting]);

  useEffect(() => {
    if (firstIndex === 0) return undefined;
    // A transition gives way to a key or a frame.
    const mountOneMore = () =>
      startTransition(() => setMounted((current) => ({ ...current, firstIndex: current.firstIndex - 1 })));
    const timer = setTimeout(mountOneMore, pauseMs);
    return () => clearTimeout(timer);
  }, [firstIndex]);

  const mountNow = useCallback(
    (index: number) =>
      setMounted((current) => ({ ...current, forcedIndexes: new Set(current.forcedIndexes).add(index) })),
    [],
  );
  return { isMounted: (index) => index >= firstIndex || forcedIndexes.has(index), mountNow };
}
