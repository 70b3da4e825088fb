import { expect, it } from 'vitest';

import { createTimeSlices } from './time-slices.ts';

/** Counts the pauses of a task after 20 ms of work, if each pause takes the given time. */
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

it('yields to other tasks after every slice', async () => {
  expect(await countPauses(12)).toBe(1);
});

it('yields several times per slice in the background, but only once if no other task runs', async () => {
  expect(await countPauses(12, 8)).toBe(8);
  expect(await countPauses(0.4, 8)).toBe(1);
});
