import { useEffect, useEffectEvent } from 'react';

/** Hands a thing to the parent when it is there, and takes it back when it goes. */
export function useReady<T>(thing: T | undefined, onReady: (thing: T | undefined) => void): void {
  const ready = useEffectEvent(onReady);
  useEffect(() => {
    ready(thing);
    return () => ready(undefined);
  }, [thing]);
}
