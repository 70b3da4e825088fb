/** One sentence at a time about what a person has just done or opened, shown above the screen that it is about. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import { formatError } from '../lib/format-error.ts';

export interface Notice {
  /** problem: something was refused, and nothing was changed. */
  tone: 'note' | 'problem';
  text: string;
}

export type NoticeStore = StoreApi<{ notice: Notice | undefined }>;

export function createNotices(): NoticeStore {
  return createStore<{ notice: Notice | undefined }>(() => ({ notice: undefined }));
}

/** Runs what a person asked for and answers as it does. Where it fails they hear why, and the answer says it too. */
export async function runOrTell<T>(notices: NoticeStore, run: () => T): Promise<Awaited<T> | string> {
  try {
    return await run();
  } catch (error) {
    const text = `Could not do that: ${formatError(error)}`;
    notices.setState({ notice: { tone: 'problem', text } });
    return text;
  }
}

/** What was begun and may fail: then the person hears why, and what was asked for has not been done. */
export function orTellProblem(notices: NoticeStore, act: Promise<unknown>): void {
  void runOrTell(notices, () => act);
}

/** Long enough to be read twice. */
const briefMs = 12_000;

/** A notice that is only news: it goes by itself, unless another has taken its place. */
export function tellBriefly(notices: NoticeStore, text: string): void {
  const notice: Notice = { tone: 'note', text };
  notices.setState({ notice });
  setTimeout(
    () => notices.setState((state) => (state.notice === notice ? { notice: undefined } : state)),
    briefMs,
  );
}
