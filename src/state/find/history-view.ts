/** How the list of sessions is looked at. It stays while one looks at a session and comes back. */
import { createStore, type StoreApi } from 'zustand/vanilla';

export type HistoryColumn = 'title' | 'turns' | 'models' | 'when' | 'tokens';

export interface HistoryView {
  query: string;
  /** Only sessions with answers of this model. */
  model?: string | undefined;
  /** Only sessions with an answer so marked; `any` of the marks. */
  mark?: HistoryMark | undefined;
  sort: { by: HistoryColumn; descending: boolean };
}

export type HistoryMark = 'any' | 'good' | 'bad' | 'star';

export type HistoryViewStore = StoreApi<HistoryView>;

export function createHistoryViewStore(): HistoryViewStore {
  return createStore<HistoryView>(() => ({ query: '', sort: { by: 'when', descending: true } }));
}
