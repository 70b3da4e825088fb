import { expect, it } from 'vitest';

import { createTestSetup } from '../../testing/builders.ts';
import { createRun } from '../reply/run.ts';
import { listCandidateIndexes } from './candidates.ts';
import type { Choice } from './types.ts';

it.each<[string, Choice, number[]]>([
  ['has text', { parts: [{ type: 'text', text: 'x' }] }, [1]],
  ['ended without a word', { parts: [], finishReason: 'stop' }, [1]],
  ['holds back what may become a tag', { parts: [], held: '<th' }, [1]],
  ['holds nothing', { parts: [] }, [0]],
])('lists the indexes of existing candidates for a candidate that %s', (_, choice, expected) => {
  expect(
    listCandidateIndexes({ ...createRun('a', 'b', createTestSetup()), choices: [{ parts: [] }, choice] }),
  ).toEqual(expected);
});
