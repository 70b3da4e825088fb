import { expect, it } from 'vitest';

import { turnsOf } from './time-slices.ts';

/** How often one pauses after 20 ms of work, where each pause takes so long. */
async function pausesOf(pauseMs: number, behind?: number): Promise<number> {
  let [clockMs, pauses] = [0, 0];
  const pause = async () => {
    pauses++;
    clockMs += pauseMs;
  };
  const turns = turnsOf({ now: () => clockMs, pause }, {}, behind);
  expect(turns.rest(0)).toBeUndefined();
  clockMs += 20;
  await turns.rest(0.5);
  expect(turns.rest(0.6)).toBeUndefined();
  return pauses;
}

it('others have one turn for each of its own', async () => {
  expect(await pausesOf(12)).toBe(1);
});

it('who comes after others lets them have many, and none where nobody works', async () => {
  expect(await pausesOf(12, 8)).toBe(8);
  expect(await pausesOf(0.4, 8)).toBe(1);
});
