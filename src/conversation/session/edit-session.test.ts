import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  createTestEnvironment,
  createTextChoices,
  createTestSession,
  createTestTurn,
  createTestSetup,
  getFirstLane,
  addTestTurn,
  addTestReply,
} from '../../testing/builders.ts';
import { getCaseCount } from '../../testing/seeds.ts';
import {
  addPrompt,
  addTurn,
  changeTurn,
  getNextTurnParent,
  isEmptySession,
  createEmptySession,
  removeTurns,
  restoreTurns,
  withShownCandidate,
  withShownTurn,
  summarizeForHistory,
  type Environment,
  type Removal,
} from './edit-session.ts';
import { duplicateLane } from './lanes.ts';
import {
  getAnswerVersions,
  findNewestAnswer,
  getLanePath,
  getPromptVersions,
  getRunId,
} from './turn-tree.ts';
import type { SessionData, Turn } from './types.ts';

const createPromptInput = (content: string) => ({ messages: [{ role: 'user' as const, content }] });

/** Returns the shown turns of the first lane. */
function getShownTurns(data: SessionData): readonly Turn[] {
  return getLanePath(data, getFirstLane(data));
}

function regenerate(data: SessionData, environment: Environment, turn: Turn): SessionData {
  const turnInput = { promptId: turn.promptId, run: true, ...(turn.parent ? { parent: turn.parent } : {}) };
  return addTurn(data, environment, turn.laneId, turnInput).data;
}

function editPrompt(data: SessionData, environment: Environment, turn: Turn, text: string): SessionData {
  const prompted = addPrompt(data, environment, { ...createPromptInput(text), replaces: turn.promptId });
  const turnInput = {
    promptId: prompted.promptId,
    run: false,
    ...(turn.parent ? { parent: turn.parent } : {}),
  };
  return addTurn(prompted.data, environment, turn.laneId, turnInput).data;
}

/** Lists the states that are one click of a version or candidate stepper away from the shown turns. */
function listNeighbours(data: SessionData): SessionData[] {
  return getShownTurns(data).flatMap((turn) => [
    withShownCandidate(data, turn.id, 0),
    withShownCandidate(data, turn.id, 1),
    ...getAnswerVersions(data, turn).map((version) => withShownTurn(data, version)),
    ...getPromptVersions(data, turn).flatMap((prompt) => {
      const answer = findNewestAnswer(data, turn, prompt.id);
      return answer ? [withShownTurn(data, answer)] : [];
    }),
  ]);
}

/** Returns the IDs of all turns that the user can reach using only the steppers. */
function findReachableTurnIds(data: SessionData): Set<string> {
  const turnIds = new Set<string>();
  const visited = new Set<string | undefined>();
  const pending = [data];
  for (let state = pending.pop(); state; state = pending.pop()) {
    const { tip } = getFirstLane(state);
    if (visited.has(tip)) continue;
    visited.add(tip);
    for (const turn of getShownTurns(state)) turnIds.add(turn.id);
    pending.push(...listNeighbours(state));
  }
  return turnIds;
}

type Command = { action: 'send' | 'regenerate' | 'edit' | 'delete' | 'undo' | 'step'; index: number };

const commands: fc.Arbitrary<Command[]> = fc.array(
  fc.record({
    action: fc.constantFrom<Command['action'][]>(
      'send',
      'send',
      'regenerate',
      'edit',
      'delete',
      'undo',
      'step',
    ),
    index: fc.nat(20),
  }),
  { maxLength: 25 },
);

/** Performs random user commands. `removal` is the latest deletion that can still be undone. */
function performCommands(commandList: readonly Command[], check: (data: SessionData) => void): void {
  const environment = createTestEnvironment();
  let data = createTestSession(environment);
  let removal: Removal | undefined;
  for (const { action, index } of commandList) {
    const path = getShownTurns(data);
    const turn = path[index % Math.max(1, path.length)];
    if (action === 'send')
      data = addTestTurn(data, environment, `said ${index}`, createTextChoices('left', 'right')).data;
    else if (action === 'undo' && removal) {
      data = restoreTurns(data, removal);
      removal = undefined;
    } else if (turn && action === 'regenerate') data = regenerate(data, environment, turn);
    else if (turn && action === 'edit') data = editPrompt(data, environment, turn, `edited ${index}`);
    else if (turn && action === 'delete') {
      const removed = removeTurns(
        data,
        index % 2 === 0 ? [turn.id] : getAnswerVersions(data, turn).map(({ id }) => id),
      );
      data = removed.data;
      removal = removed.removal;
    } else if (action === 'step') {
      const next = listNeighbours(data);
      data = next[index % Math.max(1, next.length)] ?? data;
    }
    check(data);
  }
}

