type PatienceEnd = 'aborted' | 'timeout' | 'over';

/** One signal for a request that ends by the caller's abort, by our timer, or because we are through with it. */
export interface Patience {
  readonly signal: AbortSignal;
  /** Why it ended, or undefined while it runs. */
  ended: () => PatienceEnd | undefined;
  /** Ends it after so many milliseconds unless it is set again or cleared before. */
  endIn: (milliseconds: number, why: PatienceEnd) => void;
  clear: () => void;
  end: (why: PatienceEnd) => void;
}

/** `signal` is the caller's. Call `end('over')` when done: it lets go of that signal and closes what is still open. */
export function createPatience(signal?: AbortSignal): Patience {
  const controller = new AbortController();
  let reason: PatienceEnd | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const abort = () => end('aborted');

  function clear() {
    clearTimeout(timer);
  }
  function end(why: PatienceEnd) {
    if (reason) return;
    reason = why;
    clear();
    signal?.removeEventListener('abort', abort);
    controller.abort();
  }
  function endIn(milliseconds: number, why: PatienceEnd) {
    clear();
    if (!reason) timer = setTimeout(() => end(why), milliseconds);
  }

  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort);
  return { signal: controller.signal, ended: () => reason, endIn, clear, end };
}
