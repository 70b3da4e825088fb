import { useEffect, useEffectEvent, useRef } from 'react';

/** Calls `onEnd` after `durationMs`, not counting time spent paused. A new `key` restarts the countdown. */
export function useCountdown(key: unknown, durationMs: number, isPaused: boolean, onEnd: () => void): void {
  const remainingMs = useRef(durationMs);
  const notifyEnd = useEffectEvent(onEnd);

  useEffect(() => {
    remainingMs.current = durationMs;
  }, [key, durationMs]);

  useEffect(() => {
    if (key === undefined || isPaused) return;
    const startedAt = performance.now();
    const timer = setTimeout(() => notifyEnd(), remainingMs.current);
    return () => {
      clearTimeout(timer);
      remainingMs.current = Math.max(0, remainingMs.current - (performance.now() - startedAt));
    };
  }, [key, isPaused, durationMs]);
}
