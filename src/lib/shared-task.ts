interface RunningTask<T> {
  result: Promise<T>;
  controller: AbortController;
  waiterCount: number;
}

/**
 * Shares one task among several callers and caches its result. The task is aborted when its last caller aborts, and
 * restarted by the next caller. Rejects with the reason of the caller's signal.
 */
export function createSharedTask<T>(
  startWork: (signal: AbortSignal) => Promise<T>,
): (signal?: AbortSignal) => Promise<T> {
  let runningTask: RunningTask<T> | undefined;

  const start = (): RunningTask<T> => {
    const controller = new AbortController();
    const startedTask = { result: startWork(controller.signal), controller, waiterCount: 0 };
    startedTask.result.catch(() => {
      if (runningTask === startedTask) runningTask = undefined;
    });
    return startedTask;
  };

  return (signal) =>
    new Promise<T>((resolve, reject) => {
      signal?.throwIfAborted();
      const task = (runningTask ??= start());
      task.waiterCount++;
      const unsubscribe = () => {
        reject(signal?.reason);
        if (--task.waiterCount > 0) return;
        if (runningTask === task) runningTask = undefined;
        task.controller.abort(signal?.reason);
      };
      signal?.addEventListener('abort', unsubscribe, { once: true });
      void task.result.then(resolve, reject).finally(() => signal?.removeEventListener('abort', unsubscribe));
    });
}
