import { useEffect, useState } from 'react';

/** A value whose code is loaded on demand. */
export interface LazyModule<T> {
  load: () => Promise<T>;
  loaded?: T;
}

/** Returns the module once it has loaded. Throws the error of a failed load and loads again the next time. */
export function useLazyModule<T>(lazyModule: LazyModule<T>): T | undefined {
  const [{ loaded, error }, setResult] = useState<{ loaded?: T; error?: unknown }>(() =>
    lazyModule.loaded ? { loaded: lazyModule.loaded } : {},
  );
  useEffect(() => {
    if (loaded) return;
    let isUnmounted = false;
    // Renders first; loading must not delay the rest of the screen.
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
