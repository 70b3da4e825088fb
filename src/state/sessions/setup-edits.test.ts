import { describe, expect, it } from 'vitest';

import type { LaneId, Setup } from '../../conversation/session/types.ts';
import { withSent, withText, type ParamName } from '../../conversation/setup/params.ts';
import { createBench, type Bench } from '../../testing/bench.ts';
import { createTestSetup, createTickedParams } from '../../testing/builders.ts';
import { waitUntil } from '../../testing/wait-until.ts';

/** Creates a session with one lane per temperature and nothing to undo. */
async function createLanes(...temperatures: string[]) {
  // This URL is never requested.
  const bench = await createBench({ url: 'http://127.0.0.1:9' });
  await bench.actions.openNewSession(
    temperatures.map((temperature) =>
      createTestSetup({ params: createTickedParams({ temperature }), system: '' }),
    ),
  );
  return { bench, laneIds: bench.getOpenSession().session.laneIds };
}

const getSetups = (bench: Bench) =>
  bench.getOpenSession().session.laneIds.map((laneId) => bench.getOpenSession().lanes[laneId]?.setup);
const getParamTexts = (bench: Bench, name: ParamName = 'temperature') =>
  getSetups(bench).map((setup) => (setup?.params[name]?.sent ? setup.params[name].text : undefined));
const getUndoText = (bench: Bench) => bench.session.getState().undo?.text;

/** Types as a field does, which writes its complete text after each key. */
function typeText(
  bench: Bench,
  laneIds: readonly LaneId[],
  text: string,
  name: ParamName = 'temperature',
): void {
  for (let length = 1; length <= text.length; length += 1) {
    bench.actions.changeSetups(laneIds, (setup) => ({
      ...setup,
      params: withText(setup.params, name, text.slice(0, length)),
    }));
  }
}

const withSystem = (text: string) => (setup: Setup) => ({ ...setup, system: text });

describe('an edit that makes lanes equal', () => {
  it('shows the previous values, and restores only these values on Undo', async () => {
    const { bench, laneIds } = await createLanes('0.2', '1.6');
    typeText(bench, laneIds, '0.3');
    expect(getUndoText(bench)).toBe('temperature is 0.3 in 2 lanes. Previously: A\u00a00.2, B\u00a01.6.');
    await bench.actions.renameSession('Renamed meanwhile');
    bench.session.getState().undo?.restore();
    expect(getParamTexts(bench)).toEqual(['0.2', '1.6']);
    expect(bench.getOpenSession().session.title).toBe('Renamed meanwhile');
    expect(bench.actions.canUndoSetupEdit()).toBe(false);
  });

  it('shows the previous values of a checkbox, a model and a long text', async () => {
    const { bench, laneIds } = await createLanes('0.2', '1.6');
    const [, b = ''] = laneIds;
    typeText(bench, [b], '1024', 'max_tokens');
    bench.actions.changeSetups(laneIds, (setup) => ({
      ...setup,
      params: withSent(setup.params, 'max_tokens', false),
    }));
    expect(getUndoText(bench)).toBe(
      'max_tokens is not sent in 2 lanes. Previously: A\u00a0not sent, B\u00a01,024.',
    );
    bench.actions.changeSetup(b, { model: 'north/two', system: 'Name the trade-off.\nThen stop.' });
    expect(getUndoText(bench), 'the next edit withdraws Undo').toBeUndefined();
    bench.actions.changeSetups(laneIds, withSystem('Be brief.'));
    expect(getUndoText(bench)).toBe(
      'The system prompt is “Be brief.” in 2 lanes. Previously: A\u00a0empty, B\u00a0“Name the trade-off. Then…”.',
    );
    bench.actions.changeSetups(laneIds, (setup) => ({ ...setup, model: 'north/one' }));
    expect(getUndoText(bench)).toBe(
      'model is north/one in 2 lanes. Previously: A\u00a0demo/guide, B\u00a0north/two.',
    );
    bench.actions.undoSetupEdit();
    bench.view.setState({ namesHidden: true });
    bench.actions.changeSetups(laneIds, (setup) => ({ ...setup, model: 'north/one' }));
    expect(getUndoText(bench)).toBe('The model is the same in 2 lanes.');
  });

  it('offers no Undo if the lanes still differ', async () => {
    const { bench, laneIds } = await createLanes('0.2', '1.6');
    const setSent = (sent: boolean) =>
      bench.actions.changeSetups(laneIds, (setup) => ({
        ...setup,
        params: withSent(setup.params, 'temperature', sent),
      }));
    setSent(false);
    expect(getUndoText(bench)).toBe(
      'temperature is not sent in 2 lanes. Previously: A\u00a00.2, B\u00a01.6.',
    );
    setSent(true);
    expect(getParamTexts(bench)).toEqual(['0.2', '1.6']);
    expect(getUndoText(bench)).toBeUndefined();
  });
});

