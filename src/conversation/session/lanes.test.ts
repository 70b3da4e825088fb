import { describe, expect, it } from 'vitest';

import {
  createTestEnvironment,
  createTextChoices,
  createTestSession,
  createTestTurn,
  createTestSetup,
  getFirstLane,
  addTestTurn,
  createTickedParams,
} from '../../testing/builders.ts';
import { getVoteOptionState } from '../comparison/turn-vote.ts';
import { buildRequest } from '../request/request.ts';
import { addTurn } from './edit-session.ts';
import {
  branchToLane,
  branchToSession,
  changeSetups,
  duplicateLane,
  maxLanes,
  moveLane,
  createParamsEdit,
  removeLane,
  renameLane,
  restoreLane,
} from './lanes.ts';
import { readStoredSession } from './read-session.ts';
import { getCopiedTurn, getLanePath } from './turn-tree.ts';
import type { SessionData } from './types.ts';

/** Creates a lane with two prompts and their answers. */
function createConversation() {
  const environment = createTestEnvironment();
  const first = createTestTurn(environment, 'One', createTextChoices('1'));
  const second = addTestTurn(first.data, environment, 'Two', createTextChoices('2'));
  return { environment, data: second.data, first, second };
}

function getPathTexts(data: SessionData, laneId: string | undefined): unknown[] {
  const lane = data.lanes[laneId ?? ''];
  return (lane ? getLanePath(data, lane) : []).map(
    (turn) => data.prompts[turn.promptId]?.messages[0]?.content,
  );
}

/** Asserts that the parent of every turn is in the same lane. */
function expectLanesApart(data: SessionData): void {
  const misplacedTurns = Object.values(data.turns).filter(
    ({ parent, laneId }) => parent && data.turns[parent.turnId]?.laneId !== laneId,
  );
  expect(misplacedTurns).toEqual([]);
}

describe('lane copy', () => {
  it('copies the path and setup of a lane into new turns with shared runs', () => {
    const { environment, data } = createConversation();
    const [laneId = ''] = data.session.laneIds;
    const copied = duplicateLane(data, environment, laneId);
    const [, copyId] = copied.session.laneIds;
    expect(getPathTexts(copied, copyId)).toEqual(['One', 'Two']);
    const [originals, copies] = [laneId, copyId ?? ''].map((id) => {
      const lane = copied.lanes[id];
      return lane ? getLanePath(copied, lane) : [];
    });
    expect(originals?.map((turn) => getCopiedTurn(copied, turn))).toEqual([undefined, undefined]);
    expect(copies?.map((turn) => getCopiedTurn(copied, turn))).toEqual(originals);
    expect(
      copies?.map(({ id }) => getVoteOptionState(copied, id)),
      'an answer cannot win against itself',
    ).toEqual(['not asked', 'not asked']);
    expect(Object.keys(copied.turns)).toHaveLength(4);
    expect(copied.runs).toBe(data.runs);
    expectLanesApart(copied);
  });

  it('omits live turns and their descendants', () => {
    const { environment, data } = createConversation();
    const live = addTestTurn(data, environment, 'Live', { phase: { name: 'streaming' } });
    const below = addTestTurn(live.data, environment, 'Below', { phase: { name: 'stopped' } });
    const copied = duplicateLane(below.data, environment, getFirstLane(below.data).id);
    expect(getPathTexts(copied, copied.session.laneIds[1])).toEqual(['One', 'Two']);
    expectLanesApart(copied);
  });

  it('does not copy an unknown lane or create more than six lanes', () => {
    const { environment, data } = createConversation();
    let fullData = data;
    for (let count = 0; count < 10; count += 1)
      fullData = duplicateLane(fullData, environment, getFirstLane(fullData).id);
    expect(fullData.session.laneIds).toHaveLength(maxLanes);
    expect(duplicateLane(data, environment, 'none')).toBe(data);
  });
});

