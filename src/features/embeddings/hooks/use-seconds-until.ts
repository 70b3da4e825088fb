import { useEffect, useState } from 'react';

/** Returns the whole seconds until a moment (epoch ms), counting down; `undefined` without a moment. */
export function useSecondsUntil(untilMs: number | undefined): number | undefined {
  const [nowMs, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (untilMs === undefined) return;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [untilMs]);
  return untilMs === undefined ? undefined : Math.max(0, Math.ceil((untilMs - nowMs) / 1000));
}
