import { describe, expect, it } from 'vitest';

import { aSetup, ticked } from '../../testing/builders.ts';
import { PARAMS, paramState } from './params.ts';
import {
  allPresets,
  partsOf,
  presetWords,
  shippedPresets,
  sortedPresets,
  withPreset,
  type Preset,
} from './presets.ts';
import { readPreset } from './stored-preset.ts';

const setup = aSetup({ model: 'north/one', system: 'Be brief', params: ticked({ temperature: '0.2' }) });
const aPreset = (changes: Partial<Preset> = {}): Preset => ({
  id: 'p',
  name: 'Calm',
  createdAt: 1,
  setup,
  ...changes,
});

describe('a preset', () => {
  it('changes what it keeps and leaves the rest alone', () => {
    const other = aSetup({ model: 'north/two', system: 'Other' });
    expect(withPreset(other, aPreset())).toEqual(setup);
    const onlyParams = aPreset({ setup: partsOf(setup, ['params']) });
    expect(withPreset(other, onlyParams)).toEqual({ ...other, params: setup.params });
    expect(presetWords(onlyParams)).toBe('parameters');
    expect(presetWords(aPreset())).toBe('north/one, system prompt, parameters');
  });

  it('of Bench sets parameters that can be sent as they are, and leaves all others alone', () => {
    for (const preset of shippedPresets) {
      const { params, ...rest } = withPreset(setup, preset);
      expect(rest).toEqual({ model: 'north/one', system: 'Be brief' });
      for (const { name } of PARAMS.filter((row) => preset.adds?.[row.name]))
        expect([name, paramState(params, name).state]).toEqual([name, 'sent']);
    }
    expect(allPresets([aPreset({ name: 'JSON' })]).map(({ name }) => name)).toEqual([
      'Precise',
      'Creative',
      'Long thinking',
      'JSON',
    ]);
  });

  it('is read back as it was stored, parts that are missing included', () => {
    expect(readPreset(aPreset())).toEqual(aPreset());
    const part = aPreset({ setup: { model: 'm' } });
    expect(readPreset(part)).toEqual(part);
    const whole = aSetup({ system: 'Be brief', systemRole: 'developer', sendReasoning: 'never' });
    expect(readPreset(aPreset({ setup: whole }))).toEqual(aPreset({ setup: whole }));
    expect(partsOf(whole, ['system'])).toEqual({ system: 'Be brief', systemRole: 'developer' });
  });

  it.each([
    ['no name', { name: '' }],
    ['no id', { id: '' }],
    ['a setup that is none', { setup: { model: 7 } }],
    ['an unknown part', { setup: { gateway: 'x' } }],
  ])('with %s is not read', (_, changes) => expect(readPreset({ ...aPreset(), ...changes })).toBeUndefined());

  it('is in the list as people sort', () => {
    const named = ['b', 'Run 10', 'a', 'Run 9'].map((name) => aPreset({ name }));
    expect(sortedPresets(named).map(({ name }) => name)).toEqual(['a', 'b', 'Run 9', 'Run 10']);
  });
});
