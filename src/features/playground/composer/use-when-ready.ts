import { useEffect, useEffectEvent } from 'react';

/** Calls `act` once, as soon as what was waited for is there. */
export function useWhenReady(isReady: boolean, act: () => void): void {
  const onReady = useEffectEvent(act);
  useEffect(() => {
    if (isReady) onReady();
  }, [isReady]);
}
