/** One sentence at a time about what a person has just done or opened, shown above the screen that it is about. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import { formatError } from '../lib/format-error.ts';

export interface Notice {
  /** problem: something was refused, and nothing was changed. */
  severity: 'note' | 'problem';
  text: string;
}

export type NoticeStore = StoreApi<{ notice: Notice | undefined }>;

export function createNoticeStore(): NoticeStore {
  return createStore<{ notice: Notice | undefined }>(() => ({ notice: undefined }));
}

/** Runs what a person asked for and answers as it does. Where it fails they hear why, and the answer says it too. */
export async function runAndReport<T>(notices: NoticeStore, run: () => T): Promise<Awaited<T> | string> {
  try {
    return await run();
  } catch (error) {
    const text = `Action failed: ${formatError(error)}`;
    notices.setState({ notice: { severity: 'problem', text } });
    return text;
  }
}

/** What was begun and may fail: then the person hears why, and what was asked for has not been done. */
export function reportFailure(notices: NoticeStore, promise: Promise<unknown>): void {
  void runAndReport(notices, () => promise);
}

/** Long enough to be read twice. */
const toastMs = 12_000;

/** A notice that is only news: it goes by itself, unless another has taken its place. */
export function showToast(notices: NoticeStore, text: string): void {
  const notice: Notice = { severity: 'note', text };
  notices.setState({ notice });
  setTimeout(
    () => notices.setState((state) => (state.notice === notice ? { notice: undefined } : state)),
    toastMs,
  );
}
