import { createStore, type StoreApi } from 'zustand/vanilla';

/** What lies over the page; one thing at a time. */
export type Overlay = 'keys' | 'palette' | 'settings' | 'presentation' | 'share';

/** What concerns this page as a whole and is forgotten with it. */
export interface PageState {
  open?: Overlay | undefined;
}

export type PageStateStore = StoreApi<PageState>;

export function createPageState(): PageStateStore {
  return createStore<PageState>(() => ({}));
}
