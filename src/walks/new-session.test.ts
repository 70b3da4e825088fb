/** What a new session takes over from the one before, and how one begins without that. */
import { expect, test } from 'vitest';

import { defaultParams } from '../conversation/setup/params.ts';
import { aBench } from '../testing/bench.ts';
import { spoken, ticked } from '../testing/builders.ts';

test('a new session says that it has the lanes of the one before, and starts plain where that is asked for', async () => {
  const bench = await aBench();
  await bench.actions.createSession();
  expect(bench.view.getState().hasInheritedLanes, 'the first one').toBe(false);
  await bench.actions.sendPrompt(spoken('Hello'));
  await bench.actions.createSession();
  expect(bench.view.getState().hasInheritedLanes, 'one lane without parameters').toBe(false);
  bench.actions.addLane();
  const { laneIds } = bench.current().session;
  bench.actions.changeSetups(laneIds, (setup) => ({ ...setup, params: ticked({ temperature: '0.2' }) }));
  await bench.actions.sendPrompt(spoken('Hello'));

  await bench.actions.createSession();
  const kept = bench.current();
  expect(kept.session.laneIds).toHaveLength(2);
  expect(bench.view.getState().hasInheritedLanes).toBe(true);

  bench.actions.resetLanes();
  const plain = bench.current();
  expect(plain.session.laneIds).toHaveLength(1);
  expect(plain.lanes[plain.session.laneIds[0] ?? '']?.setup).toMatchObject({
    model: 'demo/guide',
    params: defaultParams,
  });
  expect(bench.view.getState().hasInheritedLanes).toBe(false);

  bench.session.getState().undo?.restore();
  expect(bench.current().session.laneIds).toEqual(kept.session.laneIds);
});
