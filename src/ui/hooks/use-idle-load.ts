import { useEffect } from 'react';

/** A page that never gets a field to write in (another screen) waits this long instead. */
const longestWaitMs = 3000;

let letGo: () => void = () => undefined;
const usable = new Promise<void>((resolve) => {
  letGo = resolve;
});

/** The first screen can be used from here on: what was put off until then may load. */
export function useFirstScreen(): void {
  useEffect(letGo, []);
}

/**
 * Loads something once the first screen is usable and the page is idle, so that it is there when it is wanted.
 * A failure is met where it is used.
 */
export function useIdleLoad(load: () => Promise<unknown>): void {
  useEffect(() => {
    let isOver = false;
    const start = () => void (isOver || load().catch(() => undefined));
    const whenIdle = () => {
      if ('requestIdleCallback' in window) requestIdleCallback(start, { timeout: 2000 });
      else setTimeout(start, 500);
    };
    void Promise.race([usable, new Promise((resolve) => setTimeout(resolve, longestWaitMs))]).then(whenIdle);
    return () => {
      isOver = true;
    };
  }, [load]);
}
