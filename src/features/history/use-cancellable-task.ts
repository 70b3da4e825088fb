import { useEffect, useState } from 'react';

export interface TaskProgress {
  signal: AbortSignal;
  /** Receives the completed part, from 0 to 1. */
  onProgress: (fraction: number) => void;
}

/** Runs one long task at a time, with its progress in percent while it runs. Unmounting cancels it. */
export function useCancellableTask() {
  const [task, setTask] = useState<{ controller: AbortController }>();
  const [percent, setPercent] = useState(0);
  useEffect(() => () => task?.controller.abort(), [task]);
  return {
    percent: task && percent,
    cancel: () => task?.controller.abort(),
    run: async (work: (progress: TaskProgress) => Promise<void>): Promise<void> => {
      const controller = new AbortController();
      setTask({ controller });
      setPercent(0);
      const onProgress = (fraction: number) => setPercent(Math.floor(100 * fraction));
      try {
        await work({ signal: controller.signal, onProgress });
      } finally {
        setTask(undefined);
      }
    },
  };
}
