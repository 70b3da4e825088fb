import { describe, expect, it } from 'vitest';

import {
  createTestEnvironment,
  createTextChoices,
  createTestTurn,
  getFirstLane,
  addTestTurn,
} from '../../testing/builders.ts';
import { buildRequest } from '../request/request.ts';
import { addTurn, addPrompt } from './edit-session.ts';
import { copySession, readSessionRecord, readStoredSession, type RawSession } from './read-session.ts';
import { getLanePath } from './turn-tree.ts';
import type { SessionData } from './types.ts';

/** Creates a conversation with two prompts, the second of which was edited once. */
function createConversation(): SessionData {
  const environment = createTestEnvironment();
  const first = createTestTurn(environment, 'One', {
    ...createTextChoices('1'),
    usage: { totalTokens: 3 },
    notes: [{ kind: 'not-streamed', count: 1 }],
  });
  const second = addTestTurn(first.data, environment, 'Two', createTextChoices('2'));
  const turn = second.data.turns[second.turnId];
  if (!turn?.parent) throw new Error('The turn is missing');
  const edited = addPrompt(second.data, environment, {
    messages: [{ role: 'user', content: 'Two, edited' }],
    replaces: turn.promptId,
    results: [{ call: { name: 'add', ordinal: 0 }, content: '3' }],
  });
  return addTurn(edited.data, environment, turn.laneId, {
    promptId: edited.promptId,
    parent: turn.parent,
    run: true,
  }).data;
}

/** Returns the session in the form in which the database returns it. */
function toRawSession(data: SessionData): { [Kind in keyof RawSession]: RawSession[Kind] } {
  return structuredClone({
    session: data.session,
    lanes: Object.values(data.lanes),
    prompts: Object.values(data.prompts),
    turns: Object.values(data.turns),
    runs: Object.values(data.runs),
  });
}

describe('stored session', () => {
  it('restores a stored session unchanged', () => {
    const data = createConversation();
    expect(readStoredSession(toRawSession(data))).toEqual({ data, unreadable: [] });
  });

  it('restores variables with any name', () => {
    const data = createConversation();
    const variables = { constructor: 'a', prototype: 'b', toString: 'c' };
    const raw = toRawSession({ ...data, session: { ...data.session, variables } });
    expect(readStoredSession(raw)?.data.session.variables).toEqual(variables);
  });

  it('keeps error and note kinds from newer versions', () => {
    const data = createConversation();
    const raw = toRawSession(data);
    const run = Object.values(data.runs)[0];
    const newerRun = {
      ...run,
      phase: {
        name: 'failed',
        error: { source: 'satellite', kind: 'solar-flare', message: 'The sun.', extra: 1 },
      },
      notes: [{ kind: 'seen-twice', count: 2 }],
      usage: { promptTokens: 1, cachedTokens: 9 },
    };
    const revived = readStoredSession({ ...raw, runs: [newerRun, ...raw.runs.slice(1)] });
    expect(revived?.unreadable).toEqual([]);
    expect(revived?.data.runs[run?.id ?? '']).toMatchObject({
      phase: { error: { kind: 'solar-flare', message: 'The sun.' } },
      notes: [{ kind: 'seen-twice', count: 2 }],
      usage: { promptTokens: 1 },
    });
  });

  it.each(['lanes', 'prompts', 'turns', 'runs'] as const)(
    'reports a damaged record in %s with its raw data and reads all other records',
    (kind) => {
      const data = createConversation();
      const raw = toRawSession(data);
      const damaged = { id: 'damaged', sessionId: data.session.id, half: true };
      const revived = readStoredSession({ ...raw, [kind]: [damaged, null, ...raw[kind]] });
      expect(revived?.data).toEqual(data);
      expect(revived?.unreadable).toHaveLength(2);
      expect(revived?.unreadable[0]).toMatchObject({ kind: kind.slice(0, -1), id: 'damaged', raw: damaged });
      expect(revived?.unreadable[0]?.reason).not.toBe('');
      expect(revived?.unreadable[1]).toMatchObject({ id: 'no id', raw: null });
    },
  );

  it.each([9e15, -9e15, 1e308, Number.NaN])('rejects a session with the invalid time %d', (updatedAt) => {
    const { session } = createConversation();
    expect(readSessionRecord({ ...session, updatedAt })).toBeUndefined();
    expect(readSessionRecord({ ...session, updatedAt: 8.64e15 })).toBeDefined();
  });

  it('shows the newest remaining turn if the tip is unreadable', () => {
    const data = createConversation();
    const raw = toRawSession(data);
    const { tip } = getFirstLane(data);
    const turns = Object.values(data.turns).map((turn) => (turn.id === tip ? { ...turn, seq: 'x' } : turn));
    const revived = readStoredSession({ ...raw, turns })?.data;
    if (!revived) throw new Error('The session is missing');
    const texts = getLanePath(revived, getFirstLane(revived)).map(
      (turn) => revived.prompts[turn.promptId]?.messages[0]?.content,
    );
    expect(texts).toEqual(['One', 'Two']);
    const none = readStoredSession({ ...raw, turns: [] })?.data;
    expect(none && getFirstLane(none)).not.toHaveProperty('tip');
  });

  it('adds unlisted lanes to the session and drops IDs without a lane', () => {
    const data = createConversation();
    const raw = toRawSession(data);
    const laneId = getFirstLane(data).id;
    const revived = readStoredSession({ ...raw, session: { ...data.session, laneIds: ['gone'] } });
    expect(revived?.data.session.laneIds).toEqual([laneId]);
  });

  it.each(['constructor', '__proto__', 'toString'])('rejects references to a record called %s', (name) => {
    const data = createConversation();
    const raw = toRawSession(data);
    const session = { ...data.session, laneIds: [...data.session.laneIds, name] };
    expect(readStoredSession({ ...raw, session })).toBeUndefined();
    const lane = { ...getFirstLane(data), tip: name };
    expect(readStoredSession({ ...raw, lanes: [lane] })?.unreadable).toHaveLength(1);
  });

  it('drops damaged and obsolete settings and keeps the rest as typed', () => {
    const data = createConversation();
    const lane = {
      ...getFirstLane(data),
      setup: {
        model: 'm',
        system: '',
        params: {
          temperature: { sent: true, text: '0.5' },
          top_p: 3,
          mirostat: { sent: true, text: '2' },
          stop: { sent: 1 },
        },
      },
    };
    const revived = readStoredSession({ ...toRawSession(data), lanes: [lane] });
    expect(revived && getFirstLane(revived.data).setup.params).toEqual({
      temperature: { sent: true, text: '0.5' },
    });
  });

  it('returns undefined if the session record is unreadable', () => {
    const raw = toRawSession(createConversation());
    for (const session of [undefined, null, 'x', {}, { id: 'a' }]) {
      expect(readStoredSession({ ...raw, session })).toBeUndefined();
      expect(readSessionRecord(session)).toBeUndefined();
    }
  });
});