describe('branch', () => {
  it('copies only the path to the turn into a new lane', () => {
    const { environment, data, first } = createConversation();
    const branched = branchToLane(data, environment, first.turnId);
    expect(getPathTexts(branched, branched.session.laneIds[1])).toEqual(['One']);
    expectLanesApart(branched);
    expect(branchToLane(data, environment, 'none')).toBe(data);

    let fullData = data;
    for (let count = 0; count < 10; count += 1) fullData = branchToLane(fullData, environment, first.turnId);
    expect(fullData.session.laneIds).toHaveLength(maxLanes);
  });

  it('copies the path into a new session with the same requests and no shared records', () => {
    const { environment, data, second } = createConversation();
    const withVariables: SessionData = { ...data, session: { ...data.session, variables: { name: 'Ada' } } };
    const branch = branchToSession(withVariables, environment, second.turnId);
    if (!branch) throw new Error('The branch is missing');
    const buildBody = (source: SessionData) =>
      buildRequest(source, createTestSetup({ system: 'Call me {{name}}' }), getFirstLane(source).tip);
    expect(buildBody(branch.data)).toEqual(buildBody(withVariables));
    for (const kind of ['lanes', 'prompts', 'turns', 'runs'] as const) {
      expect(Object.keys(branch.data[kind]).filter((id) => id in data[kind])).toEqual([]);
      const records: { sessionId: string }[] = Object.values<{ sessionId: string }>(branch.data[kind]);
      expect(records.every(({ sessionId }) => sessionId === branch.data.session.id)).toBe(true);
    }
    expect(branch.runIds.map(([from, to]) => [from in data.runs, to in branch.data.runs])).toEqual([
      [true, true],
      [true, true],
    ]);
  });
});

describe('lane name', () => {
  it('is removed by an empty one, kept in a branched session, and not given to another lane', () => {
    const { environment, data, second } = createConversation();
    const { id } = getFirstLane(data);
    const named = renameLane(data, id, 'Terse');
    const getNames = ({ session, lanes }: SessionData) =>
      session.laneIds.map((laneId) => lanes[laneId]?.name);
    expect(getNames(duplicateLane(named, environment, id))).toEqual(['Terse', undefined]);
    expect(getNames(branchToLane(named, environment, second.turnId))).toEqual(['Terse', undefined]);
    const branch = branchToSession(named, environment, second.turnId);
    expect(branch && getNames(branch.data)).toEqual(['Terse']);
    expect(renameLane(named, id, '')).toEqual(data);
  });
});

