/** Notices: one sentence at a time about the last action on a screen, shown in a corner of it. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import { formatError } from '../lib/format-error.ts';

export interface Notice {
  /** `problem`: an action failed and nothing was changed. */
  severity: 'note' | 'problem';
  text: string;
  /** Closes itself after a few seconds. */
  isBrief?: true;
}

export type NoticeStore = StoreApi<{ notice: Notice | undefined }>;

export function createNoticeStore(): NoticeStore {
  return createStore<{ notice: Notice | undefined }>(() => ({ notice: undefined }));
}

/** Runs an action and returns its result. If it fails, shows the error as a notice and returns its text. */
export async function runAndReport<T>(notices: NoticeStore, run: () => T): Promise<Awaited<T> | string> {
  try {
    return await run();
  } catch (error) {
    const text = `Action failed: ${formatError(error)}`;
    notices.setState({ notice: { severity: 'problem', text } });
    return text;
  }
}

/** Shows a notice if the promise rejects; the action has then had no effect. */
export function reportFailure(notices: NoticeStore, promise: Promise<unknown>): void {
  void runAndReport(notices, () => promise);
}

/** Shows a notice that closes itself. */
export function showToast(notices: NoticeStore, text: string): void {
  notices.setState({ notice: { severity: 'note', text, isBrief: true } });
}
