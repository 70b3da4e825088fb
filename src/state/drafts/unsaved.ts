import { createStore, type StoreApi } from 'zustand/vanilla';

/** What was done and is not stored yet, over everything that stores: shown as `data-saved` on the page's root. */
export interface Unsaved {
  state: StoreApi<{ count: number }>;
  /** Something waits to be stored; the function returned says that it is, or never will be. */
  begin: () => () => void;
}

export function createUnsaved(): Unsaved {
  const state = createStore<{ count: number }>(() => ({ count: 0 }));
  return {
    state,
    begin: () => {
      state.setState(({ count }) => ({ count: count + 1 }));
      let isOver = false;
      return () => {
        if (!isOver) state.setState(({ count }) => ({ count: count - 1 }));
        isOver = true;
      };
    },
  };
}
