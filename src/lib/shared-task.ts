interface Running<T> {
  result: Promise<T>;
  controller: AbortController;
  waiting: number;
}

/**
 * Work that several may wait for: done once and its result kept; given up when the last of them gives up, and begun again
 * by the next who asks. Rejects with the reason of one's own signal.
 */
export function shared<T>(work: (signal: AbortSignal) => Promise<T>): (signal?: AbortSignal) => Promise<T> {
  let running: Running<T> | undefined;

  const begin = (): Running<T> => {
    const controller = new AbortController();
    const begun = { result: work(controller.signal), controller, waiting: 0 };
    begun.result.catch(() => {
      if (running === begun) running = undefined;
    });
    return begun;
  };

  return (signal) =>
    new Promise<T>((resolve, reject) => {
      signal?.throwIfAborted();
      const own = (running ??= begin());
      own.waiting++;
      const leave = () => {
        reject(signal?.reason);
        if (--own.waiting > 0) return;
        if (running === own) running = undefined;
        own.controller.abort(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      void own.result.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave));
    });
}
