import { expect, test } from 'vitest';

import { anEnvironment, aSession, laneOf, say } from '../../testing/builders.ts';
import { duplicateLane } from './lanes.ts';
import { turnInView, turnNumberInView, turnWords } from './prompt-rows.ts';

/** Lane A was asked three times, lane B only the first two. */
function threeTurns() {
  const environment = anEnvironment();
  const two = say(say(aSession(environment), environment, 'one').data, environment, 'two').data;
  const { data } = say(duplicateLane(two, environment, laneOf(two).id), environment, 'three');
  const [one = '', other = '', last = ''] = Object.values(data.prompts)
    .toSorted((a, b) => a.seq - b.seq)
    .map(({ id }) => id);
  return { data, prompts: [one, other, last] as const };
}

test('the turn in view is the one whose prompt is named', () => {
  const { data, prompts } = threeTurns();
  expect(turnNumberInView(data, prompts[1])).toBe(2);
  expect(turnWords(data, prompts[1])).toBe('Turn 2 of 3');
});

test('the turn in view is the last one where none is named or its prompt is not shown any more', () => {
  const { data } = threeTurns();
  expect(turnWords(data, undefined)).toBe('Turn 3 of 3');
  expect(turnWords(data, 'gone')).toBe('Turn 3 of 3');
  expect(turnWords(aSession(anEnvironment()), undefined)).toBeUndefined();
});

test('a lane without that turn shows its last one', () => {
  const { data, prompts } = threeTurns();
  const shown = (promptInView: string | undefined) =>
    data.session.laneIds.map((id) => {
      const lane = data.lanes[id];
      return lane && turnInView(data, lane, promptInView)?.promptId;
    });
  expect(shown(prompts[0])).toEqual([prompts[0], prompts[0]]);
  expect(shown(prompts[2])).toEqual([prompts[2], prompts[1]]);
  expect(shown(undefined)).toEqual([prompts[2], prompts[1]]);
});
