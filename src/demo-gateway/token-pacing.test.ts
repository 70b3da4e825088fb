import { expect, it } from 'vitest';

import { paced } from './token-pacing.ts';

it('goes on at its pace after a first tick that took long to make, in place of giving all that is late at once', async () => {
  let nowMs = 0;
  function* ticks() {
    nowMs += 2_000;
    for (let tick = 0; tick < 20; tick += 1) yield tick;
  }
  const cameMs: number[] = [];
  const pace = {
    ticksPerSecond: 100,
    random: () => 0.5,
    now: () => nowMs,
    wait: async (ms: number) => {
      nowMs += ms;
    },
    signal: new AbortController().signal,
  };
  for await (const batch of paced(ticks(), pace)) for (const _tick of batch) cameMs.push(nowMs);
  expect(cameMs[0]).toBe(2_000);
  expect(cameMs.slice(1).map((at, before) => Math.round(at - (cameMs[before] ?? 0)))).toEqual([
    12,
    ...Array.from({ length: 18 }, () => 10),
  ]);
});
