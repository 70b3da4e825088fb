import type { ComponentType, ReactNode } from 'react';

import { loadLazyModule, createPreloadableImport } from '../../lib/lazy-import.ts';
import { cn } from '../cn.ts';
import { overPageClasses, SectionBoundary } from '../display/boundary.tsx';
import { useLazyModule, type LazyModule } from './use-lazy-module.ts';

type LoadTiming = 'first' | 'preload' | 'on demand';

type Load<Props> = () => Promise<ComponentType<Props>>;

interface LazyOptions<Props> {
  fallback?: ReactNode | ((props: Props) => ReactNode);
  loadTiming?: LoadTiming;
}

/**
 * Creates a view that loads its code on first use. Until then `fallback` is shown. If loading fails, an error message
 * with the view's name ("The inspector") and a button to try again are shown. React's own `lazy` would delay anything
 * suspended by 300 ms.
 */
export function lazyComponent<Props extends object>(
  name: string | ((props: Props) => string),
  load: Load<Props>,
  { fallback = <Loading />, loadTiming = 'preload' }: LazyOptions<Props> = {},
): ComponentType<Props> {
  const LazyContent = createLazyContent(load, fallback, loadTiming);
  return function LazyView(props: Props) {
    return (
      <SectionBoundary name={typeof name === 'string' ? name : name(props)}>
        <LazyContent {...props} />
      </SectionBoundary>
    );
  };
}

/** Creates a lazy view that opens over the page, and that shows its loading state and errors there. */
export function lazyOverlay<Props extends { onClose: () => void }>(
  name: string,
  load: Load<Props>,
): ComponentType<Props> {
  const LazyContent = createLazyContent(load, <Loading className={overPageClasses} />, 'preload');
  return function LazyOverlay(props: Props) {
    return (
      <SectionBoundary name={name} onClose={props.onClose}>
        <LazyContent {...props} />
      </SectionBoundary>
    );
  };
}

function createLazyContent<Props extends object>(
  load: Load<Props>,
  fallback: LazyOptions<Props>['fallback'],
  loadTiming: LoadTiming,
): ComponentType<Props> {
  const lazyModule: LazyModule<{ View: ComponentType<Props> }> = { load: () => loadModule() };
  const importModule = async () => (lazyModule.loaded = { View: await load() });
  const loadModule =
    loadTiming === 'on demand'
      ? () => loadLazyModule(importModule)
      : createPreloadableImport(importModule, loadTiming === 'first');
  return function Content(props: Props) {
    const loaded = useLazyModule(lazyModule);
    if (loaded) return <loaded.View {...props} />;
    return typeof fallback === 'function' ? fallback(props) : fallback;
  };
}

/** Becomes visible only if loading takes long enough to be noticed. */
export function Loading({ className }: { className?: string }) {
  return (
    <span className={cn('animate-loading p-2 text-ink-2', className)} role="status">
      Loading…
    </span>
  );
}
