type DeadlineEndReason = 'aborted' | 'timeout' | 'over';

interface PendingTimeout {
  atMs: number;
  reason: DeadlineEndReason;
}

/** One signal for a request that ends by the caller's abort, by our timer, or because we are through with it. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Why it ended, or undefined while it runs. */
  getEndReason: () => DeadlineEndReason | undefined;
  /** Ends it after so many milliseconds unless it is set again or cleared before. */
  setTimeoutMs: (milliseconds: number, endReason: DeadlineEndReason) => void;
  clear: () => void;
  end: (endReason: DeadlineEndReason) => void;
}

/** `now` in monotonic milliseconds; `signal` is the caller's. Call `end('over')` when done: it lets go of that signal and closes what is still open. */
export function createDeadline(now: () => number, signal?: AbortSignal): Deadline {
  const controller = new AbortController();
  let reason: DeadlineEndReason | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pendingTimeout: PendingTimeout | undefined;
  let scheduledTimeout: PendingTimeout = { atMs: 0, reason: 'over' };
  const abort = () => end('aborted');

  function clear() {
    pendingTimeout = undefined;
  }
  function end(endReason: DeadlineEndReason) {
    if (reason) return;
    reason = endReason;
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    controller.abort();
  }
  // Set again for every packet: the timer that runs is kept, and asks when it fires whether it is still wanted.
  function setTimeoutMs(milliseconds: number, endReason: DeadlineEndReason) {
    if (reason) return;
    pendingTimeout = { atMs: now() + milliseconds, reason: endReason };
    if (timer === undefined || pendingTimeout.atMs < scheduledTimeout.atMs)
      schedule(pendingTimeout, milliseconds);
  }
  function schedule(next: PendingTimeout, milliseconds: number) {
    clearTimeout(timer);
    scheduledTimeout = next;
    timer = setTimeout(onTimer, milliseconds);
  }
  function onTimer() {
    timer = undefined;
    if (pendingTimeout === undefined) return;
    const remainingMs = pendingTimeout === scheduledTimeout ? 0 : pendingTimeout.atMs - now();
    if (remainingMs <= 0) end(pendingTimeout.reason);
    else schedule(pendingTimeout, remainingMs);
  }

  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort);
  return { signal: controller.signal, getEndReason: () => reason, setTimeoutMs, clear, end };
}
