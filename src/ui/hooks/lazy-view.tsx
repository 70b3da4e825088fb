import type { ComponentType, ReactNode } from 'react';

import { useLoaded, type LateView } from './use-loaded.ts';

/**
 * A view whose code is fetched when it is first wanted, and drawn in the moment it is here; until then `waiting`.
 * React's own `lazy` would do, but holds back whatever had to wait for 300 ms.
 */
export function lazyView<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode = null,
): ComponentType<Props> {
  const late: LateView<Props> = { load };
  return function LazyView(props: Props) {
    const View = useLoaded(late);
    return View ? <View {...props} /> : waiting;
  };
}
