/** A list that is stored somewhere and can be changed before it was read from there: nothing in it is replaced. */
import { createStore, type StoreApi } from 'zustand/vanilla';

export type ListEdit<T> = (list: readonly T[]) => readonly T[];

export interface LateList<T> {
  /** As far as it is known: what was read, with all changes. */
  state: StoreApi<readonly T[]>;
  /** Reads it; where that fails, the next change tries again. */
  read: () => Promise<void>;
  /** Changes what is here at once, and what is stored as soon as that is known. */
  change: (edit: ListEdit<T>) => void;
}

interface Kept<T> {
  read: () => Promise<readonly T[]>;
  write: (list: readonly T[]) => void;
}

export function createLateList<T>({ read, write }: Kept<T>): LateList<T> {
  const state = createStore<readonly T[]>(() => []);
  /** What was changed while the list was not known. */
  let edits: ListEdit<T>[] = [];
  let isKnown = false;
  let reading: Promise<void> | undefined;

  function readOnce(): Promise<void> {
    if (isKnown) return Promise.resolve();
    reading ??= read()
      .then(
        (stored) => {
          isKnown = true;
          const list = edits.reduce<readonly T[]>((now, edit) => edit(now), stored);
          state.setState(list, true);
          if (edits.length > 0) write(list);
          edits = [];
        },
        // What cannot be read now is left as it is.
        () => undefined,
      )
      .finally(() => (reading = undefined));
    return reading;
  }

  return {
    state,
    read: readOnce,
    change: (edit) => {
      const list = edit(state.getState());
      state.setState(list, true);
      if (isKnown) return write(list);
      edits.push(edit);
      void readOnce();
      return undefined;
    },
  };
}
