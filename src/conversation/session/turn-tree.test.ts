import { describe, expect, it } from 'vitest';

import { createTestEnvironment, createTestTurn, getFirstLane, addTestTurn } from '../../testing/builders.ts';
import { addPrompt, addTurn } from './edit-session.ts';
import {
  getAnswerVersions,
  compareSeq,
  getLaneLetter,
  findNewestLeaf,
  getLanePath,
  getPathTo,
  getPromptVersions,
  getRowPromptVersions,
  hasSameParent,
  getSubtree,
  getTurns,
} from './turn-tree.ts';
import type { SessionData, Turn } from './types.ts';

/** Creates the turn One, followed by Two with two answers. */
function createTree(): { data: SessionData; first: Turn; second: Turn; secondVersion: Turn } {
  const environment = createTestEnvironment();
  const one = createTestTurn(environment, 'One');
  const two = addTestTurn(one.data, environment, 'Two');
  const [first, second] = [two.data.turns[one.turnId], two.data.turns[two.turnId]];
  if (!first || !second?.parent) throw new Error('The turn is missing');
  const added = addTurn(two.data, environment, first.laneId, {
    promptId: second.promptId,
    parent: second.parent,
    run: true,
  });
  const secondVersion = added.data.turns[added.turnId];
  if (!secondVersion) throw new Error('The turn is missing');
  return { data: added.data, first, second, secondVersion };
}

it('compares parents by turn and candidate', () => {
  const { first, second, secondVersion } = createTree();
  expect(hasSameParent(second, secondVersion)).toBe(true);
  expect(hasSameParent(second, { ...secondVersion, parent: { turnId: first.id, choice: 1 } })).toBe(false);
  expect(hasSameParent(second, { ...secondVersion, parent: { turnId: 'another', choice: 0 } })).toBe(false);
  expect(hasSameParent(first, second)).toBe(false);
});

it('sorts by sequence number, then by ID', () => {
  const records = [
    { id: 'b', seq: 2 },
    { id: 'z', seq: 1 },
    { id: 'a', seq: 2 },
  ];
  for (const list of [records, records.toReversed()])
    expect(list.toSorted(compareSeq).map(({ id }) => id)).toEqual(['z', 'a', 'b']);
});

describe('lane path and versions', () => {
  it('returns the path to the tip', () => {
    const { data, first, secondVersion } = createTree();
    expect(getLanePath(data, getFirstLane(data))).toEqual([first, secondVersion]);
    expect(getLanePath(data, { id: 'empty', sessionId: 's', setup: getFirstLane(data).setup })).toEqual([]);
  });

  it('returns the versions of an answer, oldest first', () => {
    const { data, first, second, secondVersion } = createTree();
    expect(getAnswerVersions(data, second)).toEqual([second, secondVersion]);
    expect(getAnswerVersions(data, first)).toEqual([first]);
  });

  it('returns all versions of a prompt at its position, oldest first', () => {
    const environment = createTestEnvironment();
    const { data, first, second } = createTree();
    const edited = addPrompt(
      data,
      { ...environment, newId: () => `other${environment.newId()}` },
      {
        messages: [{ role: 'user', content: 'Two, edited' }],
        replaces: second.promptId,
      },
    );
    const added = addTurn(
      edited.data,
      { ...environment, newId: () => `other${environment.newId()}` },
      first.laneId,
      {
        promptId: edited.promptId,
        ...(second.parent ? { parent: second.parent } : {}),
        run: true,
      },
    );
    const ids = [second.promptId, edited.promptId];
    expect(getPromptVersions(added.data, second).map(({ id }) => id)).toEqual(ids);
    expect(getPromptVersions(added.data, first).map(({ id }) => id)).toEqual([first.promptId]);
    expect(getRowPromptVersions(added.data, [second, first]).map(({ id }) => id)).toEqual([
      first.promptId,
      ...ids,
    ]);
    expect(getRowPromptVersions(added.data, [])).toEqual([]);
  });

  it('separates the versions below two candidates of an answer', () => {
    const environment = createTestEnvironment();
    const { data, first, second } = createTree();
    const turnInput = { promptId: second.promptId, parent: { turnId: first.id, choice: 1 }, run: true };
    const added = addTurn(
      data,
      { now: environment.now, newId: () => `other${environment.newId()}` },
      first.laneId,
      turnInput,
    );
    const otherTurn = added.data.turns[added.turnId];
    expect(otherTurn && getAnswerVersions(added.data, otherTurn)).toEqual([otherTurn]);
    expect(getAnswerVersions(added.data, second)).toHaveLength(2);
    expect(findNewestLeaf(added.data, first.id)).not.toBe(added.turnId);
  });

  it('finds the newest leaf and the subtree of a turn', () => {
    const { data, first, second, secondVersion } = createTree();
    expect(findNewestLeaf(data, first.id)).toBe(secondVersion.id);
    expect(findNewestLeaf(data, second.id)).toBe(second.id);
    expect(getSubtree(data, [first.id])).toEqual([first, second, secondVersion]);
    expect(getSubtree(data, [second.id])).toEqual([second]);
  });

  it('terminates if damaged turns form a cycle', () => {
    const { data, first, second, secondVersion } = createTree();
    const looped: SessionData = {
      ...data,
      turns: { ...data.turns, [first.id]: { ...first, parent: { turnId: secondVersion.id, choice: 0 } } },
    };
    expect(getPathTo(looped, secondVersion.id).map(({ id }) => id)).toEqual([first.id, secondVersion.id]);
    expect([first.id, secondVersion.id]).toContain(
      findNewestLeaf(looped, second.id === secondVersion.id ? second.id : first.id),
    );
    const selfParented: SessionData = {
      ...data,
      turns: { [first.id]: { ...first, parent: { turnId: first.id, choice: 0 } } },
    };
    expect(findNewestLeaf(selfParented, first.id)).toBe(first.id);
  });

  it('starts the path after a missing turn', () => {
    const { data, first, secondVersion } = createTree();
    const { [first.id]: _, ...turns } = data.turns;
    expect(getPathTo({ ...data, turns }, secondVersion.id)).toEqual([secondVersion]);
    expect(getPathTo({ ...data, turns }, first.id)).toEqual([]);
  });

  it('derives the lane letter from the position', () => {
    expect([0, 1, 5].map(getLaneLetter)).toEqual(['A', 'B', 'F']);
  });
});

it('returns turns by ID and skips missing ones', () => {
  const { data, first, secondVersion } = createTree();
  expect(getTurns(data, [secondVersion.id, 'gone', first.id])).toEqual([secondVersion, first]);
});
