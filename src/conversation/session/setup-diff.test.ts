import { expect, it } from 'vitest';

import { createTestSetup, createTickedParams } from '../../testing/builders.ts';
import { diffSetups } from './setup-diff.ts';

it('returns undefined if the current setup would send the same request', () => {
  const setup = createTestSetup({ params: createTickedParams({ temperature: '0.2' }) });
  expect(
    diffSetups(setup, { ...setup, params: { ...setup.params, top_p: { sent: false, text: '0.5' } } }),
  ).toBeUndefined();
});

it('lists settings of the answer that changed or are no longer sent', () => {
  const usedSetup = createTestSetup({
    model: 'a/one',
    system: 'Be brief.',
    params: createTickedParams({ temperature: '0.2', seed: '7' }),
  });
  const currentSetup = createTestSetup({
    model: 'a/two',
    params: createTickedParams({ temperature: '0.9', seed: '7', max_tokens: '50' }),
  });
  expect(diffSetups(usedSetup, currentSetup)).toEqual({
    model: 'a/one',
    changes: ['temperature 0.2', 'max_tokens not sent'],
    hasOtherSystem: true,
  });
  const tools = JSON.stringify(['a', 'b'].map((name) => ({ type: 'function', function: { name } })));
  expect(
    diffSetups(createTestSetup({ params: createTickedParams({ tools }) }), createTestSetup())?.changes[0],
  ).toBe('tools with 2');
  const withStop = (length: number) =>
    createTestSetup({ params: createTickedParams({ stop: 'x'.repeat(length) }) });
  expect([36, 37].map((length) => diffSetups(withStop(length), createTestSetup())?.changes[0])).toEqual([
    `stop ["${'x'.repeat(36)}"]`,
    `stop ["${'x'.repeat(37)}…`,
  ]);
  expect(diffSetups({ ...currentSetup, system: '' }, { ...currentSetup, system: 'New' })).toEqual({
    changes: [],
    hasOtherSystem: true,
  });
  expect(diffSetups({ ...currentSetup, system: '' }, { ...currentSetup, system: ' \n' })).toBeUndefined();
});
