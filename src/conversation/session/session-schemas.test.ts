/** Tests that changing one field of a valid record makes the schema accept or reject the whole record. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';

import type { ErrorReport } from '../../gateway/errors/errors.ts';
import { createTestSetup } from '../../testing/builders.ts';
import { createRun } from '../reply/run.ts';
import { runSchema, sessionSchema, setupSchema, toStoredTurn, turnSchema } from './session-schemas.ts';
import type { Turn } from './types.ts';

const report: Required<ErrorReport> = {
  source: 'gateway',
  kind: 'rate-limited',
  message: 'm',
  status: 429,
  type: 't',
  code: 'c',
  requestId: 'r',
  raw: '{}',
  retryAfterMs: 5,
  requestBytes: 7,
  fields: [{ path: 'p', message: 'm' }],
};
const createFailedRun = (error: object) => ({
  ...createRun('r', 's', createTestSetup()),
  phase: { name: 'failed', error },
});
const isRun = (value: unknown) => v.is(runSchema, value);

describe('stored error', () => {
  it('accepts an error with all fields or only the required ones', () => {
    expect(isRun(createFailedRun(report))).toBe(true);
    expect(isRun(createFailedRun({ source: 'x', kind: 'y', message: '' }))).toBe(true);
  });

  it.each(['message', 'kind', 'source'])('rejects an error without %s', (name) => {
    const { [name]: _, ...rest } = Object.fromEntries(Object.entries(report));
    expect(isRun(createFailedRun(rest))).toBe(false);
  });

  it.each(['message', 'kind', 'source', 'type', 'code', 'requestId', 'raw'])(
    'rejects an error whose %s is not a string',
    (name) => {
      expect(isRun(createFailedRun({ ...report, [name]: 7 }))).toBe(false);
    },
  );

  it.each(['status', 'retryAfterMs'])('rejects an error whose %s is not a number', (name) => {
    expect(isRun(createFailedRun({ ...report, [name]: '7' }))).toBe(false);
  });

  it('requires the fields of an error to be a list of paths and messages', () => {
    for (const fields of [null, {}, ['p'], [{ path: 'p' }], [{ path: 1, message: 'm' }]])
      expect(isRun(createFailedRun({ ...report, fields })), JSON.stringify(fields)).toBe(false);
    expect(isRun(createFailedRun({ ...report, fields: [] }))).toBe(true);
  });
});

describe('stored note', () => {
  const isRunWithNote = (note: unknown) =>
    isRun({ ...createRun('r', 's', createTestSetup()), notes: [note] });

  it('requires a kind and a count in a note and allows a detail', () => {
    expect(isRunWithNote({ kind: 'from-the-future', count: 1, detail: 'd' })).toBe(true);
    expect(isRunWithNote({ kind: 'after-done', count: 1 })).toBe(true);
    for (const note of [
      null,
      {},
      { kind: 'x' },
      { count: 1 },
      { kind: 'x', count: '1' },
      { kind: 'x', count: 1, detail: 2 },
    ])
      expect(isRunWithNote(note), JSON.stringify(note)).toBe(false);
  });
});

describe('stored session', () => {
  const session = { id: 's', title: '', createdAt: 0, updatedAt: 0, laneIds: ['l'] };

  it('accepts IDs of 1 to 200 characters except inherited property names', () => {
    const isSession = (id: unknown) => v.is(sessionSchema, { ...session, id });
    expect(['s', 'x'.repeat(200)].map(isSession)).toEqual([true, true]);
    for (const id of ['', 'x'.repeat(201), 'constructor', '__proto__', 7, undefined])
      expect(isSession(id), String(id)).toBe(false);
  });

  it('requires times in the range of Date and variables with text values', () => {
    const isSession = (changes: object) => v.is(sessionSchema, { ...session, ...changes });
    expect(isSession({ createdAt: 8.64e15, updatedAt: -8.64e15 })).toBe(true);
    expect(isSession({ createdAt: 8.64e15 + 2 })).toBe(false);
    expect(isSession({ variables: { constructor: 'x', a: '' } })).toBe(true);
    expect(isSession({ variables: { a: 1 } })).toBe(false);
    expect(isSession({ variables: ['a'] })).toBe(false);
  });
});

it('accepts only non-negative integers as the sequence number of a turn', () => {
  const turn = { id: 't', sessionId: 's', laneId: 'l', seq: 0, promptId: 'p' };
  const isTurn = (seq: unknown) => v.is(turnSchema, { ...turn, seq });
  expect([0, 1].map(isTurn)).toEqual([true, true]);
  for (const seq of [-1, 0.5, '0', undefined, 2 ** 53, 1e308]) expect(isTurn(seq), String(seq)).toBe(false);
});

it('explains what is missing in an invalid setup', () => {
  const result = v.safeParse(setupSchema, { model: 'm' });
  expect(result.issues?.map((issue) => issue.message)).toEqual([
    'Not a setup: model, system and params are required',
  ]);
  expect(v.is(setupSchema, createTestSetup())).toBe(true);
});

describe('stored turn', () => {
  const baseTurn: Turn = { id: 't', sessionId: 's', laneId: 'l', seq: 1, promptId: 'p' };
  const message = { role: 'assistant' as const, content: 'By hand' };

  it.each<[string, Turn, object]>([
    ['no reply', baseTurn, baseTurn],
    ['a run', { ...baseTurn, reply: { kind: 'run', runId: 'r' } }, { ...baseTurn, reply: { runId: 'r' } }],
    [
      'a written answer',
      { ...baseTurn, shownChoice: 1, reply: { kind: 'written', message } },
      { ...baseTurn, shownChoice: 1, reply: { written: message } },
    ],
  ])('writes and reads a turn with %s in the original stored form', (_, turn, record) => {
    expect(toStoredTurn(turn)).toEqual(record);
    expect(v.parse(turnSchema, record)).toEqual(turn);
  });

  it('rejects a turn with an unknown kind of reply', () => {
    for (const reply of [{}, { kind: 'run' }, { runId: 7 }, { written: 'x' }, 'r'])
      expect(v.is(turnSchema, { ...baseTurn, reply }), JSON.stringify(reply)).toBe(false);
  });
});
