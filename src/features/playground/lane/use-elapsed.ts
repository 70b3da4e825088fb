import { useEffect, useState } from 'react';

const tickMs = 100;

/** Milliseconds since `from` (epoch ms), ten times a second; 0 while `from` is undefined. */
export function useElapsed(from: number | undefined): number {
  const now = useClock(from !== undefined);
  return from === undefined ? 0 : Math.max(0, now - from);
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
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!runs) return;
    const tick = () => setNow(Date.now());
    tick();
    const timer = setInterval(tick, tickMs);
    return () => clearInterval(timer);
  }, [runs]);
  return now;
}