describe('random session edits', () => {
  it('keeps all remaining turns reachable after any edits', () => {
    fc.assert(
      fc.property(commands, (commandList) => {
        performCommands(commandList, (data) =>
          expect(findReachableTurnIds(data)).toEqual(new Set(Object.keys(data.turns))),
        );
      }),
      { numRuns: getCaseCount(300) },
    );
  });

  it('ends every lane at a leaf and leaves only an empty lane without a tip', () => {
    fc.assert(
      fc.property(commands, (commandList) => {
        performCommands(commandList, (data) => {
          const { tip } = getFirstLane(data);
          const end = data.turns[tip ?? ''];
          const childTurns = Object.values(data.turns).filter(
            ({ parent }) => parent?.turnId === tip && parent?.choice === (end?.shownChoice ?? 0),
          );
          expect(end?.id).toBe(tip);
          expect(tip === undefined).toBe(Object.keys(data.turns).length === 0);
          expect(end ? childTurns : []).toEqual([]);
        });
      }),
      { numRuns: getCaseCount(300) },
    );
  });

  it('shows on each turn the candidate from which the next turn continues', () => {
    fc.assert(
      fc.property(commands, (commandList) => {
        performCommands(commandList, (data) => {
          const path = getShownTurns(data);
          const parentChoices = path.slice(1).map(({ parent }) => parent?.choice);
          expect(parentChoices).toEqual(path.slice(0, -1).map(({ shownChoice }) => shownChoice ?? 0));
        });
      }),
      { numRuns: getCaseCount(300) },
    );
  });

  it('keeps the prompt and run of every turn and no unused records', () => {
    fc.assert(
      fc.property(commands, (commandList) => {
        performCommands(commandList, (data) => {
          const turns = Object.values(data.turns);
          const runIds = turns.flatMap((turn) => getRunId(turn) ?? []);
          expect(new Set(Object.keys(data.prompts))).toEqual(new Set(turns.map(({ promptId }) => promptId)));
          expect(new Set(Object.keys(data.runs))).toEqual(new Set(runIds));
          const parentIds = turns.flatMap(({ parent }) => parent?.turnId ?? []);
          expect(parentIds.filter((id) => !data.turns[id])).toEqual([]);
        });
      }),
      { numRuns: getCaseCount(200) },
    );
  });

  it('restores the exact state when a deletion is undone', () => {
    fc.assert(
      fc.property(commands, fc.nat(20), (commandList, index) => {
        let lastData = createTestSession(createTestEnvironment());
        performCommands(commandList, (data) => {
          lastData = data;
        });
        const turn = getShownTurns(lastData)[index % Math.max(1, getShownTurns(lastData).length)];
        if (!turn) return;
        const { data, removal } = removeTurns(lastData, [turn.id]);
        expect(data.turns).not.toHaveProperty(turn.id);
        expect(restoreTurns(data, removal)).toEqual(lastData);
      }),
      { numRuns: getCaseCount(300) },
    );
  });
});

