import { useEffect, useState, type ComponentType, type ReactNode } from 'react';

/**
 * A view whose code is fetched when it is first wanted, and drawn in the moment it is here; until then `waiting`.
 * React's own `lazy` would do, but holds back whatever had to wait for 300 ms. A failed fetch is thrown where the view
 * stands, and tried anew the next time.
 */
export function lazyView<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode = null,
): ComponentType<Props> {
  let here: ComponentType<Props> | undefined;
  return function LazyView(props: Props) {
    const [found, setFound] = useState<{ View?: ComponentType<Props> | undefined; error?: unknown }>({
      View: here,
    });
    const { View } = found;
    useEffect(() => {
      if (View) return;
      let isOver = false;
      load().then(
        (loaded) => {
          here = loaded;
          if (!isOver) setFound({ View: loaded });
        },
        (error: unknown) => {
          if (!isOver) setFound({ error });
        },
      );
      return () => {
        isOver = true;
      };
    }, [View]);
    if (found.error !== undefined) throw found.error;
    return View ? <View {...props} /> : waiting;
  };
}
