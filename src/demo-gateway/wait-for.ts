/**
 * Resolves after so many milliseconds; 0: once the event loop has been round, without a timer. Rejects
 * with the signal's reason as soon as it aborts.
 */
export function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const done = () => {
      signal.removeEventListener('abort', stopped);
      resolve();
    };
    const timer = ms <= 0 ? undefined : setTimeout(done, ms);
    const stopped = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener('abort', stopped, { once: true });
    if (ms <= 0) setImmediate(done);
  });
}
