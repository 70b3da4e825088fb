import { expect, it } from 'vitest';

import { createTestSetup } from '../../testing/builders.ts';
import { createRun } from '../reply/run.ts';
import { listCandidateIndexes } from './candidates.ts';
import type { Choice } from './types.ts';

it.each<[string, Choice, number[]]>([
  ['has text', { parts: [{ type: 'text', text: 'x' }] }, [1]],
  ['ended without text', { parts: [], finishReason: 'stop' }, [1]],
  ['withholds a possible tag', { parts: [], held: '<th' }, [1]],
  ['is empty', { parts: [] }, [0]],
])('lists the candidate indexes of a run whose second candidate %s', (_, choice, expected) => {
  expect(
    listCandidateIndexes({ ...createRun('a', 'b', createTestSetup()), choices: [{ parts: [] }, choice] }),
  ).toEqual(expected);
});
