import { startTransition, useCallback, useEffect, useLayoutEffect, useState } from 'react';

import { finishSlices } from '../../../markdown/draw/run-in-slices.ts';
import { usePrinting } from './use-printing.ts';

/** Number of groups that fill the largest screen with some reserve for scrolling. */
export const initialGroupCount = 2;
/** Pause between two groups, which leaves the main thread free for other work, in ms. */
const pauseMs = 8;

interface MountedGroups {
  /** Index of the first mounted group; all later groups, including new ones, are mounted as well. */
  firstIndex: number;
  /** Groups mounted early because they came into view. */
  forcedIndexes: ReadonlySet<number>;
}

/**
 * Controls which groups are mounted: the last ones immediately, earlier ones one by one from last to first when the
 * page is idle, and all for printing. `mountNow` mounts one group immediately. Mounted groups stay mounted.
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
    // A transition yields to key presses and frames.
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
