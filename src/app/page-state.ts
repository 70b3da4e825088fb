import { createStore, type StoreApi } from 'zustand/vanilla';

/** What concerns this page as a whole and is forgotten with it. */
export interface PageState {
  /** Another tab runs a newer Bench and has taken over the database. */
  outdated: boolean;
  /** The sheet that lists the keys is open. */
  keysShown: boolean;
}

export type PageStateStore = StoreApi<PageState>;

export function createPageState(): PageStateStore {
  return createStore<PageState>(() => ({ outdated: false, keysShown: false }));
}
