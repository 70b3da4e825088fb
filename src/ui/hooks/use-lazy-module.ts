import { useEffect, useState } from 'react';

/** Something whose code is fetched. */
export interface LazyModule<T> {
  load: () => Promise<T>;
  loaded?: T;
}

/** It, once it is here; what its fetch failed with is thrown, and the fetch tried again the next time. */
export function useLazyModule<T>(lazyModule: LazyModule<T>): T | undefined {
  const [{ loaded, error }, setResult] = useState<{ loaded?: T; error?: unknown }>(() =>
    lazyModule.loaded ? { loaded: lazyModule.loaded } : {},
  );
  useEffect(() => {
    if (loaded) return;
    let isUnmounted = false;
    // What is drawn beside it comes first: it must not wait for what is late.
    const timer = setTimeout(() => {
      lazyModule.load().then(
        (value) => {
          if (!isUnmounted) setResult({ loaded: value });
        },
        (failure: unknown) => {
          if (!isUnmounted) setResult({ error: failure });
        },
      );
    });
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
    };
  }, [lazyModule, loaded]);
  if (error !== undefined) throw error;
  return loaded;
}
