import { expect, it } from 'vitest';

import type { TapeEntry } from '../../../gateway/stream/tape.ts';
import { buildTapeTicks } from './use-ticks.ts';

it('builds the ticks of a tape at the times of its text chunks', () => {
  const createEntry = (at: number, content: string): TapeEntry => ({
    at,
    data: JSON.stringify({ choices: [{ index: 0, delta: { content } }] }),
  });
  const tape = [createEntry(5, 'a'), { at: 6, comment: 'still here' }, createEntry(9, 'b')];
  expect(buildTapeTicks(tape).map(({ atMs }) => atMs)).toEqual([5, 9]);
  expect(buildTapeTicks([])).toEqual([]);
});
