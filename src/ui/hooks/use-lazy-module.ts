import { useEffect, useState } from 'react';

/** Something whose code is fetched. */
export interface LatePart<T> {
  fetch: () => Promise<T>;
  here?: T;
}

/** It, once it is here; what its fetch failed with is thrown, and the fetch tried again the next time. */
export function useLoaded<T>(part: LatePart<T>): T | undefined {
  const [{ currentHit: here, error }, setFound] = useState<{ currentHit?: T; error?: unknown }>(() =>
    part.here ? { currentHit: part.here } : {},
  );
  useEffect(() => {
    if (here) return;
    let isOver = false;
    // What is drawn beside it comes first: it must not wait for what is late.
    const timer = setTimeout(() => {
      part.fetch().then(
        (found) => {
          if (!isOver) setFound({ currentHit: found });
        },
        (failure: unknown) => {
          if (!isOver) setFound({ error: failure });
        },
      );
    });
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [part, here]);
  if (error !== undefined) throw error;
  return here;
}
