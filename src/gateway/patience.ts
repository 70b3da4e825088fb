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
  let firesAtMs = 0;
  let due: { atMs: number; why: PatienceEnd } | undefined;
  const abort = () => end('aborted');

  function clear() {
    due = undefined;
  }
  function end(why: PatienceEnd) {
    if (reason) return;
    reason = why;
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    controller.abort();
  }
  // Set again for every packet: the timer that runs is kept, and looks at its end whether it is still wanted.
  function endIn(milliseconds: number, why: PatienceEnd) {
    if (reason) return;
    due = { atMs: performance.now() + milliseconds, why };
    if (timer === undefined || due.atMs < firesAtMs) wake(milliseconds);
  }
  function wake(milliseconds: number) {
    clearTimeout(timer);
    firesAtMs = performance.now() + milliseconds;
    timer = setTimeout(look, milliseconds);
  }
  function look() {
    timer = undefined;
    if (due === undefined) return;
    const leftMs = due.atMs - performance.now();
    if (leftMs <= 0) end(due.why);
    else wake(leftMs);
  }

  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort);
  return { signal: controller.signal, ended: () => reason, endIn, clear, end };
}
