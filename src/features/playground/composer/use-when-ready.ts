import { useEffect, useEffectEvent } from 'react';

/** Calls `callback` once, as soon as what was waited for is there. */
export function useWhenReady(isReady: boolean, callback: () => void): void {
  const onReady = useEffectEvent(callback);
  useEffect(() => {
    if (isReady) onReady();
  }, [isReady]);
}
