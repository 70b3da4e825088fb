import { describe, expect, it } from 'vitest';

import type { Lane, Setup } from '../../conversation/session/types.ts';
import { parseSettings } from '../../conversation/setup/palette-settings.ts';
import { buildRequestFields } from '../../conversation/setup/params.ts';
import { aSetup, ticked } from '../../testing/builders.ts';
import { settingOptions, type LaneTools } from './setting-options.ts';

/** Lanes with these setups, and what the options do to them. */
function someLanes(...setups: Setup[]): { tools: LaneTools; fields: () => unknown[] } {
  let lanes = setups.map((setup, index): Lane => ({ id: `lane${index}`, sessionId: 's', setup }));
  const change: LaneTools['changeSetups'] = (ids, edit) => {
    lanes = lanes.map((lane) => (ids.includes(lane.id) ? { ...lane, setup: edit(lane.setup) } : lane));
  };
  const tools: LaneTools = {
    lanes,
    namesHidden: false,
    changeSetups: change,
    addLaneWith: (edit) => {
      const last = lanes.at(-1);
      if (last) lanes = [...lanes, { ...last, id: 'added', setup: edit(last.setup) }];
    },
    showRow: () => undefined,
  };
  return { tools, fields: () => lanes.map(({ setup }) => buildRequestFields(setup.params)) };
}

function optionsOf(typed: string, tools: LaneTools) {
  return parseSettings(typed, tools.lanes.length).flatMap((reading) => settingOptions(reading, tools));
}

const cool = aSetup({ params: ticked({ temperature: '0.2' }) });
const warm = aSetup({ params: ticked({ temperature: '0.9' }) });

describe('what a typed setting offers', () => {
  it('is said with what holds now, and done in all lanes, one, or a new one', () => {
    const { tools } = someLanes(cool, warm, warm);
    const options = optionsOf('temp 0.5', tools);
    expect(options.map(({ words }) => words)).toEqual([
      'Set temperature to 0.5 in all lanes',
      'Set temperature to 0.5 in A only',
      'Set temperature to 0.5 in B only',
      'Set temperature to 0.5 in C only',
      'Stop sending temperature in all lanes',
      'Add lane D: guide at temperature 0.5',
      'What temperature does',
    ]);
    expect(options[0]?.now).toEqual([
      { text: '0.2', letters: ['A'] },
      { text: '0.9', letters: ['B', 'C'] },
    ]);
    expect(options[2]?.now).toEqual([{ text: '0.9', letters: ['B'] }]);
  });

  it.each([
    [0, [{ temperature: 0.5 }, { temperature: 0.5 }]],
    [1, [{ temperature: 0.5 }, { temperature: 0.9 }]],
    [2, [{ temperature: 0.2 }, { temperature: 0.5 }]],
    [3, [{}, {}]],
    [4, [{ temperature: 0.2 }, { temperature: 0.9 }, { temperature: 0.5 }]],
  ])('does what line %i says', (place, wanted) => {
    const { tools, fields } = someLanes(cool, warm);
    void optionsOf('temp 0.5', tools)[place]?.run();
    expect(fields()).toEqual(wanted);
  });

  it('is blocked where it is so already, or where the value is refused', () => {
    const { tools } = someLanes(cool);
    expect(optionsOf('temp 0.2', tools)[0]).toMatchObject({
      words: 'Set temperature to 0.2',
      blockedBy: 'Already 0.2',
    });
    expect(optionsOf('temp 7', tools)[0]?.blockedBy).toContain('Must be 0 to 2.');
    expect(optionsOf('no seed', tools)[0]?.blockedBy).toBe('Not sent now');
  });

  it('goes to the lanes that were named alone', () => {
    const { tools, fields } = someLanes(cool, cool, warm);
    const [first] = optionsOf('temp 1 in a and c', tools);
    expect(first?.words).toBe('Set temperature to 1 in A and C only');
    expect(first?.now).toEqual([
      { text: '0.2', letters: ['A'] },
      { text: '0.9', letters: ['C'] },
    ]);
    void first?.run();
    expect(fields()).toEqual([{ temperature: 1 }, { temperature: 0.2 }, { temperature: 1 }]);
  });

  it('offers both positions of a switch that was only named', () => {
    const { tools, fields } = someLanes(aSetup({ params: {} }));
    const options = optionsOf('thinking', tools);
    expect(options.map(({ words }) => words)).toEqual(
      expect.arrayContaining(['Set enable_thinking to on', 'Set enable_thinking to off']),
    );
    void options[1]?.run();
    expect(fields()).toEqual([{ enable_thinking: false }]);
  });
});
