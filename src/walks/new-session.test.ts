/** Tests what a new session copies from the previous one, and how to start without those lanes and settings. */
import { expect, test } from 'vitest';

import { defaultParams } from '../conversation/setup/params.ts';
import { createBench } from '../testing/bench.ts';
import { createUserPrompt, createTickedParams } from '../testing/builders.ts';

test('reuses the previous lanes in a new session and offers an empty setup', async () => {
  const bench = await createBench({ settings: { DEMO_GATEWAY_TOKENS_PER_SECOND: '0' } });
  await bench.actions.createSession();
  expect(bench.view.getState().hasInheritedLanes, 'the first session inherits no lanes').toBe(false);
  await bench.actions.sendPrompt(createUserPrompt('Hello'));
  await bench.actions.createSession();
  expect(bench.view.getState().hasInheritedLanes, 'a single lane without parameters is not inherited').toBe(
    false,
  );
  bench.actions.addLane();
  const { laneIds } = bench.getOpenSession().session;
  bench.actions.changeSetups(laneIds, (setup) => ({
    ...setup,
    params: createTickedParams({ temperature: '0.2' }),
  }));
  await bench.actions.sendPrompt(createUserPrompt('Hello'));

  await bench.actions.createSession();
  const copiedSession = bench.getOpenSession();
  expect(copiedSession.session.laneIds).toHaveLength(2);
  expect(bench.view.getState().hasInheritedLanes).toBe(true);

  bench.actions.resetLanes();
  const plainSession = bench.getOpenSession();
  expect(plainSession.session.laneIds).toHaveLength(1);
  expect(plainSession.lanes[plainSession.session.laneIds[0] ?? '']?.setup).toMatchObject({
    model: 'demo/guide',
    params: defaultParams,
  });
  expect(bench.view.getState().hasInheritedLanes).toBe(false);

  bench.session.getState().undo?.restore();
  expect(bench.getOpenSession().session.laneIds).toEqual(copiedSession.session.laneIds);
});