describe('turn deletion', () => {
  it('shows the newest other version instead of a deleted turn', () => {
    const environment = createTestEnvironment();
    const first = createTestTurn(environment, 'One', createTextChoices('1'));
    const turn = first.data.turns[first.turnId];
    if (!turn) throw new Error('The turn is missing');
    const regenerated = regenerate(first.data, environment, turn);
    const childTurn = addTestTurn(regenerated, environment, 'Two', createTextChoices('2'));
    const tip = getFirstLane(regenerated).tip ?? '';
    const { data, removal } = removeTurns(childTurn.data, [tip]);
    expect(getShownTurns(data).map(({ id }) => id)).toEqual([first.turnId]);
    expect([removal.turns.length, removal.prompts.length, removal.runs.length]).toEqual([2, 1, 2]);
  });

  it('shows the parent if a deleted turn has no other version', () => {
    const environment = createTestEnvironment();
    const first = createTestTurn(environment, 'One', createTextChoices('1'));
    const second = addTestTurn(first.data, environment, 'Two', createTextChoices('2'));
    expect(getFirstLane(removeTurns(second.data, [second.turnId]).data).tip).toBe(first.turnId);
  });

  it('keeps a prompt that another lane uses', () => {
    const environment = createTestEnvironment();
    const data = createTestSession(environment, [createTestSetup(), createTestSetup()]);
    const prompted = addPrompt(data, environment, createPromptInput('Both'));
    const [left = '', right = ''] = data.session.laneIds;
    const leftTurn = addTurn(prompted.data, environment, left, { promptId: prompted.promptId, run: true });
    const rightTurn = addTurn(leftTurn.data, environment, right, { promptId: prompted.promptId, run: true });
    const { data: remaining, removal } = removeTurns(rightTurn.data, [leftTurn.turnId]);
    expect(Object.keys(remaining.prompts)).toEqual([prompted.promptId]);
    expect(remaining.lanes[right]?.tip).toBe(rightTurn.turnId);
    expect(remaining.lanes[left]).not.toHaveProperty('tip');
    expect(removal.prompts).toEqual([]);
  });

  it('keeps the prompt version that another lane shows', () => {
    const environment = createTestEnvironment();
    const data = createTestSession(environment, [createTestSetup(), createTestSetup()]);
    const prompted = addPrompt(data, environment, createPromptInput('Both'));
    const [left = '', right = ''] = data.session.laneIds;
    const turnInput = { promptId: prompted.promptId, run: true } as const;
    const leftTurn = addTurn(prompted.data, environment, left, turnInput);
    const rightTurn = addTurn(leftTurn.data, environment, right, turnInput);
    const olderTurn = rightTurn.data.turns[rightTurn.turnId];
    if (!olderTurn) throw new Error('The turn is missing');
    const shownAgain = withShownTurn(regenerate(rightTurn.data, environment, olderTurn), olderTurn);
    const { data: remaining, removal } = removeTurns(shownAgain, [leftTurn.turnId]);
    expect(remaining.lanes[right]).toBe(shownAgain.lanes[right]);
    expect(removal.tips).toEqual([{ laneId: left, tip: leftTurn.turnId }]);
  });

  it('keeps earlier and later versions reachable after a version between them is deleted', () => {
    const environment = createTestEnvironment();
    const first = createTestTurn(environment, 'One').data;
    const getTopTurn = (data: SessionData): Turn => {
      const turn = getShownTurns(data)[0];
      if (!turn) throw new Error('The turn is missing');
      return turn;
    };
    const second = editPrompt(first, environment, getTopTurn(first), 'Two');
    const third = editPrompt(second, environment, getTopTurn(second), 'Three');
    const { data } = removeTurns(third, [getTopTurn(second).id]);
    expect(getPromptVersions(data, getTopTurn(data)).map(({ messages }) => messages[0]?.content)).toEqual([
      'One',
      'Three',
    ]);
  });

  it('shows the candidate that a restored turn continues from, even if another candidate was selected meanwhile', () => {
    const environment = createTestEnvironment();
    const first = createTestTurn(environment, 'One', createTextChoices('left', 'right'));
    const second = addTestTurn(first.data, environment, 'Two', createTextChoices('2'));
    const { data, removal } = removeTurns(second.data, [second.turnId]);
    const restored = restoreTurns(withShownCandidate(data, first.turnId, 1), removal);
    expect(getFirstLane(restored).tip).toBe(second.turnId);
    expect(restored.turns[first.turnId]?.shownChoice ?? 0).toBe(0);
  });

  it('keeps a run shared with a copied lane until the last turn that uses it is deleted', () => {
    const environment = createTestEnvironment();
    const first = createTestTurn(environment, 'One', createTextChoices('1'));
    const copied = duplicateLane(first.data, environment, getFirstLane(first.data).id);
    const { data, removal } = removeTurns(copied, [first.turnId]);
    expect(removal.runs).toEqual([]);
    expect(data.runs).toHaveProperty(first.runId);
    expect(restoreTurns(data, removal)).toEqual(copied);
    const fullRemoval = removeTurns(copied, Object.keys(copied.turns));
    expect(fullRemoval.removal.runs.map(({ id }) => id)).toEqual([first.runId]);
    expect(fullRemoval.data.runs).toEqual({});
  });

  it('keeps the restored and the new turn reachable if a deletion is undone after another prompt', () => {
    const environment = createTestEnvironment();
    const first = createTestTurn(environment, 'One');
    const { data, removal } = removeTurns(first.data, [first.turnId]);
    const otherTurn = addTestTurn(data, environment, 'Two');
    expect(findReachableTurnIds(restoreTurns(otherTurn.data, removal))).toEqual(
      new Set([first.turnId, otherTurn.turnId]),
    );
  });
});

