import { describe, expect, it } from 'vitest';

import { anEnvironment, answered, aSession, laneOf, say } from '../../testing/builders.ts';
import { buildRequest } from '../request/request.ts';
import { addTurn, addPrompt } from './edit-session.ts';
import { copySession, readSession, reviveSession, type RawSession } from './read-session.ts';
import { pathOf } from './turn-tree.ts';
import type { SessionData } from './types.ts';

/** A conversation of two prompts, the second edited once. */
function aConversation(): SessionData {
  const environment = anEnvironment();
  const first = say(aSession(environment), environment, 'One', {
    ...answered('1'),
    usage: { totalTokens: 3 },
    notes: [{ kind: 'not-streamed', count: 1 }],
  });
  const second = say(first.data, environment, 'Two', answered('2'));
  const turn = second.data.turns[second.turnId];
  if (!turn?.parent) throw new Error('There is no turn');
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

/** As the database gives it back. */
function stored(data: SessionData): { [Kind in keyof RawSession]: RawSession[Kind] } {
  return structuredClone({
    session: data.session,
    lanes: Object.values(data.lanes),
    prompts: Object.values(data.prompts),
    turns: Object.values(data.turns),
    runs: Object.values(data.runs),
  });
}

describe('a stored session', () => {
  it('comes back as it was', () => {
    const data = aConversation();
    expect(reviveSession(stored(data))).toEqual({ data, unreadable: [] });
  });

  it('comes back with variables of any name', () => {
    const data = aConversation();
    const variables = { constructor: 'a', prototype: 'b', toString: 'c' };
    const raw = stored({ ...data, session: { ...data.session, variables } });
    expect(reviveSession(raw)?.data.session.variables).toEqual(variables);
  });

  it('comes back with errors and notes of kinds that only a newer version knows', () => {
    const data = aConversation();
    const raw = stored(data);
    const run = Object.values(data.runs)[0];
    const newer = {
      ...run,
      phase: {
        name: 'failed',
        error: { source: 'satellite', kind: 'solar-flare', message: 'The sun.', extra: 1 },
      },
      notes: [{ kind: 'seen-twice', count: 2 }],
      usage: { promptTokens: 1, cachedTokens: 9 },
    };
    const revived = reviveSession({ ...raw, runs: [newer, ...raw.runs.slice(1)] });
    expect(revived?.unreadable).toEqual([]);
    expect(revived?.data.runs[run?.id ?? '']).toMatchObject({
      phase: { error: { kind: 'solar-flare', message: 'The sun.' } },
      notes: [{ kind: 'seen-twice', count: 2 }],
      usage: { promptTokens: 1 },
    });
  });

  it.each(['lanes', 'prompts', 'turns', 'runs'] as const)(
    'sets one damaged record of its %s aside, raw and with the reason, and shows the others',
    (kind) => {
      const data = aConversation();
      const raw = stored(data);
      const damaged = { id: 'damaged', sessionId: data.session.id, half: true };
      const revived = reviveSession({ ...raw, [kind]: [damaged, null, ...raw[kind]] });
      expect(revived?.data).toEqual(data);
      expect(revived?.unreadable).toHaveLength(2);
      expect(revived?.unreadable[0]).toMatchObject({ kind: kind.slice(0, -1), id: 'damaged', raw: damaged });
      expect(revived?.unreadable[0]?.reason).not.toBe('');
      expect(revived?.unreadable[1]).toMatchObject({ id: 'no id', raw: null });
    },
  );

  it.each([9e15, -9e15, 1e308, Number.NaN])(
    'takes no session whose time %d no calendar knows',
    (updatedAt) => {
      const { session } = aConversation();
      expect(readSession({ ...session, updatedAt })).toBeUndefined();
      expect(readSession({ ...session, updatedAt: 8.64e15 })).toBeDefined();
    },
  );

  it('shows the newest of what is left where the end of the shown path cannot be read', () => {
    const data = aConversation();
    const raw = stored(data);
    const { tip } = laneOf(data);
    const turns = Object.values(data.turns).map((turn) => (turn.id === tip ? { ...turn, seq: 'x' } : turn));
    const revived = reviveSession({ ...raw, turns })?.data;
    if (!revived) throw new Error('The session is gone');
    const texts = pathOf(revived, laneOf(revived)).map(
      (turn) => revived.prompts[turn.promptId]?.messages[0]?.content,
    );
    expect(texts).toEqual(['One', 'Two']);
    const none = reviveSession({ ...raw, turns: [] })?.data;
    expect(none && laneOf(none)).not.toHaveProperty('tip');
  });

  it('keeps lanes that its own record does not name, and drops names without a lane', () => {
    const data = aConversation();
    const raw = stored(data);
    const laneId = laneOf(data).id;
    const revived = reviveSession({ ...raw, session: { ...data.session, laneIds: ['gone'] } });
    expect(revived?.data.session.laneIds).toEqual([laneId]);
  });

  it.each(['constructor', '__proto__', 'toString'])('knows no record called %s', (name) => {
    const data = aConversation();
    const raw = stored(data);
    const session = { ...data.session, laneIds: [...data.session.laneIds, name] };
    expect(reviveSession({ ...raw, session })).toBeUndefined();
    const lane = { ...laneOf(data), tip: name };
    expect(reviveSession({ ...raw, lanes: [lane] })?.unreadable).toHaveLength(1);
  });

  it('drops settings that are damaged or of rows that are gone, and keeps the rest as typed', () => {
    const data = aConversation();
    const lane = {
      ...laneOf(data),
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
    const revived = reviveSession({ ...stored(data), lanes: [lane] });
    expect(revived && laneOf(revived.data).setup.params).toEqual({
      temperature: { sent: true, text: '0.5' },
    });
  });

  it('is undefined where its own record cannot be read', () => {
    const raw = stored(aConversation());
    for (const session of [undefined, null, 'x', {}, { id: 'a' }]) {
      expect(reviveSession({ ...raw, session })).toBeUndefined();
      expect(readSession(session)).toBeUndefined();
    }
  });
});

describe('a copy of a session', () => {
  it('says the same under new ids, with nothing in common', () => {
    const data = aConversation();
    const environment = anEnvironment(1_800_000_000_000);
    let count = 0;
    const fresh = { now: environment.now, newId: () => `copy${(count += 1)}` };
    const { data: copy, runIds } = copySession(data, fresh, 'Mine (copy)');
    const ids = (of: SessionData): string[] => [
      of.session.id,
      ...[of.lanes, of.prompts, of.turns, of.runs].flatMap(Object.keys),
    ];
    const old = new Set(ids(data));
    expect(ids(copy).filter((id) => old.has(id))).toEqual([]);
    expect(ids(copy)).toHaveLength(old.size);
    for (const id of old) expect(JSON.stringify(copy)).not.toContain(`"${id}"`);
    expect(reviveSession(stored(copy))).toEqual({ data: copy, unreadable: [] });
    expect(copy.session.title).toBe('Mine (copy)');
    const body = (of: SessionData) => buildRequest(of, laneOf(of).setup, laneOf(of).tip ?? '');
    expect(body(copy)).toEqual(body(data));
    expect(
      runIds.map(([from, to]) => copy.runs[to]?.choices.length === data.runs[from]?.choices.length),
    ).toEqual([true, true, true]);
  });

  it('keeps the versions of a prompt together', () => {
    const data = aConversation();
    const { data: copy } = copySession(data, { now: () => 1, newId: anEnvironmentOfCopies() }, 'x');
    const replaced = Object.values(copy.prompts).flatMap(({ replaces }) => replaces ?? []);
    expect(replaced).toHaveLength(1);
    expect(copy.prompts).toHaveProperty(replaced[0] ?? 'none');
  });
});

function anEnvironmentOfCopies(): () => string {
  let count = 0;
  return () => `copy${(count += 1)}`;
}
