/** Filters and sorting of the session list. Kept while a session is open. */
import { createStore, type StoreApi } from 'zustand/vanilla';

export type HistoryColumn = 'title' | 'turns' | 'models' | 'when' | 'tokens';

export interface HistoryView {
  query: string;
  /** Shows only sessions with answers of this model. */
  model?: string | undefined;
  /** Shows only sessions with an answer that has this mark; `any` means any mark. */
  mark?: HistoryMark | undefined;
  sort: { by: HistoryColumn; descending: boolean };
}

export type HistoryMark = 'any' | 'good' | 'bad' | 'star';

export type HistoryViewStore = StoreApi<HistoryView>;

export function createHistoryViewStore(): HistoryViewStore {
  return createStore<HistoryView>(() => ({ query: '', sort: { by: 'when', descending: true } }));
}
