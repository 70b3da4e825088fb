import { useCallback, useEffect, useState } from 'react';

/** What fills the largest screen, and some more to scroll into. */
const groupsAtOnce = 2;
/** Time that the page keeps for everything else between two groups. */
const pauseMs = 8;

/**
 * From which of so many groups on the conversation is in the page: the last ones at once, those before them one by
 * one, last to first. `mountNow` brings a group, and all after it, in without waiting.
 */
export function useMountedGroups(count: number): { mountedFrom: number; mountNow: (index: number) => void } {
  // Counted from the end: what is added there is drawn at once.
  const [mounted, setMounted] = useState(groupsAtOnce);
  const mountedFrom = Math.max(0, count - mounted);

  useEffect(() => {
    if (mountedFrom === 0) return undefined;
    const timer = setTimeout(() => setMounted((known) => known + 1), pauseMs);
    return () => clearTimeout(timer);
  }, [mountedFrom]);

  // Groups that are added later are at the end, so the place of this one is told from there.
  const mountNow = useCallback(
    (index: number) => setMounted((known) => Math.max(known, count - index)),
    [count],
  );
  return { mountedFrom, mountNow };
}
