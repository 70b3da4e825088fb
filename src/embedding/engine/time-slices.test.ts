import { expect, it } from 'vitest';

import { createTimeSlices } from './time-slices.ts';

/** How often one pauses after 20 ms of work, where each pause takes so long. */
async function countPauses(pauseMs: number, yieldsPerSlice?: number): Promise<number> {
  let [clockMs, pauses] = [0, 0];
  const pause = async () => {
    pauses++;
    clockMs += pauseMs;
  };
  const slices = createTimeSlices({ now: () => clockMs, pause }, {}, yieldsPerSlice);
  expect(slices.yieldIfDue(0)).toBeUndefined();
  clockMs += 20;
  await slices.yieldIfDue(0.5);
  expect(slices.yieldIfDue(0.6)).toBeUndefined();
  return pauses;
}

it('others have one turn for each of its own', async () => {
  expect(await countPauses(12)).toBe(1);
});

it('who comes after others lets them have many, and none where nobody works', async () => {
  expect(await countPauses(12, 8)).toBe(8);
  expect(await countPauses(0.4, 8)).toBe(1);
});
