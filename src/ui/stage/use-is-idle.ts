import { useEffect, useState } from 'react';

const idleAfterMs = 3000;

/** Returns true after 3 s without pointer or key input, when the cursor and the hints are hidden. */
export function useIsIdle(): boolean {
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const resetTimer = () => {
      setIsIdle(false);
      clearTimeout(timer);
      timer = setTimeout(() => setIsIdle(true), idleAfterMs);
    };
    resetTimer();
    const eventTypes = ['pointermove', 'pointerdown', 'keydown', 'focusin'];
    for (const eventType of eventTypes) document.addEventListener(eventType, resetTimer);
    return () => {
      clearTimeout(timer);
      for (const eventType of eventTypes) document.removeEventListener(eventType, resetTimer);
    };
  }, []);
  return isIdle;
}
