import type { ComponentType, ReactNode } from 'react';

import { fetched, fetchedInAdvance } from '../../lib/fetched.ts';
import { PartBoundary } from '../display/boundary.tsx';
import { useLoaded, type LatePart } from './use-loaded.ts';

type When = 'first' | 'in advance' | 'when wanted';

interface LazyOptions<Props> {
  waiting?: ReactNode | ((props: Props) => ReactNode);
  fetch?: When;
}

/**
 * A view whose code is fetched when it is first wanted, and drawn in the moment it is here. Until then `waiting` stands in
 * its place; where it cannot be fetched, a sentence with its name, as in "The inspector", and another try. React's own
 * `lazy` would do, but holds back whatever had to wait for 300 ms.
 */
export function lazyView<Props extends object>(
  name: string | ((props: Props) => string),
  load: () => Promise<ComponentType<Props>>,
  { waiting = <Loading />, fetch = 'in advance' }: LazyOptions<Props> = {},
): ComponentType<Props> {
  const part: LatePart<{ View: ComponentType<Props> }> = { fetch: () => get() };
  const loadPart = async () => (part.here = { View: await load() });
  const get =
    fetch === 'when wanted' ? () => fetched(loadPart) : fetchedInAdvance(loadPart, fetch === 'first');

  function Loaded(props: Props) {
    const loaded = useLoaded(part);
    if (loaded) return <loaded.View {...props} />;
    return typeof waiting === 'function' ? waiting(props) : waiting;
  }

  return function LazyView(props: Props) {
    return (
      <PartBoundary name={typeof name === 'string' ? name : name(props)}>
        <Loaded {...props} />
      </PartBoundary>
    );
  };
}

/** Shows itself only where it takes long enough to be noticed. */
export function Loading() {
  return (
    <span className="loading" role="status">
      Loading…
    </span>
  );
}
