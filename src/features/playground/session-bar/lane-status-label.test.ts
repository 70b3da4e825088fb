import { expect, test } from 'vitest';

import { anEnvironment, aSession, say } from '../../../testing/builders.ts';
import { laneWord } from './lane-status-label.ts';

function aRun(name: 'complete' | 'queued') {
  const environment = anEnvironment();
  const { data, runId } = say(aSession(environment), environment, 'Hi', { phase: { name } });
  return data.runs[runId];
}

test('the rail says of a lane what it does, and where it is', () => {
  expect(laneWord('A', aRun('complete'), true, false)).toBe('Lane A, done');
  expect(laneWord('B', aRun('queued'), true, true)).toBe('Lane B, queued, out of view');
  expect(laneWord('C', undefined, true, false), 'written by hand').toBe('Lane C, done');
  expect(laneWord('D', undefined, false, false)).toBe('Lane D, no answer yet');
});
