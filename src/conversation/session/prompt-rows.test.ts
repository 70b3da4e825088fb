import { expect, test } from 'vitest';

import {
  createTestEnvironment,
  createTestSession,
  createTestTurn,
  getFirstLane,
  addTestTurn,
} from '../../testing/builders.ts';
import { duplicateLane } from './lanes.ts';
import { getTurnInView, getTurnNumberInView, formatTurnPosition } from './prompt-rows.ts';

/** Creates a session with three prompts, the last of which went to lane A only. */
function createThreeTurns() {
  const environment = createTestEnvironment();
  const two = addTestTurn(createTestTurn(environment, 'one').data, environment, 'two').data;
  const { data } = addTestTurn(duplicateLane(two, environment, getFirstLane(two).id), environment, 'three');
  const [first = '', second = '', third = ''] = Object.values(data.prompts)
    .toSorted((a, b) => a.seq - b.seq)
    .map(({ id }) => id);
  return { data, promptIds: [first, second, third] as const };
}

test('returns the number of the turn with the given prompt', () => {
  const { data, promptIds } = createThreeTurns();
  expect(getTurnNumberInView(data, promptIds[1])).toBe(2);
  expect(formatTurnPosition(data, promptIds[1])).toBe('Turn 2 of 3');
});

test('returns the last turn if no prompt is given or the prompt is no longer shown', () => {
  const { data } = createThreeTurns();
  expect(formatTurnPosition(data, undefined)).toBe('Turn 3 of 3');
  expect(formatTurnPosition(data, 'gone')).toBe('Turn 3 of 3');
  expect(formatTurnPosition(createTestSession(createTestEnvironment()), undefined)).toBeUndefined();
});

test('returns the last turn of a lane that lacks the turn in view', () => {
  const { data, promptIds } = createThreeTurns();
  const getShownPrompts = (promptInView: string | undefined) =>
    data.session.laneIds.map((id) => {
      const lane = data.lanes[id];
      return lane && getTurnInView(data, lane, promptInView)?.promptId;
    });
  expect(getShownPrompts(promptIds[0])).toEqual([promptIds[0], promptIds[0]]);
  expect(getShownPrompts(promptIds[2])).toEqual([promptIds[2], promptIds[1]]);
  expect(getShownPrompts(undefined)).toEqual([promptIds[2], promptIds[1]]);
});
