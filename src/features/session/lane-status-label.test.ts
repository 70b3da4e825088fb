import { expect, test } from 'vitest';

import { createTestEnvironment, createTestTurn } from '../../testing/builders.ts';
import { formatLaneStatus } from './lane-rail.tsx';

function createTestRun(name: 'complete' | 'queued') {
  const environment = createTestEnvironment();
  const { data, runId } = createTestTurn(environment, 'Hi', { phase: { name } });
  return data.runs[runId];
}

test('formats the status and visibility of a lane', () => {
  expect(formatLaneStatus('A', createTestRun('complete'), true, false)).toBe('Lane A, done');
  expect(formatLaneStatus('B', createTestRun('queued'), true, true)).toBe('Lane B, queued, out of view');
  expect(formatLaneStatus('C', undefined, true, false), 'written by hand').toBe('Lane C, done');
  expect(formatLaneStatus('D', undefined, false, false)).toBe('Lane D, no answer yet');
});
