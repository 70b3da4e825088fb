import { createStore, type StoreApi } from 'zustand/vanilla';

import type { ForeignWorker } from './foreign-worker.ts';

/** What lies over the page; one thing at a time. */
export type Overlay = 'keys' | 'palette' | 'settings' | 'presentation';

/** What concerns this page as a whole and is forgotten with it. */
export interface PageState {
  /** What became of a service worker that another program had left at this address. */
  foreignWorker: ForeignWorker;
  openOverlay?: Overlay | undefined;
}

export type PageStateStore = StoreApi<PageState>;

export function createPageState(foreignWorker: ForeignWorker = 'none'): PageStateStore {
  return createStore<PageState>(() => ({ foreignWorker }));
}
