import { describe, expect, it } from 'vitest';

import { foldTape } from '../../conversation/reply/fold-tape.ts';
import { resetRun, getAnswerText } from '../../conversation/reply/run.ts';
import { addManualReply } from '../../conversation/request/manual-messages.ts';
import { addTurn } from '../../conversation/session/edit-session.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { createMemoryRecordStore } from '../../storage/memory-record-store.ts';
import {
  createTestEnvironment,
  createTestSession,
  createTestSetup,
  getFirstLane,
  addTestTurn,
} from '../../testing/builders.ts';
import { buildSessionWrites } from '../sessions/autosave.ts';
import { createLibraryExport } from '../sessions/library-export.ts';
import { importText } from '../sessions/library-import.ts';
import { createLibrary } from '../sessions/library.ts';
import { createSessionStore } from '../sessions/session-store.ts';
import { exportTapes } from './tape-files.ts';

const tape: TapeEntry[] = [
  {
    at: 0,
    request: { model: 'north/one', messages: [{ role: 'user', content: 'Hi' }], stream: true },
    requestId: 'q',
  },
  { at: 12.5, status: 200, headers: { 'content-type': 'text/event-stream' } },
  { at: 30.25, data: '{"choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":"stop"}]}' },
  { at: 31, data: '[DONE]' },
  { at: 32, end: 'closed' },
];

async function createTestStore() {
  const environment = createTestEnvironment();
  const records = createMemoryRecordStore();
  const library = createLibrary(records, environment, () => Promise.resolve(new Set()));
  return {
    environment,
    records,
    library,
    exporter: createLibraryExport(library, records, createSessionStore()),
  };
}

async function createRecordedSession() {
  const store = await createTestStore();
  const first = addTestTurn(
    createTestSession(store.environment, [createTestSetup({ model: 'north/one' })]),
    store.environment,
    'Hi',
  );
  const { data, turnId } = addTestTurn(first.data, store.environment, 'And then?');
  const runIds = Object.keys(data.runs);
  await store.records.write([
    ...buildSessionWrites(data),
    ...runIds.map((runId) => ({ store: 'tapes' as const, put: { runId, firstSeq: 0, entries: tape } })),
  ]);
  return { ...store, data, firstTurnId: first.turnId, turnId, runIds };
}

describe('tape files', () => {
  it('imports exported tapes as a new session with the same recordings', async () => {
    const { library, exporter, records, environment, data, runIds } = await createRecordedSession();
    const saved = await exportTapes({ library, exporter }, data.session.id);
    expect(saved).toMatchObject({ answerCount: 2, entryCount: 10, title: data.session.title });
    const outcome = await importText(records, saved?.pieces.join('') ?? '', environment.newId);
    if (!outcome.ok) throw new Error(outcome.reason);
    const [sessionId = ''] = outcome.sessionIds;
    expect(sessionId).not.toBe(data.session.id);
    const copy = await library.load(sessionId);
    const copies = Object.values(copy?.data.runs ?? {});
    expect(copies).toHaveLength(2);
    for (const run of copies) {
      expect(runIds).not.toContain(run.id);
      const entries = await library.readTape(run.id);
      expect(entries).toEqual(tape);
      expect(getAnswerText(foldTape(resetRun(run), entries).choices[0])).toBe('Hello');
    }
    expect(await library.readTape(runIds[0] ?? '')).toEqual(tape);
  });

  it('exports the tape of one answer with the turns before it', async () => {
    const { library, exporter, data, firstTurnId } = await createRecordedSession();
    const saved = await exportTapes({ library, exporter }, data.session.id, [firstTurnId]);
    expect(saved).toMatchObject({ answerCount: 1, entryCount: 5 });
    const otherStore = await createTestStore();
    const outcome = await importText(
      otherStore.records,
      saved?.pieces.join('') ?? '',
      otherStore.environment.newId,
    );
    expect(outcome).toMatchObject({ ok: true });
    expect(await otherStore.records.listKeys('turns')).toHaveLength(1);
  });

  it('exports only answers from models, not manual or missing answers', async () => {
    const { library, exporter, records, environment, data, turnId } = await createRecordedSession();
    const withWrittenReply = addManualReply(data, environment, turnId, {
      role: 'assistant',
      content: 'By hand',
    });
    const [promptId = ''] = Object.keys(withWrittenReply.prompts);
    const withUnansweredTurn = addTurn(withWrittenReply, environment, getFirstLane(withWrittenReply).id, {
      promptId,
      run: false,
    });
    await records.write(buildSessionWrites(withUnansweredTurn.data));
    const saved = await exportTapes({ library, exporter }, data.session.id);
    expect(saved).toMatchObject({ answerCount: 2, entryCount: 10 });
  });

  it('skips answers whose tape was deleted', async () => {
    const { library, exporter, records, data, runIds } = await createRecordedSession();
    await records.write([{ store: 'tapes', remove: runIds[0] ?? '' }]);
    expect(await exportTapes({ library, exporter }, data.session.id)).toMatchObject({
      answerCount: 1,
      entryCount: 5,
    });
    expect(await exportTapes({ library, exporter }, 'gone')).toBeUndefined();
  });
});
