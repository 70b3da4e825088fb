import { useEffect, useState } from 'react';

/** Returns the current time in epoch ms, updated twice a second. */
export function useNow(): number {
  const [nowMs, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
