import { expect, it } from 'vitest';

import type { TapeEntry } from '../../../gateway/stream/tape.ts';
import { ticksOfTape } from './use-ticks.ts';

it('the ticks of a tape stand where its pieces of text came', () => {
  const say = (at: number, content: string): TapeEntry => ({
    at,
    data: JSON.stringify({ choices: [{ index: 0, delta: { content } }] }),
  });
  const tape = [say(5, 'a'), { at: 6, comment: 'still here' }, say(9, 'b')];
  expect(ticksOfTape(tape).map(({ atMs }) => atMs)).toEqual([5, 9]);
  expect(ticksOfTape([])).toEqual([]);
});