describe('new turn', () => {
  it('adds a turn after the shown candidate with a queued run of the current setup', () => {
    const environment = createTestEnvironment();
    const first = createTestTurn(environment, 'One', createTextChoices('a', 'b'));
    const chosen = changeTurn(first.data, first.turnId, (turn) => ({ ...turn, shownChoice: 1 }));
    expect(getNextTurnParent(chosen, getFirstLane(chosen).id)).toEqual({ turnId: first.turnId, choice: 1 });
    const prompted = addPrompt(chosen, environment, createPromptInput('Two'));
    const { data, turnId, runId } = addTestReply(prompted.data, environment, prompted.promptId, {
      phase: { name: 'queued' },
    });
    expect(data.turns[turnId]).toMatchObject({
      parent: { turnId: first.turnId, choice: 1 },
      reply: { kind: 'run', runId },
    });
    expect(data.runs[runId]?.setup).toEqual(getFirstLane(data).setup);
    expect(getFirstLane(data).tip).toBe(turnId);
  });

  it('throws for an unknown lane', () => {
    const environment = createTestEnvironment();
    const prompted = addPrompt(createTestSession(environment), environment, createPromptInput('One'));
    expect(() =>
      addTurn(prompted.data, environment, 'none', { promptId: prompted.promptId, run: true }),
    ).toThrow('none');
  });
});

describe('session', () => {
  it('derives the title from the first prompt unless the user set one', () => {
    const environment = createTestEnvironment();
    const data = createEmptySession(environment, [createTestSetup()]);
    expect(isEmptySession(data)).toBe(true);
    const named = addTestTurn(addTestTurn(data, environment, 'First words').data, environment, 'Others').data;
    expect(named.session.title).toBe('First words');
    expect(isEmptySession(named)).toBe(false);
    const titled: SessionData = { ...data, session: { ...data.session, title: 'Mine', titled: true } };
    expect(addTestTurn(titled, environment, 'First words').data.session.title).toBe('Mine');
  });

  it('summarises models in order of use, prompts, tokens and marks for the history', () => {
    const environment = createTestEnvironment();
    const first = createTestTurn(environment, 'One', {
      usage: { totalTokens: 5 },
    });
    const second = addTestTurn(first.data, environment, 'Two');
    expect(summarizeForHistory(second.data)).toEqual({ models: ['demo/guide'], prompts: 2, tokens: 5 });
    expect(summarizeForHistory(createTestTurn(environment, 'One').data)).toEqual({
      models: ['demo/guide'],
      prompts: 1,
    });
    const marked = changeTurn(second.data, second.turnId, (turn) => ({ ...turn, remark: { mark: 'good' } }));
    expect(summarizeForHistory(marked).marks).toEqual(['good']);
  });

  it('keeps the identity of unchanged records', () => {
    const environment = createTestEnvironment();
    const first = createTestTurn(environment, 'One', createTextChoices('1'));
    const second = addTestTurn(first.data, environment, 'Two');
    expect(second.data.turns[first.turnId]).toBe(first.data.turns[first.turnId]);
    expect(second.data.runs[first.runId]).toBe(first.data.runs[first.runId]);
    const { data } = removeTurns(second.data, [second.turnId]);
    expect(data.turns[first.turnId]).toBe(first.data.turns[first.turnId]);
  });
});
