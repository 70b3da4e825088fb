type DeadlineEndReason = 'aborted' | 'timeout' | 'over';

interface PendingTimeout {
  atMs: number;
  reason: DeadlineEndReason;
}

/** A signal that ends a request on the caller's abort, on a timeout, or when the request is done. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Reason why it ended; `undefined` while it runs. */
  getEndReason: () => DeadlineEndReason | undefined;
  /** Ends the request after this time unless set again or cleared. */
  setTimeoutMs: (milliseconds: number, endReason: DeadlineEndReason) => void;
  clear: () => void;
  end: (endReason: DeadlineEndReason) => void;
}

/**
 * Creates a deadline. `now` returns monotonic ms; `signal` is the caller's. Call `end('over')` when done to release
 * that signal and close anything still open.
 */
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
  // Called for every packet: the running timer is kept and checks the current timeout when it fires.
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
