import { expect, it } from 'vitest';

import { createSharedTask } from './shared-task.ts';

/** Creates work that the test can finish, and that records its abort signal. */
function createTestWork() {
  const startedTasks: { end: (value: string) => void; signal: AbortSignal }[] = [];
  const runTask = createSharedTask(
    (signal) =>
      new Promise<string>((resolve, reject) => {
        startedTasks.push({ end: resolve, signal });
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  );
  return { runTask, startedTasks };
}

it('runs the task once for concurrent and later callers', async () => {
  const { runTask, startedTasks } = createTestWork();
  const [first, second] = [runTask(), runTask(new AbortController().signal)];
  startedTasks[0]?.end('done');
  expect(await Promise.all([first, second, runTask()])).toEqual(['done', 'done', 'done']);
  expect(startedTasks).toHaveLength(1);
});

it('continues the task until the last caller aborts, and restarts it for the next caller', async () => {
  const { runTask, startedTasks } = createTestWork();
  const [firstController, secondController] = [new AbortController(), new AbortController()];
  const [firstResult, lastResult] = [runTask(firstController.signal), runTask(secondController.signal)];
  firstController.abort('enough');
  await expect(firstResult).rejects.toBe('enough');
  expect(startedTasks[0]?.signal.aborted).toBe(false);
  secondController.abort('enough too');
  await expect(lastResult).rejects.toBe('enough too');
  expect(startedTasks[0]?.signal.aborted).toBe(true);
  const next = runTask();
  startedTasks[1]?.end('done');
  expect(await next).toBe('done');
  await expect(runTask(AbortSignal.abort('too late'))).rejects.toBe('too late');
});

it('retries a failed task on the next call', async () => {
  let tries = 0;
  const runTask = createSharedTask(async () => {
    if (++tries === 1) throw new Error('no luck');
    return tries;
  });
  await expect(runTask()).rejects.toThrow('no luck');
  expect(await runTask()).toBe(2);
});