describe('undo of setup edits', () => {
  it('undoes edits one by one, and typing in one field in one step', async () => {
    const { bench, laneIds } = await createLanes('0.2', '1.6');
    const [a = ''] = laneIds;
    const setupsBefore = getSetups(bench);
    typeText(bench, [a], '0.75');
    bench.actions.changeSetup(a, { model: 'north/two' });
    bench.actions.changeSetups(laneIds, withSystem('Be'));
    bench.actions.changeSetups(laneIds, withSystem('Be brief'));
    typeText(bench, laneIds, '42', 'seed');
    bench.actions.endSetupStep();
    typeText(bench, laneIds, '43', 'seed');
    const preset = createTestSetup({ model: 'north/three' });
    bench.actions.replaceSetups(laneIds, () => preset, 'Applied Calm to 2 lanes.');
    const messages: (string | undefined)[] = [];
    const seeds: (string | undefined)[] = [];
    while (bench.actions.canUndoSetupEdit()) {
      messages.push(bench.actions.undoSetupEdit());
      seeds.push(getParamTexts(bench, 'seed')[0]);
    }
    expect(messages).toEqual([
      'Undid changes to model, system prompt, temperature, seed, stream, stream_options.',
      'Undid changes to seed.',
      'Undid changes to seed.',
      'Undid changes to system prompt.',
      'Undid changes to model.',
      'Undid changes to temperature.',
    ]);
    expect(seeds).toEqual(['43', '42', undefined, undefined, undefined, undefined]);
    expect(getSetups(bench)).toEqual(setupsBefore);
    expect(bench.actions.undoSetupEdit()).toBeUndefined();
  });

  it('offers no Undo for text typed and removed again', async () => {
    const { bench, laneIds } = await createLanes('0.2');
    typeText(bench, laneIds, '0.2');
    expect(bench.actions.canUndoSetupEdit()).toBe(false);
  });

  it('keeps later changes, including those from another tab, and ignores removed lanes', async () => {
    const { bench, laneIds } = await createLanes('0.2', '1.6', '1');
    const [a = '', b = '', c = ''] = laneIds;
    typeText(bench, laneIds, '0.3');
    await bench.waitUntilSaved();
    const otherTab = await bench.openAnotherTab();
    await otherTab.actions.openSession(bench.getOpenSession().session.id);
    expect(otherTab.actions.canUndoSetupEdit(), 'edits of another tab cannot be undone').toBe(false);
    typeText(otherTab, [b], '0.9');
    typeText(otherTab, [a], '7', 'seed');
    await otherTab.waitUntilSaved();
    await waitUntil(() => getParamTexts(bench)[1] === '0.9' && getParamTexts(bench, 'seed')[0] === '7');
    await bench.actions.removeLane(c);
    bench.actions.undoSetupEdit();
    expect(getParamTexts(bench)).toEqual(['0.2', '0.9']);
    expect(getParamTexts(bench, 'seed')).toEqual(['7', undefined]);
    expect(getUndoText(bench), 'Undo is still available').toBe('Removed lane C.');
  });

  it('undoes at most 100 edits', async () => {
    const { bench, laneIds } = await createLanes('0.2');
    for (let count = 0; count < 102; count += 1)
      bench.actions.replaceSetups(laneIds, withSystem(`System ${count}`), 'Wrote.');
    let undoneCount = 0;
    while (bench.actions.undoSetupEdit() !== undefined) undoneCount += 1;
    expect(undoneCount).toBe(100);
    expect(getSetups(bench)[0]?.system).toBe('System 1');
  });

  it('undoes only edits of the current session', async () => {
    const { bench, laneIds } = await createLanes('0.2', '1.6');
    const { id } = bench.getOpenSession().session;
    typeText(bench, laneIds, '0.3');
    await bench.actions.openNewSession([createTestSetup()]);
    expect(bench.actions.undoSetupEdit()).toBeUndefined();
    await bench.waitUntilSaved();
    await bench.actions.openSession(id);
    bench.actions.undoSetupEdit();
    expect(getParamTexts(bench)).toEqual(['0.2', '1.6']);
  });
});
