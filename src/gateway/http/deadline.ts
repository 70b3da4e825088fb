type PatienceEnd = 'aborted' | 'timeout' | 'over';

interface Due {
  atMs: number;
  why: PatienceEnd;
}

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

/** `now` in monotonic milliseconds; `signal` is the caller's. Call `end('over')` when done: it lets go of that signal and closes what is still open. */
export function createPatience(now: () => number, signal?: AbortSignal): Patience {
  const controller = new AbortController();
  let reason: PatienceEnd | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let due: Due | undefined;
  let awaited: Due = { atMs: 0, why: 'over' };
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
  // Set again for every packet: the timer that runs is kept, and asks when it fires whether it is still wanted.
  function endIn(milliseconds: number, why: PatienceEnd) {
    if (reason) return;
    due = { atMs: now() + milliseconds, why };
    if (timer === undefined || due.atMs < awaited.atMs) wake(due, milliseconds);
  }
  function wake(next: Due, milliseconds: number) {
    clearTimeout(timer);
    awaited = next;
    timer = setTimeout(look, milliseconds);
  }
  function look() {
    timer = undefined;
    if (due === undefined) return;
    const leftMs = due === awaited ? 0 : due.atMs - now();
    if (leftMs <= 0) end(due.why);
    else wake(due, leftMs);
  }

  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort);
  return { signal: controller.signal, ended: () => reason, endIn, clear, end };
}
