import { useEffect, useEffectEvent } from 'react';

/** Calls `callback` once, as soon as `isReady` is true. */
export function useWhenReady(isReady: boolean, callback: () => void): void {
  const onReady = useEffectEvent(callback);
  useEffect(() => {
    if (isReady) onReady();
  }, [isReady]);
}
