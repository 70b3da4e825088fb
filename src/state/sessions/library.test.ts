import { describe, expect, it, vi } from 'vitest';

import { getAnswerText } from '../../conversation/reply/run.ts';
import type { Run, SessionData } from '../../conversation/session/types.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { createMemoryRecordStore } from '../../storage/memory-record-store.ts';
import type { RecordStore, Write } from '../../storage/record-store.ts';
import {
  createTestEnvironment,
  createTextChoices,
  createTestTurn,
  createDeltaEntry,
  statusEntry,
} from '../../testing/builders.ts';
import { buildSessionWrites } from './autosave.ts';
import { createLibrary } from './library.ts';

/** Creates a library with a stored conversation that contains this run. */
async function createTestLibrary(run: Partial<Run> = createTextChoices('1'), extra: Write[] = []) {
  const environment = createTestEnvironment();
  const records = createMemoryRecordStore();
  const { data, runId } = createTestTurn(environment, 'One', run);
  const listedData: SessionData = {
    ...data,
    session: { ...data.session, summary: { models: ['m'], prompts: 1 } },
  };
  await records.write([...buildSessionWrites(listedData), ...extra]);
  return { records, environment, data: listedData, runId, library: createLibrary(records, environment) };
}

function createSegments(runId: string, ...tapes: [number, unknown[]][]): Write[] {
  return tapes.map(([firstSeq, entries]): Write => {
    const put = { runId, firstSeq, entries: [] };
    return { store: 'tapes', put: Object.assign(put, { entries }) };
  });
}

async function readEverything(records: RecordStore, data: SessionData): Promise<unknown[]> {
  const tapes = await Promise.all(Object.keys(data.runs).map((id) => records.readTape(id)));
  return [
    await records.readSession(data.session.id),
    ...tapes.flat(),
    await records.readRecord('drafts', data.session.id),
  ];
}

it('reads a tape in parts and returns the next position and whether the end was reached', async () => {
  const entries = [statusEntry, createDeltaEntry(2, 'a'), createDeltaEntry(3, 'b')];
  const { records, library, runId } = await createTestLibrary();
  await records.write(createSegments(runId, [0, entries.slice(0, 2)], [2, entries.slice(2)]));
  expect(await library.readTapeFrom(runId, 0, 1)).toEqual({
    entries: entries.slice(0, 2),
    nextSeq: 2,
    isEnd: false,
  });
  expect(await library.readTapeFrom(runId, 2, 2)).toEqual({
    entries: entries.slice(2),
    nextSeq: 3,
    isEnd: true,
  });
  expect(await library.readTapeFrom(runId, 3)).toEqual({ entries: [], nextSeq: 3, isEnd: true });
  expect(await library.readTape(runId)).toEqual(entries);
});

describe('the session list', () => {
  it('lists sessions with messages, newest first, and skips unreadable ones', async () => {
    const { records, data, library } = await createTestLibrary();
    const [older, newer] = [-5, 5].map((offset) => ({
      ...data.session,
      id: `s${offset}`,
      updatedAt: data.session.updatedAt + offset,
    }));
    const { summary: _, ...empty } = data.session;
    await records.write(
      [older, newer, { ...empty, id: 'empty' }].flatMap((put): Write[] =>
        put ? [{ store: 'sessions', put }] : [],
      ),
    );
    await records.write([
      { store: 'sessions', put: Object.assign({ ...data.session, id: 'bad' }, { title: 7 }) },
    ]);
    expect((await library.list()).map(({ id }) => id)).toEqual(['s5', data.session.id, 's-5']);
  });

  it('omits a hidden session until it is shown again', async () => {
    const { data, library } = await createTestLibrary();
    library.hide(data.session.id);
    expect(await library.list()).toEqual([]);
    library.unhide(data.session.id);
    expect(await library.list()).toHaveLength(1);
  });
});

