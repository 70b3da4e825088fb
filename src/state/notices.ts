/** One sentence at a time about what a person has just done or opened, shown where the session's title stands. */
import { createStore, type StoreApi } from 'zustand/vanilla';

export interface Notice {
  /** problem: something was refused, and nothing was changed. */
  tone: 'note' | 'problem';
  text: string;
}

export type NoticeStore = StoreApi<{ notice: Notice | undefined }>;

export function createNotices(): NoticeStore {
  return createStore<{ notice: Notice | undefined }>(() => ({ notice: undefined }));
}
