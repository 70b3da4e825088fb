import { describe, expect, it } from 'vitest';

import { anEnvironment, aSession, laneOf, say } from '../../testing/builders.ts';
import { addPrompt, addTurn } from './edit-session.ts';
import {
  answerVersions,
  bySeq,
  laneLetter,
  newestLeaf,
  pathOf,
  pathTo,
  promptVersions,
  promptVersionsOf,
  sameParent,
  subtreeOf,
  turnsOf,
} from './turn-tree.ts';
import type { SessionData, Turn } from './types.ts';

/** One, then below it Two answered twice. */
function aTree(): { data: SessionData; first: Turn; second: Turn; again: Turn } {
  const environment = anEnvironment();
  const one = say(aSession(environment), environment, 'One');
  const two = say(one.data, environment, 'Two');
  const [first, second] = [two.data.turns[one.turnId], two.data.turns[two.turnId]];
  if (!first || !second?.parent) throw new Error('There is no turn');
  const added = addTurn(two.data, environment, first.laneId, {
    promptId: second.promptId,
    parent: second.parent,
    run: true,
  });
  const again = added.data.turns[added.turnId];
  if (!again) throw new Error('There is no turn');
  return { data: added.data, first, second, again };
}

it('two turns hang in one place where both the turn above and its candidate are the same', () => {
  const { first, second, again } = aTree();
  expect(sameParent(second, again)).toBe(true);
  expect(sameParent(second, { ...again, parent: { turnId: first.id, choice: 1 } })).toBe(false);
  expect(sameParent(second, { ...again, parent: { turnId: 'another', choice: 0 } })).toBe(false);
  expect(sameParent(first, second)).toBe(false);
});

it('things have the order in which they were said, and ids decide where that is the same', () => {
  const said = [
    { id: 'b', seq: 2 },
    { id: 'z', seq: 1 },
    { id: 'a', seq: 2 },
  ];
  for (const each of [said, said.toReversed()])
    expect(each.toSorted(bySeq).map(({ id }) => id)).toEqual(['z', 'a', 'b']);
});

describe('a lane', () => {
  it('shows the path to its end', () => {
    const { data, first, again } = aTree();
    expect(pathOf(data, laneOf(data))).toEqual([first, again]);
    expect(pathOf(data, { id: 'empty', sessionId: 's', setup: laneOf(data).setup })).toEqual([]);
  });

  it('has versions of an answer: same place, same prompt, the oldest first', () => {
    const { data, first, second, again } = aTree();
    expect(answerVersions(data, second)).toEqual([second, again]);
    expect(answerVersions(data, first)).toEqual([first]);
  });

  it('has versions of a prompt: all that were said at its place, the oldest first', () => {
    const environment = anEnvironment();
    const { data, first, second } = aTree();
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
    expect(promptVersions(added.data, second).map(({ id }) => id)).toEqual(ids);
    expect(promptVersions(added.data, first).map(({ id }) => id)).toEqual([first.promptId]);
    expect(promptVersionsOf(added.data, [second, first]).map(({ id }) => id)).toEqual([
      first.promptId,
      ...ids,
    ]);
    expect(promptVersionsOf(added.data, [])).toEqual([]);
  });

  it('has no versions of each other below two candidates of one answer', () => {
    const environment = anEnvironment();
    const { data, first, second } = aTree();
    const where = { promptId: second.promptId, parent: { turnId: first.id, choice: 1 }, run: true };
    const added = addTurn(
      data,
      { now: environment.now, newId: () => `other${environment.newId()}` },
      first.laneId,
      where,
    );
    const other = added.data.turns[added.turnId];
    expect(other && answerVersions(added.data, other)).toEqual([other]);
    expect(answerVersions(added.data, second)).toHaveLength(2);
    expect(newestLeaf(added.data, first.id)).not.toBe(added.turnId);
  });

  it('has a newest turn below each, and everything below each', () => {
    const { data, first, second, again } = aTree();
    expect(newestLeaf(data, first.id)).toBe(again.id);
    expect(newestLeaf(data, second.id)).toBe(second.id);
    expect(subtreeOf(data, [first.id])).toEqual([first, second, again]);
    expect(subtreeOf(data, [second.id])).toEqual([second]);
  });

  it('is read to an end where damaged records hang below each other', () => {
    const { data, first, second, again } = aTree();
    const looped: SessionData = {
      ...data,
      turns: { ...data.turns, [first.id]: { ...first, parent: { turnId: again.id, choice: 0 } } },
    };
    expect(pathTo(looped, again.id).map(({ id }) => id)).toEqual([first.id, again.id]);
    expect([first.id, again.id]).toContain(newestLeaf(looped, second.id === again.id ? second.id : first.id));
    const own: SessionData = {
      ...data,
      turns: { [first.id]: { ...first, parent: { turnId: first.id, choice: 0 } } },
    };
    expect(newestLeaf(own, first.id)).toBe(first.id);
  });

  it('is read from the gap on where a turn is missing', () => {
    const { data, first, again } = aTree();
    const { [first.id]: _, ...turns } = data.turns;
    expect(pathTo({ ...data, turns }, again.id)).toEqual([again]);
    expect(pathTo({ ...data, turns }, first.id)).toEqual([]);
  });

  it('has a letter by its position', () => {
    expect([0, 1, 5].map(laneLetter)).toEqual(['A', 'B', 'F']);
  });
});

it('turns are found by their ids, without those that are gone', () => {
  const { data, first, again } = aTree();
  expect(turnsOf(data, [again.id, 'gone', first.id])).toEqual([again, first]);
});
