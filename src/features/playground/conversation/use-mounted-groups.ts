import { startTransition, useCallback, useEffect, useLayoutEffect, useState } from 'react';

import { finishSlices } from '../../../markdown/draw/run-in-slices.ts';
import { usePrinting } from '../../../ui/hooks/use-printing.ts';

/** What fills the largest screen, and some more to scroll into. */
export const groupsAtOnce = 2;
/** Time that the page keeps for everything else between two groups. */
const pauseMs = 8;

interface Mounted {
  /** All from this one on are there, also those that are added at the end. */
  from: number;
  /** These came to be seen before it was their turn. */
  early: ReadonlySet<number>;
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
  const [{ from, early }, setMounted] = useState<Mounted>(() => ({
    from: Math.max(0, count - groupsAtOnce),
    early: new Set(),
  }));

  const isPrinting = usePrinting();
  if (isPrinting && from > 0) setMounted((known) => ({ ...known, from: 0 }));
  useLayoutEffect(() => {
    if (isPrinting) finishSlices();
  }, [isPrinting]);

  useEffect(() => {
    if (from === 0) return undefined;
    // A transition gives way to a key or a frame.
    const mountOneMore = () =>
      startTransition(() => setMounted((known) => ({ ...known, from: known.from - 1 })));
    const timer = setTimeout(mountOneMore, pauseMs);
    return () => clearTimeout(timer);
  }, [from]);

  const mountNow = useCallback(
    (index: number) => setMounted((known) => ({ ...known, early: new Set(known.early).add(index) })),
    [],
  );
  return { isMounted: (index) => index >= from || early.has(index), mountNow };
}
