import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

import { useRunServices, useAppServices } from '../../state/contexts.tsx';

const tickIntervalMs = 100;
const noPlayhead = createStore(() => ({ atMs: 0 }));

/**
 * Returns the time in ms since `sinceMs` (epoch ms), updated ten times a second; 0 while `sinceMs` is undefined. In a
 * replay the time follows the playhead, regardless of when the request was sent.
 */
export function useElapsed(sinceMs: number | undefined): number {
  const { playhead } = useRunServices();
  const nowMs = useClock(sinceMs !== undefined && !playhead);
  const atMs = useStore(playhead ?? noPlayhead, (state) => state.atMs);
  if (sinceMs === undefined) return 0;
  return playhead ? atMs : Math.max(0, nowMs - sinceMs);
}

/** Returns the time in ms until `deadlineMs` (epoch ms), counting down; 0 after the deadline or without one. */
export function useRemaining(deadlineMs: number | undefined): number {
  const [passedMs, setPassedMs] = useState<number>();
  const nowMs = useClock(deadlineMs !== undefined && deadlineMs !== passedMs);
  const remainingMs =
    deadlineMs === undefined || deadlineMs === passedMs ? 0 : Math.max(0, deadlineMs - nowMs);
  if (remainingMs === 0 && deadlineMs !== passedMs) setPassedMs(deadlineMs);
  return remainingMs;
}

/** Returns the time in epoch ms, updated ten times a second while running. */
function useClock(isRunning: boolean): number {
  const { page } = useAppServices();
  const [nowMs, setNowMs] = useState(page.now);
  useEffect(() => {
    if (!isRunning) return;
    const tick = () => setNowMs(page.now());
    tick();
    const timer = setInterval(tick, tickIntervalMs);
    return () => clearInterval(timer);
  }, [isRunning, page]);
  return nowMs;
}