describe('lane removal', () => {
  it('removes a lane with the records that only this lane uses, and restores them in place', () => {
    const { environment, data } = createConversation();
    const copied = duplicateLane(data, environment, getFirstLane(data).id);
    const [left = '', right = ''] = copied.session.laneIds;
    const addedTurn = addTurn(copied, environment, right, {
      promptId: Object.keys(copied.prompts)[0] ?? '',
      run: true,
    });
    const removed = removeLane(addedTurn.data, right);
    if (!removed) throw new Error('The lane was not removed');
    expect(removed.data.session.laneIds).toEqual([left]);
    expect(Object.keys(removed.data.runs)).toEqual(Object.keys(data.runs));
    expect(removed.data.prompts).toEqual(data.prompts);
    expect(removed.laneRemoval.turnRemoval.runs.map(({ id }) => id)).toEqual([addedTurn.runId]);
    expect(restoreLane(removed.data, removed.laneRemoval)).toEqual(addedTurn.data);
  });

  it('restores a lane beyond the lane limit and keeps the stored session readable', () => {
    const { environment, data } = createConversation();
    let fullData = data;
    while (fullData.session.laneIds.length < maxLanes)
      fullData = duplicateLane(fullData, environment, getFirstLane(fullData).id);
    const removed = removeLane(fullData, fullData.session.laneIds[5] ?? '');
    if (!removed) throw new Error('The lane was not removed');
    const restored = restoreLane(
      duplicateLane(removed.data, environment, getFirstLane(fullData).id),
      removed.laneRemoval,
    );
    expect(restored.session.laneIds).toHaveLength(maxLanes + 1);
    const listRecords = (kind: 'lanes' | 'prompts' | 'turns' | 'runs'): unknown[] =>
      structuredClone(Object.values<unknown>(restored[kind]));
    const revived = readStoredSession({
      session: restored.session,
      lanes: listRecords('lanes'),
      prompts: listRecords('prompts'),
      turns: listRecords('turns'),
      runs: listRecords('runs'),
    });
    expect(revived).toEqual({ data: restored, unreadable: [] });
  });

  it('keeps an unanswered prompt of the remaining lane', () => {
    const { environment, data, second } = createConversation();
    const copied = duplicateLane(data, environment, getFirstLane(data).id);
    const [left = '', right = ''] = copied.session.laneIds;
    const questionTurn = addTurn(copied, environment, left, {
      promptId: Object.keys(copied.prompts)[0] ?? '',
      parent: { turnId: second.turnId, choice: 0 },
      run: false,
    });
    const removed = removeLane(questionTurn.data, right);
    expect(removed?.data.turns[questionTurn.turnId]?.reply).toBeUndefined();
    expect(Object.keys(removed?.data.runs ?? {})).toEqual(Object.keys(data.runs));
  });

  it('does not remove the last lane', () => {
    const { data } = createConversation();
    expect(removeLane(data, getFirstLane(data).id)).toBeUndefined();
  });
});

describe('lane order', () => {
  it('moves lanes by steps and stops at both ends', () => {
    const data = createTestSession(createTestEnvironment(), [
      createTestSetup(),
      createTestSetup(),
      createTestSetup(),
    ]);
    const [a = '', b = '', c = ''] = data.session.laneIds;
    expect(moveLane(data, a, 1).session.laneIds).toEqual([b, a, c]);
    expect(moveLane(data, c, -1).session.laneIds).toEqual([a, c, b]);
    expect(moveLane(data, a, -1)).toBe(data);
    expect(moveLane(data, c, 1)).toBe(data);
    expect(moveLane(data, 'none', 1)).toBe(data);
    expect(moveLane(data, 'none', 2)).toBe(data);
    expect(moveLane(data, a, 2).session.laneIds).toEqual([b, c, a]);
  });
});

describe('lane setups', () => {
  it('changes only the setups of the given lanes', () => {
    const data = createTestSession(createTestEnvironment(), [
      createTestSetup(),
      createTestSetup(),
      createTestSetup(),
    ]);
    const [a = '', b = '', c = ''] = data.session.laneIds;
    const changed = changeSetups(data, [a, 'none', c], (setup) => ({ ...setup, system: 'Be brief.' }));
    expect(changed.session).toBe(data.session);
    expect(Object.keys(changed.lanes)).toEqual([a, b, c]);
    expect([a, b, c].map((id) => changed.lanes[id]?.setup.system)).toEqual(['Be brief.', '', 'Be brief.']);
    expect(changed.lanes[b]).toBe(data.lanes[b]);
  });

  it('applies only the edited parameters and treats removed parameters as not sent', () => {
    const before = createTickedParams({ temperature: '1', seed: '7', top_p: '0.5' });
    const { seed: _seed, ...rest } = before;
    const edit = createParamsEdit(before, { ...rest, temperature: { sent: true, text: '0.2' } });
    const otherSetup = createTestSetup({
      model: 'm',
      params: createTickedParams({ temperature: '2', top_p: '0.9', stop: 'END' }),
    });
    expect(edit(otherSetup)).toEqual({
      ...otherSetup,
      params: {
        ...otherSetup.params,
        temperature: { sent: true, text: '0.2' },
        seed: { sent: false, text: '7' },
      },
    });
  });
});
