import { useEffect, useEffectEvent, useRef } from 'react';

/** Calls `onEnd` once `durationMs` have passed without a pause; a new `key` starts over. Pauses keep what is left. */
export function useCountdown(key: unknown, durationMs: number, paused: boolean, onEnd: () => void): void {
  const left = useRef(durationMs);
  const end = useEffectEvent(onEnd);

  useEffect(() => {
    left.current = durationMs;
  }, [key, durationMs]);

  useEffect(() => {
    if (key === undefined || paused) return;
    const startedAt = performance.now();
    const timer = setTimeout(() => end(), left.current);
    return () => {
      clearTimeout(timer);
      left.current = Math.max(0, left.current - (performance.now() - startedAt));
    };
  }, [key, paused, durationMs]);
}
