import { describe, expect, it } from 'vitest';

import {
  addTestReply,
  addTestTurn,
  createTestEnvironment,
  createTestSession,
  createTestSetup,
  createTextChoices,
  getFirstLane,
} from '../../testing/builders.ts';
import { changeSetups } from '../session/lanes.ts';
import type { SessionData } from '../session/types.ts';
import { getSystemKey } from '../setup/setup.ts';
import { describeAnswer } from './compared-answers.ts';
import { getComparisonBlocker } from './comparison-blocker.ts';
import { findAnswersToCompare, listSystemPrompts } from './system-prompt-history.ts';

const startMs = 1_700_000_000_000;

/** Drives one lane: each step sets the system prompt, and asks a new question or regenerates the last answer. */
function createHistory(steps: readonly (readonly [action: 'ask' | 'regenerate', system: string])[]) {
  const environment = createTestEnvironment();
  let data: SessionData = createTestSession(environment);
  const turnIds: string[] = [];
  for (const [index, [action, system]] of steps.entries()) {
    const setup = createTestSetup({ system });
    data = changeSetups(data, [getFirstLane(data).id], () => setup);
    const run = { setup, sentAt: startMs + index, ...createTextChoices(`Answer ${index}`) };
    const lastTurn = data.turns[turnIds.at(-1) ?? ''];
    const added =
      action === 'regenerate' && lastTurn
        ? addTestVersion(data, lastTurn.id, environment, run)
        : addTestTurn(data, environment, `Question ${index}`, run);
    data = added.data;
    turnIds.push(added.turnId);
  }
  return { data, turnIds, laneIds: data.session.laneIds };
}

function addTestVersion(
  data: SessionData,
  turnId: string,
  environment: ReturnType<typeof createTestEnvironment>,
  run: Parameters<typeof addTestReply>[3],
) {
  const turn = data.turns[turnId];
  if (!turn) throw new Error('The turn is missing');
  const lane = getFirstLane(data);
  const { tip: _, ...emptyLane } = lane;
  const lanes = { [lane.id]: turn.parent ? { ...lane, tip: turn.parent.turnId } : emptyLane };
  return addTestReply({ ...data, lanes }, environment, turn.promptId, run);
}

const setSystem = (data: SessionData, system: string) =>
  changeSetups(data, data.session.laneIds, (setup) => ({ ...setup, system }));

function comparePrompt({ data, laneIds }: { data: SessionData; laneIds: string[] }, system: string) {
  const versions = listSystemPrompts(data, laneIds);
  const version = versions.find((item) => item.system === system);
  if (!version) throw new Error(`No version has the prompt ${system}`);
  return findAnswersToCompare(data, laneIds, {
    versions,
    version,
    currentKey: getSystemKey(getFirstLane(data).setup),
  });
}

describe('system prompt history', () => {
  it('lists each prompt once, newest first, with its first request and its answers', () => {
    const { data, laneIds, turnIds } = createHistory([
      ['ask', 'Be brief'],
      ['ask', 'Be kind'],
      ['ask', 'Be brief'],
    ]);
    const versions = listSystemPrompts(setSystem(data, 'Not sent'), laneIds);
    expect(
      versions.map(({ system, firstSentAt, turns }) => [system, firstSentAt, turns.map(({ id }) => id)]),
    ).toEqual([
      ['Not sent', undefined, []],
      ['Be kind', startMs + 1, [turnIds[1]]],
      ['Be brief', startMs, [turnIds[0], turnIds[2]]],
    ]);
  });

  it('separates prompts by role and treats blank ones as no prompt', () => {
    const { data, laneIds } = createHistory([
      ['ask', ''],
      ['ask', 'Be brief'],
    ]);
    const changed = changeSetups(data, laneIds, (setup) => ({ ...setup, systemRole: 'developer' }));
    expect(listSystemPrompts(changed, laneIds).map(({ key }) => key)).toEqual([
      'developer Be brief',
      'system Be brief',
      '',
    ]);
    expect(listSystemPrompts(setSystem(data, ' \n'), laneIds).map(({ key }) => key)).toEqual([
      'system Be brief',
      '',
    ]);
  });

  it('compares an answer with that of the current prompt to the same question', () => {
    const history = createHistory([
      ['ask', 'One'],
      ['regenerate', 'Two'],
      ['regenerate', 'Three'],
    ]);
    const { turnIds } = history;
    expect(comparePrompt(history, 'One')).toEqual([turnIds[0], turnIds[2]]);
    expect(comparePrompt(history, 'Two')).toEqual([turnIds[1], turnIds[2]]);
    expect(comparePrompt(history, 'Three')).toEqual([turnIds[1], turnIds[2]]);
  });

  it('compares with the next prompt if the current one has no answer, and with nothing if there is only one', () => {
    const history = createHistory([
      ['ask', 'One'],
      ['regenerate', 'Two'],
      ['ask', 'Three'],
    ]);
    const { turnIds, laneIds } = history;
    expect(comparePrompt(history, 'One')).toEqual([turnIds[0], turnIds[1]]);
    expect(comparePrompt(history, 'Three')).toBeUndefined();
    expect(comparePrompt({ data: setSystem(history.data, 'Four'), laneIds }, 'Four')).toBeUndefined();
  });

  it('names the turn and version of an answer', () => {
    const { data, turnIds } = createHistory([
      ['ask', 'One'],
      ['ask', 'One'],
      ['regenerate', 'Two'],
    ]);
    expect(turnIds.flatMap((id) => data.turns[id] ?? []).map((turn) => describeAnswer(data, turn))).toEqual([
      'turn 1',
      'turn 2, version 1',
      'turn 2, version 2',
    ]);
  });
});

describe('comparison of answers', () => {
  it('needs a second lane or a second version', () => {
    const getBlocker = (...steps: Parameters<typeof createHistory>[0]) =>
      getComparisonBlocker(createHistory(steps).data);
    expect(getBlocker()).toBe('No answers yet');
    expect(getBlocker(['ask', ''])).toBe('Add another lane or regenerate an answer first');
    expect(getBlocker(['ask', ''], ['regenerate', ''])).toBeUndefined();
  });
});
