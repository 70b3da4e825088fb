import { useEffect, useState, type ComponentType } from 'react';

/** A component that may be here already. */
export interface LateView<Props> {
  load: () => Promise<ComponentType<Props>>;
  here?: ComponentType<Props>;
}

/** The component once it is here; what its fetch failed with is thrown, and the fetch tried again the next time. */
export function useLoaded<Props>(late: LateView<Props>): ComponentType<Props> | undefined {
  const [{ View, error }, setFound] = useState<{ View?: ComponentType<Props>; error?: unknown }>(() =>
    late.here ? { View: late.here } : {},
  );
  useEffect(() => {
    if (View) return;
    let isOver = false;
    late.load().then(
      (loaded) => {
        late.here = loaded;
        if (!isOver) setFound({ View: loaded });
      },
      (failure: unknown) => {
        if (!isOver) setFound({ error: failure });
      },
    );
    return () => {
      isOver = true;
    };
  }, [late, View]);
  if (error !== undefined) throw error;
  return View;
}
