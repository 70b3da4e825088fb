import { useEffect, useEffectEvent, useRef } from 'react';

/** Calls `onEnd` after `durationMs` without counting pauses. A new `key` starts over. */
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