describe('a run left live by a closed page', () => {
  const abandonedRun: Partial<Run> = { phase: { name: 'waiting' }, sentAt: 5, requestId: 'r' };

  it('restores an interrupted run from its tape and stores it', async () => {
    const { records, data, runId, library } = await createTestLibrary(abandonedRun);
    await records.write(
      createSegments(
        runId,
        [2, [createDeltaEntry(40, 'from'), createDeltaEntry(60, ' <thi')]],
        [0, [statusEntry, createDeltaEntry(20, 'Hello ')]],
      ),
    );
    const run = (await library.load(data.session.id))?.data.runs[runId];
    expect(run).toMatchObject({
      phase: { name: 'interrupted' },
      sentAt: 5,
      requestId: 'r',
      firstTokenMs: 20,
      endedMs: 60,
    });
    expect(getAnswerText(run?.choices[0])).toBe('Hello from <thi');
    expect((await records.readSession(data.session.id))?.runs).toEqual([run]);
    expect((await library.load(data.session.id))?.data.runs[runId]).toEqual(run);
  });

  it('applies the tape to a clean run, so that nothing from the record appears twice', async () => {
    const leftOver = 'Busy.';
    const { records, data, runId, library } = await createTestLibrary({
      ...abandonedRun,
      status: 200,
      leftOver,
    });
    await records.write(
      createSegments(runId, [0, [statusEntry, { at: 10, outside: leftOver }, createDeltaEntry(20, 'Hi')]]),
    );
    expect((await library.load(data.session.id))?.data.runs[runId]).toMatchObject({ leftOver });
  });

  it('completes the run if its tape contains the end', async () => {
    const { records, data, runId, library } = await createTestLibrary(abandonedRun);
    const end: TapeEntry[] = [
      statusEntry,
      createDeltaEntry(20, 'Hi'),
      { at: 30, data: '[DONE]' },
      { at: 31, end: 'closed' },
    ];
    await records.write(createSegments(runId, [0, end]));
    expect((await library.load(data.session.id))?.data.runs[runId]).toMatchObject({
      phase: { name: 'complete' },
      endedMs: 31,
    });
  });

  it('marks the run as interrupted without a duration if it has no tape', async () => {
    const { data, runId, library } = await createTestLibrary(abandonedRun);
    const run = (await library.load(data.session.id))?.data.runs[runId];
    expect(run?.phase).toEqual({ name: 'interrupted' });
    expect(run).not.toHaveProperty('endedMs');
  });

  it('restores the run from a tape with damaged and unknown entries', async () => {
    const { records, data, runId, library } = await createTestLibrary(abandonedRun);
    const entries = [
      statusEntry,
      null,
      'x',
      { at: 'late' },
      { at: 3, hologram: 1 },
      { at: 4, data: 5 },
      createDeltaEntry(5, 'Still here'),
    ];
    await records.write(createSegments(runId, [0, entries]));
    const run = (await library.load(data.session.id))?.data.runs[runId];
    expect(getAnswerText(run?.choices[0])).toBe('Still here');
  });

  it('leaves an ended run unchanged, with or without a tape', async () => {
    const { records, data, runId, library } = await createTestLibrary({
      ...createTextChoices('folded'),
      phase: { name: 'stopped' },
    });
    await records.write(createSegments(runId, [0, [statusEntry, createDeltaEntry(5, 'something else')]]));
    expect((await library.load(data.session.id))?.data).toEqual(data);
  });
});

describe('a session in the library', () => {
  it('copies a session with its tapes, and keeps the copy when the original is removed', async () => {
    const { records, data, runId, library } = await createTestLibrary(createTextChoices('1'));
    await records.write(
      createSegments(runId, [0, [statusEntry, createDeltaEntry(5, '1')]], [2, [{ at: 9, end: 'closed' }]]),
    );
    const copyId = await library.duplicate(data.session.id);
    const copy = copyId === undefined ? undefined : (await library.load(copyId))?.data;
    if (!copy) throw new Error('The copy is missing');
    expect(copy.session.title).toBe('One (copy)');
    await library.remove(data.session.id);
    const [copiedRun] = Object.values(copy.runs);
    expect(getAnswerText(copiedRun?.choices[0])).toBe('1');
    expect(await library.readTape(copiedRun?.id ?? '')).toEqual([
      statusEntry,
      createDeltaEntry(5, '1'),
      { at: 9, end: 'closed' },
    ]);
    expect((await library.load(copy.session.id))?.data).toEqual(copy);
  });

  it('removes a session with all of its records', async () => {
    const { records, data, runId, library } = await createTestLibrary();
    await records.write([
      ...createSegments(runId, [0, [statusEntry]]),
      { store: 'drafts', put: { sessionId: data.session.id, text: 'x' } },
      { store: 'drafts', put: { sessionId: `${data.session.id} pasted`, pasted: ['x'] } },
    ]);
    await library.remove(data.session.id);
    expect(await readEverything(records, data)).toEqual([undefined, undefined]);
    expect(await records.listKeys('drafts')).toEqual([]);
    expect(await library.load(data.session.id)).toBeUndefined();
    expect(await library.list()).toEqual([]);
  });

  it('renames a session and no longer derives its title from the first prompt', async () => {
    const { data, library } = await createTestLibrary();
    await library.rename(data.session.id, 'Mine');
    expect((await library.list())[0]).toMatchObject({ title: 'Mine', titled: true });
  });

  it('ignores loading, copying, renaming and removing a missing session', async () => {
    const { records, data, library } = await createTestLibrary();
    expect(await library.load('none')).toBeUndefined();
    expect(await library.duplicate('none')).toBeUndefined();
    await library.rename('none', 'x');
    await library.remove('none');
    expect(await records.listSessions()).toEqual([data.session]);
  });

  it('notifies listeners when the list may have changed', async () => {
    const { data, library } = await createTestLibrary();
    const listener = vi.fn<() => void>();
    library.changes.subscribe(listener);
    await library.rename(data.session.id, 'Mine');
    await library.duplicate(data.session.id);
    library.hide(data.session.id);
    await library.remove(data.session.id);
    expect(listener).toHaveBeenCalledTimes(4);
  });
});
