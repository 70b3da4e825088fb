import { describe, expect, it } from 'vitest';

import type { Lane, Setup } from '../../conversation/session/types.ts';
import { parseSettings } from '../../conversation/setup/palette-settings.ts';
import { buildRequestFields } from '../../conversation/setup/params.ts';
import { createTestSetup, createTickedParams } from '../../testing/builders.ts';
import { buildSettingOptions, type LaneTools } from './setting-options.ts';

/** Creates lanes with these setups, and tools that record the effect of options. */
function createLanes(...setups: Setup[]): { tools: LaneTools; getFields: () => unknown[] } {
  let lanes = setups.map((setup, index): Lane => ({ id: `lane${index}`, sessionId: 's', setup }));
  const change: LaneTools['changeSetups'] = (ids, edit) => {
    lanes = lanes.map((lane) => (ids.includes(lane.id) ? { ...lane, setup: edit(lane.setup) } : lane));
  };
  const tools: LaneTools = {
    lanes,
    namesHidden: false,
    getModelKey: ({ model }) => model,
    changeSetups: change,
    addLaneWith: (edit) => {
      const last = lanes.at(-1);
      if (last) lanes = [...lanes, { ...last, id: 'added', setup: edit(last.setup) }];
    },
    showParameter: () => undefined,
  };
  return { tools, getFields: () => lanes.map(({ setup }) => buildRequestFields(setup.params)) };
}

function buildOptions(typedText: string, tools: LaneTools) {
  return parseSettings(typedText, tools.lanes.length).flatMap((parsedSetting) =>
    buildSettingOptions(parsedSetting, tools),
  );
}

const cool = createTestSetup({ params: createTickedParams({ temperature: '0.2' }) });
const warm = createTestSetup({ params: createTickedParams({ temperature: '0.9' }) });

describe('options for a typed setting', () => {
  it('lists current values and offers a typed setting for all lanes, one lane or a new lane', () => {
    const { tools } = createLanes(cool, warm, warm);
    const options = buildOptions('temp 0.5', tools);
    expect(options.map(({ label }) => label)).toEqual([
      'Set temperature to 0.5 in all lanes',
      'Set temperature to 0.5 in A only',
      'Set temperature to 0.5 in B only',
      'Set temperature to 0.5 in C only',
      'Stop sending temperature in all lanes',
      'Add lane D: guide with temperature 0.5',
      'About temperature',
    ]);
    expect(options[0]?.currentValues).toEqual([
      { text: '0.2', letters: ['A'] },
      { text: '0.9', letters: ['B', 'C'] },
    ]);
    expect(options[2]?.currentValues).toEqual([{ text: '0.9', letters: ['B'] }]);
  });

  it.each([
    [0, [{ temperature: 0.5 }, { temperature: 0.5 }]],
    [1, [{ temperature: 0.5 }, { temperature: 0.9 }]],
    [2, [{ temperature: 0.2 }, { temperature: 0.5 }]],
    [3, [{}, {}]],
    [4, [{ temperature: 0.2 }, { temperature: 0.9 }, { temperature: 0.5 }]],
  ])('applies the change described by option %i', (index, expected) => {
    const { tools, getFields } = createLanes(cool, warm);
    void buildOptions('temp 0.5', tools)[index]?.run();
    expect(getFields()).toEqual(expected);
  });

  it('disables an option whose value is already set or invalid', () => {
    const { tools } = createLanes(cool);
    expect(buildOptions('temp 0.2', tools)[0]).toMatchObject({
      label: 'Set temperature to 0.2',
      disabledReason: 'Already set to 0.2',
    });
    expect(buildOptions('temp 7', tools)[0]?.disabledReason).toContain('Must be between 0 and 2.');
    expect(buildOptions('no seed', tools)[0]?.disabledReason).toBe('Not sent');
  });

  it('applies a typed setting only to the named lanes', () => {
    const { tools, getFields } = createLanes(cool, cool, warm);
    const [first] = buildOptions('temp 1 in a and c', tools);
    expect(first?.label).toBe('Set temperature to 1 in A and C only');
    expect(first?.currentValues).toEqual([
      { text: '0.2', letters: ['A'] },
      { text: '0.9', letters: ['C'] },
    ]);
    void first?.run();
    expect(getFields()).toEqual([{ temperature: 1 }, { temperature: 0.2 }, { temperature: 1 }]);
  });

  it('offers both states of a switch if it is typed without a value', () => {
    const { tools, getFields } = createLanes(createTestSetup({ params: {} }));
    const options = buildOptions('thinking', tools);
    expect(options.map(({ label }) => label)).toEqual(
      expect.arrayContaining(['Set enable_thinking to on', 'Set enable_thinking to off']),
    );
    void options[1]?.run();
    expect(getFields()).toEqual([{ enable_thinking: false }]);
  });
});
