import { createStore, type StoreApi } from 'zustand/vanilla';

/** Number of changes that are not stored yet, across all stores. Shown as `data-saved` on the root element. */
export interface UnsavedCounter {
  state: StoreApi<{ count: number }>;
  /** Counts a pending write. Call the returned function when it is stored or has been abandoned. */
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