describe('session copy', () => {
  it('copies all content under new IDs without shared records', () => {
    const data = createConversation();
    const environment = createTestEnvironment(1_800_000_000_000);
    let count = 0;
    const copyEnvironment = { now: environment.now, newId: () => `copy${(count += 1)}` };
    const { data: copy, runIds } = copySession(data, copyEnvironment, 'Mine (copy)');
    const listIds = (source: SessionData): string[] => [
      source.session.id,
      ...[source.lanes, source.prompts, source.turns, source.runs].flatMap(Object.keys),
    ];
    const oldIds = new Set(listIds(data));
    expect(listIds(copy).filter((id) => oldIds.has(id))).toEqual([]);
    expect(listIds(copy)).toHaveLength(oldIds.size);
    for (const id of oldIds) expect(JSON.stringify(copy)).not.toContain(`"${id}"`);
    expect(readStoredSession(toRawSession(copy))).toEqual({ data: copy, unreadable: [] });
    expect(copy.session.title).toBe('Mine (copy)');
    const buildBody = (source: SessionData) =>
      buildRequest(source, getFirstLane(source).setup, getFirstLane(source).tip ?? '');
    expect(buildBody(copy)).toEqual(buildBody(data));
    expect(
      runIds.map(([from, to]) => copy.runs[to]?.choices.length === data.runs[from]?.choices.length),
    ).toEqual([true, true, true]);
  });

  it('keeps the versions of a prompt linked', () => {
    const data = createConversation();
    const { data: copy } = copySession(data, { now: () => 1, newId: createCopyIdGenerator() }, 'x');
    const replacedIds = Object.values(copy.prompts).flatMap(({ replaces }) => replaces ?? []);
    expect(replacedIds).toHaveLength(1);
    expect(copy.prompts).toHaveProperty(replacedIds[0] ?? 'none');
  });
});

function createCopyIdGenerator(): () => string {
  let count = 0;
  return () => `copy${(count += 1)}`;
}
