import { createStore, type StoreApi } from 'zustand/vanilla';

/** What was done and is not stored yet, over everything that stores: shown as `data-saved` on the page's root. */
export interface UnsavedCounter {
  state: StoreApi<{ count: number }>;
  /** Something waits to be stored; the function returned says that it is, or never will be. */
  trackWrite: () => () => void;
}

export function createUnsavedCounter(): UnsavedCounter {
  const state = createStore<{ count: number }>(() => ({ count: 0 }));
  return {
    state,
    trackWrite: () => {
      state.setState(({ count }) => ({ count: count + 1 }));
      let hasEnded = false;
      return () => {
        if (!hasEnded) state.setState(({ count }) => ({ count: count - 1 }));
        hasEnded = true;
      };
    },
  };
}
