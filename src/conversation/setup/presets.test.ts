import { describe, expect, it } from 'vitest';

import { createTestSetup, createTickedParams } from '../../testing/builders.ts';
import { PARAMS, getParamState } from './params.ts';
import {
  mergePresets,
  findPresets,
  pickPresetParts,
  describePreset,
  builtInPresets,
  sortPresets,
  withPreset,
  type Preset,
} from './presets.ts';
import { readPreset } from './stored-preset.ts';

const setup = createTestSetup({
  model: 'north/one',
  system: 'Be brief',
  params: createTickedParams({ temperature: '0.2' }),
});
const createPreset = (changes: Partial<Preset> = {}): Preset => ({
  id: 'p',
  name: 'Calm',
  createdAt: 1,
  setup,
  ...changes,
});

describe('preset', () => {
  it('replaces the parts of a setup that the preset contains and keeps the others', () => {
    const otherSetup = createTestSetup({ model: 'north/two', system: 'Other' });
    expect(withPreset(otherSetup, createPreset())).toEqual(setup);
    const onlyParams = createPreset({ setup: pickPresetParts(setup, ['params']) });
    expect(withPreset(otherSetup, onlyParams)).toEqual({ ...otherSetup, params: setup.params });
    expect(describePreset(onlyParams)).toBe('parameters');
    expect(describePreset(createPreset())).toBe('model north/one, system prompt, parameters');
  });

  it('sends valid parameters from built-in presets and keeps the rest of the setup', () => {
    for (const preset of builtInPresets) {
      const { params, ...rest } = withPreset(setup, preset);
      expect(rest).toEqual({ model: 'north/one', system: 'Be brief' });
      for (const { name } of PARAMS.filter((row) => preset.adds?.[row.name]))
        expect([name, getParamState(params, name).state]).toEqual([name, 'sent']);
    }
    expect(mergePresets([createPreset({ name: 'JSON' })]).map(({ name }) => name)).toEqual([
      'Precise',
      'Creative',
      'Long thinking',
      'JSON',
    ]);
  });

  it('restores a stored preset, including one with missing parts', () => {
    expect(readPreset(createPreset())).toEqual(createPreset());
    const partialPreset = createPreset({ setup: { model: 'm' } });
    expect(readPreset(partialPreset)).toEqual(partialPreset);
    const fullSetup = createTestSetup({
      system: 'Be brief',
      systemRole: 'developer',
      sendReasoning: 'never',
    });
    expect(readPreset(createPreset({ setup: fullSetup }))).toEqual(createPreset({ setup: fullSetup }));
    expect(pickPresetParts(fullSetup, ['system'])).toEqual({ system: 'Be brief', systemRole: 'developer' });
  });

  it.each([
    ['no name', { name: '' }],
    ['no id', { id: '' }],
    ['an invalid setup', { setup: { model: 7 } }],
    ['an unknown part', { setup: { sampler: 'x' } }],
    ['an invalid message', { setup: { message: 7 } }],
    ['invalid variables', { setup: { variables: { city: 7 } } }],
  ])('rejects a stored preset with %s', (_, changes) =>
    expect(readPreset({ ...createPreset(), ...changes })).toBeUndefined(),
  );

  it('restores a message and variables, and keeps them out of the setup', () => {
    const content = { message: 'Write to {{name}}', variables: { name: 'Ada' } };
    const preset = createPreset({ setup: { system: '', ...content } });
    expect(readPreset(preset)).toEqual(preset);
    expect(withPreset(setup, preset)).toEqual({ ...setup, system: '' });
    expect(describePreset(preset)).toBe('no system prompt, message, variables');
    expect(pickPresetParts({ ...setup, ...content }, ['message'])).toEqual({ message: content.message });
  });

  it('finds presets by name, parts and texts', () => {
    const presets = [
      createPreset({ name: 'Welcome mail', setup: { message: 'Write to {{name}} in Graz' } }),
      createPreset({ name: 'Calm', setup: { system: 'Be brief' } }),
    ];
    const findNames = (query: string) => findPresets(presets, query).map(({ name }) => name);
    expect(findNames('graz mail')).toEqual(['Welcome mail']);
    expect(findNames('system prompt')).toEqual(['Calm']);
    expect(findNames('brief graz')).toEqual([]);
    expect(findNames(' ')).toEqual(['Welcome mail', 'Calm']);
  });

  it('sorts presets in natural order', () => {
    const presets = ['b', 'Run 10', 'a', 'Run 9'].map((name) => createPreset({ name }));
    expect(sortPresets(presets).map(({ name }) => name)).toEqual(['a', 'b', 'Run 9', 'Run 10']);
  });
});
