import { useEffect } from 'react';

/** Loads something once the page is idle, so that it is there when it is wanted. A failure is met where it is used. */
export function useIdleLoad(load: () => Promise<unknown>): void {
  useEffect(() => {
    const start = () => void load().catch(() => undefined);
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(start, 500);
      return () => clearTimeout(timer);
    }
    const handle = requestIdleCallback(start, { timeout: 2000 });
    return () => cancelIdleCallback(handle);
  }, [load]);
}
