import { expect, it } from 'vitest';

import { shared } from './shared-task.ts';

/** Work that ends when it is told to, or when it is given up. */
function workToShare() {
  const begun: { end: (value: string) => void; signal: AbortSignal }[] = [];
  const ask = shared(
    (signal) =>
      new Promise<string>((resolve, reject) => {
        begun.push({ end: resolve, signal });
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  );
  return { ask, begun };
}

it('is done once for all who wait, and for those who come later', async () => {
  const { ask, begun } = workToShare();
  const [one, other] = [ask(), ask(new AbortController().signal)];
  begun[0]?.end('done');
  expect(await Promise.all([one, other, ask()])).toEqual(['done', 'done', 'done']);
  expect(begun).toHaveLength(1);
});

it('goes on while anybody waits, ends with the last of them, and begins again with the next', async () => {
  const { ask, begun } = workToShare();
  const [one, other] = [new AbortController(), new AbortController()];
  const [left, last] = [ask(one.signal), ask(other.signal)];
  one.abort('enough');
  await expect(left).rejects.toBe('enough');
  expect(begun[0]?.signal.aborted).toBe(false);
  other.abort('enough too');
  await expect(last).rejects.toBe('enough too');
  expect(begun[0]?.signal.aborted).toBe(true);
  const next = ask();
  begun[1]?.end('done');
  expect(await next).toBe('done');
  await expect(ask(AbortSignal.abort('too late'))).rejects.toBe('too late');
});

it('that failed is tried again by the next', async () => {
  let tries = 0;
  const ask = shared(async () => {
    if (++tries === 1) throw new Error('no luck');
    return tries;
  });
  await expect(ask()).rejects.toThrow('no luck');
  expect(await ask()).toBe(2);
});
