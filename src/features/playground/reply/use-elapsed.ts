import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

import { usePlayground } from '../../../state/use-playground.tsx';

const tickMs = 100;
const noPlayhead = createStore(() => ({ atMs: 0 }));

/**
 * Milliseconds since `from` (epoch ms), ten times a second; 0 while `from` is undefined. In a recording that plays or
 * stands it is where its playhead is, whenever the request was sent.
 */
export function useElapsed(from: number | undefined): number {
  const { playhead } = usePlayground();
  const now = useClock(from !== undefined && !playhead);
  const atMs = useStore(playhead ?? noPlayhead, (state) => state.atMs);
  if (from === undefined) return 0;
  return playhead ? atMs : Math.max(0, now - from);
}

/** Milliseconds until `moment` (epoch ms), counted down; 0 once it is past or where there is none. */
export function useRemaining(moment: number | undefined): number {
  const [passed, setPassed] = useState<number>();
  const now = useClock(moment !== undefined && moment !== passed);
  const remaining = moment === undefined || moment === passed ? 0 : Math.max(0, moment - now);
  if (remaining === 0 && moment !== passed) setPassed(moment);
  return remaining;
}

/** Epoch milliseconds, ten times a second while it runs. */
function useClock(runs: boolean): number {
  const { page } = usePlayground();
  const [now, setNow] = useState(page.now);
  useEffect(() => {
    if (!runs) return;
    const tick = () => setNow(page.now());
    tick();
    const timer = setInterval(tick, tickMs);
    return () => clearInterval(timer);
  }, [runs, page]);
  return now;
}
