import { createStore, type StoreApi } from 'zustand/vanilla';

import type { ForeignWorker } from './foreign-worker.ts';

/** Overlay above the page; at most one at a time. */
export type Overlay = 'keys' | 'palette' | 'settings' | 'presentation';

/** State of this page that is not stored. */
export interface PageState {
  /** Result of removing a service worker that another program left on this origin. */
  foreignWorker: ForeignWorker;
  openOverlay?: Overlay | undefined;
}

export type PageStateStore = StoreApi<PageState>;

export function createPageState(foreignWorker: ForeignWorker = 'none'): PageStateStore {
  return createStore<PageState>(() => ({ foreignWorker }));
}
