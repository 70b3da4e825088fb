import { expect, it } from 'vitest';

import { scheduleTicks } from './token-pacing.ts';

it('keeps its pace after a slow first tick instead of delivering all late ticks together', async () => {
  let nowMs = 0;
  function* createTicks() {
    nowMs += 2_000;
    for (let tick = 0; tick < 20; tick += 1) yield tick;
  }
  const receivedMs: number[] = [];
  const pace = {
    ticksPerSecond: 100,
    random: () => 0.5,
    now: () => nowMs,
    wait: async (ms: number) => {
      nowMs += ms;
    },
    signal: new AbortController().signal,
  };
  for await (const batch of scheduleTicks(createTicks(), pace))
    for (const _tick of batch) receivedMs.push(nowMs);
  expect(receivedMs[0]).toBe(2_000);
  expect(receivedMs.slice(1).map((timeMs, index) => Math.round(timeMs - (receivedMs[index] ?? 0)))).toEqual([
    12,
    ...Array.from({ length: 18 }, () => 10),
  ]);
});
