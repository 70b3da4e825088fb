import type { ComponentType, ReactNode } from 'react';

import { lazyImport, preloadableImport } from '../../lib/lazy-import.ts';
import { classes } from '../cn.ts';
import { overLook, PartBoundary } from '../display/boundary.tsx';
import { useLoaded, type LatePart } from './use-lazy-module.ts';

type When = 'first' | 'in advance' | 'when wanted';

type Load<Props> = () => Promise<ComponentType<Props>>;

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
  load: Load<Props>,
  { waiting = <Loading />, fetch = 'in advance' }: LazyOptions<Props> = {},
): ComponentType<Props> {
  const Late = lateView(load, waiting, fetch);
  return function LazyView(props: Props) {
    return (
      <PartBoundary name={typeof name === 'string' ? name : name(props)}>
        <Late {...props} />
      </PartBoundary>
    );
  };
}

/** The same for what opens over the page: there, too, it says that it is on its way or could not be fetched. */
export function lazyOverlay<Props extends { onClose: () => void }>(
  name: string,
  load: Load<Props>,
): ComponentType<Props> {
  const Late = lateView(load, <Loading className={overLook} />, 'in advance');
  return function LazyOverlay(props: Props) {
    return (
      <PartBoundary name={name} onClose={props.onClose}>
        <Late {...props} />
      </PartBoundary>
    );
  };
}

function lateView<Props extends object>(
  load: Load<Props>,
  waiting: LazyOptions<Props>['waiting'],
  fetch: When,
): ComponentType<Props> {
  const part: LatePart<{ View: ComponentType<Props> }> = { fetch: () => get() };
  const loadPart = async () => (part.here = { View: await load() });
  const get =
    fetch === 'when wanted' ? () => lazyImport(loadPart) : preloadableImport(loadPart, fetch === 'first');
  return function Late(props: Props) {
    const loaded = useLoaded(part);
    if (loaded) return <loaded.View {...props} />;
    return typeof waiting === 'function' ? waiting(props) : waiting;
  };
}

/** Shows itself only where it takes long enough to be noticed. */
export function Loading({ className }: { className?: string }) {
  return (
    <span className={classes('animate-loading p-2 text-ink-2', className)} role="status">
      Loading…
    </span>
  );
}
