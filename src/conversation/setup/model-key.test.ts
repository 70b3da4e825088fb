import { expect, it } from 'vitest';

import { createTestSetup } from '../../testing/builders.ts';
import type { ModelChoice } from '../session/types.ts';
import { buildModelKey, isSameModel, splitModelKey, withModelChoice } from './model-key.ts';

it.each<[key: string, choice: ModelChoice]>([
  ['north/one', { model: 'north/one' }],
  ['', { model: '' }],
  ['staging\tnorth/one', { gateway: 'staging', model: 'north/one' }],
  ['staging\t', { gateway: 'staging', model: '' }],
  ['staging\tone\ttwo', { gateway: 'staging', model: 'one\ttwo' }],
])('builds the key %j and splits it again', (key, choice) => {
  expect(buildModelKey(choice.model, choice.gateway)).toBe(key);
  expect(splitModelKey(key)).toEqual(choice);
});

it.each<[same: boolean, a: ModelChoice | undefined, b: ModelChoice | undefined]>([
  [true, { model: 'm' }, { model: 'm' }],
  [true, { model: 'm', gateway: 'staging' }, { model: 'm', gateway: 'staging' }],
  [true, undefined, undefined],
  [false, { model: 'm' }, { model: 'n' }],
  [false, { model: 'm' }, { model: 'm', gateway: 'staging' }],
  [false, { model: 'm' }, undefined],
])('returns %s for the same model: %j, %j', (isSame, a, b) => {
  expect(isSameModel(a, b)).toBe(isSame);
});

it('replaces model and gateway of a setup and keeps its other settings', () => {
  const setup = createTestSetup({ model: 'm', gateway: 'staging', system: 'Be brief.' });
  expect(withModelChoice(setup, { model: 'n' })).toStrictEqual(
    createTestSetup({ model: 'n', system: 'Be brief.' }),
  );
  expect(withModelChoice(setup, { model: 'n', gateway: 'other' })).toStrictEqual({
    ...setup,
    model: 'n',
    gateway: 'other',
  });
});
