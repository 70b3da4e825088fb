import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import fc from 'fast-check';
import { openDB } from 'idb';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { computeSha256 } from '../../lib/sha256.ts';
import { openRecordStore, vectorDatabaseName } from '../../storage/db.ts';
import type { RecordStore, Write } from '../../storage/record-store.ts';
import { openVectorStore } from '../../storage/vector-db.ts';
import type { VectorStore } from '../../storage/vector-store.ts';
import { createBench } from '../../testing/bench.ts';
import {
  addTestTurn,
  createTestEnvironment,
  createTestSession,
  createTestTurn,
  createTextChoices,
} from '../../testing/builders.ts';
import { createAnsweredRun, createLargeTrial } from '../../testing/trials.ts';
import { getCellId } from '../../trials/case-order.ts';
import { buildSessionWrites } from '../sessions/autosave.ts';
import {
  buildAllCellWrites,
  buildPackedTapeWrites,
  buildTrialDraftWrites,
  toStoredCellRun,
} from '../trials/repository/trial-records.ts';
import { isBackupFile, parseHeader, readLines } from './backup-format.ts';
import { importBackup, type ImportReport } from './read-backup.ts';
import { readContents, writeBackup } from './write-backup.ts';

interface Profile {
  factory: IDBFactory;
  records: RecordStore;
  vectors: VectorStore;
}

/** Opens the databases of a browser that has none. */
async function openProfile(): Promise<Profile> {
  const factory = new IDBFactory();
  vi.stubGlobal('indexedDB', factory);
  const records = await openRecordStore();
  onTestFinished(records.close);
  return { factory, records, vectors: await openVectorStore() };
}

const encoder = new TextEncoder();
const prefs = { theme: 'dark', favouriteModels: ['maker/heron-32b'] };
const environment = createTestEnvironment();

function buildTestSession(title: string, updatedAt: number): { id: string; writes: Write[] } {
  let data = createTestSession(environment);
  let runId = '';
  for (const turn of [1, 2, 3])
    ({ data, runId } = addTestTurn(
      data,
      environment,
      `Question ${turn}`,
      createTextChoices(`Answer ${turn}`),
    ));
  const summary = { models: ['north/one'], prompts: 2 };
  const session = { ...data.session, title, updatedAt, summary };
  const tapes = Array.from({ length: 11 }, (_, index): Write => ({
    store: 'tapes',
    put: {
      runId,
      firstSeq: index * 2,
      entries: [
        { at: index, data: `é\ud800\n${title}` },
        { at: index, comment: '' },
      ],
    },
  }));
  return { id: session.id, writes: [...buildSessionWrites({ ...data, session }), ...tapes] };
}

/** Fills every store of the profile. */
async function fillProfile({ records, vectors }: Profile, vectorCount = 3): Promise<void> {
  const sessions = ['One', 'Two', 'Three'].map((title, index) => buildTestSession(title, index + 1));
  const [firstId = ''] = sessions.map(({ id }) => id);
  for (const { writes } of sessions) await records.write(writes);
  const bytes = encoder.encode('not really an image');
  const { trial, cases, cells } = createLargeTrial(66, 2);
  const heartbeat: Write = { store: 'trials', put: { id: `${trial.id}/alive`, at: 1, runs: [] } };
  await records.write([
    { store: 'drafts', put: { sessionId: firstId, text: 'unsent', view: { namesHidden: true } } },
    { store: 'drafts', put: { sessionId: `${firstId} pasted`, pasted: ['long'] } },
    { store: 'presets', put: { id: 'preset', name: 'Mine', createdAt: 1, setup: { model: 'm' } } },
    {
      store: 'learned',
      put: { id: 'm', firstTokenMs: 5, tools: { seen: { sessionId: 's', runId: 'r', at: 1 } } },
    },
    {
      store: 'images',
      put: { hash: await computeSha256(bytes), blob: new Blob([bytes], { type: 'image/png' }), addedAt: 7 },
    },
    ...buildTrialDraftWrites(trial, cases),
    ...buildAllCellWrites(trial, new Map(cells.map((cell) => [getCellId(cell), cell]))),
    heartbeat,
    { store: 'ballots', put: { id: 'ballot', trialId: trial.id } },
  ]);
  for (const { runId, caseId, columnId } of cells.slice(0, 4)) {
    const run = createAnsweredRun('billing', {
      id: runId,
      cell: { trialId: trial.id, caseId, columnId, repeat: 1 },
    });
    await records.write([
      { store: 'runs', put: toStoredCellRun(run, columnId) },
      ...(await buildPackedTapeWrites(runId, [{ at: 1, data: 'billing' }])),
      {
        store: 'marks',
        put: { trialId: trial.id, key: { caseId, columnId, repeat: 1 }, mark: 'right', at: 1 },
      },
    ]);
  }
  await vectors.putNote('texts of set 1', { mode: 'lines', typed: 'a\nb' });
  await vectors.putNote('set 1', { title: 'Set', texts: 2, models: ['m'], updatedAt: 1 });
  await vectors.putNote('lab', { wasStarted: true });
  await vectors.put(
    Array.from({ length: vectorCount }, (_, index) => ({
      key: `key ${index}`,
      vector: Float32Array.of(index, 0.1, -0),
      ...(index === 0 ? { tokens: 3 } : {}),
    })),
  );
}

/** Returns all records of all stores of the profile, with the content of blobs. */
async function dumpProfile({ factory }: Profile): Promise<Record<string, unknown[]>> {
  vi.stubGlobal('indexedDB', factory);
  const dump: Record<string, unknown[]> = {};
  for (const name of ['bench', vectorDatabaseName]) {
    const db = await openDB(name);
    for (const store of db.objectStoreNames) {
      const records: unknown[] = await db.getAll(store);
      dump[store] = await Promise.all(records.map(readBlob));
    }
    db.close();
  }
  return dump;
}

async function readBlob(record: unknown): Promise<unknown> {
  if (typeof record !== 'object' || record === null || !('blob' in record)) return record;
  const { blob } = record;
  return blob instanceof Blob ? { ...record, blob: `${blob.type} ${await blob.text()}` } : record;
}

async function backUp({ records, vectors }: Profile, hasVectors = true): Promise<string> {
  let text = '';
  for await (const line of writeBackup({ records, vectors, prefs }, { createdAt: 1, hasVectors }))
    text += line;
  return text;
}

function restore(
  { records, vectors }: Profile,
  text: string | Uint8Array<ArrayBuffer>,
  busyIds: readonly string[] = [],
): Promise<ImportReport> {
  return importBackup(
    new Blob([text]),
    { records, vectors, now: () => 99, busyIds },
    { signal: new AbortController().signal, onProgress: () => undefined },
  );
}

async function backUpTestProfile(
  vectorCount?: number,
): Promise<{ text: string; dump: Record<string, unknown[]> }> {
  const profile = await openProfile();
  await fillProfile(profile, vectorCount);
  return { text: await backUp(profile), dump: await dumpProfile(profile) };
}

describe('backup', () => {
  it('restores every record of every store in an empty browser', async () => {
    const { text, dump } = await backUpTestProfile(600);
    expect(Object.entries(dump).filter(([, records]) => records.length === 0)).toEqual([]);
    const target = await openProfile();
    const report = await restore(target, text);
    expect(report).toMatchObject({
      addedRecords: { presets: 1, learned: 1, images: 1, vectors: 600 },
      kept: 0,
      damaged: 0,
      unknown: 0,
      isComplete: true,
      prefs,
    });
    expect(report.added.sessions).toHaveLength(3);
    expect(report.added.trials).toEqual(['trial']);
    expect(report.added.sets).toEqual(['1']);
    expect(await dumpProfile(target)).toEqual(dump);
  });

  it('changes nothing when it is imported a second time', async () => {
    const profile = await openProfile();
    await fillProfile(profile);
    const dump = await dumpProfile(profile);
    const report = await restore(profile, await backUp(profile));
    expect(report).toMatchObject({ kept: 5, keptPresets: 1, damaged: 0, isComplete: true });
    expect(report.addedRecords).toEqual({ presets: 0, learned: 0, images: 0, vectors: 0 });
    expect(await dumpProfile(profile)).toEqual(dump);
  });

  it('describes its contents in the header and omits vectors on request', async () => {
    const profile = await openProfile();
    await fillProfile(profile);
    const contents = await readContents(profile, 1);
    expect(contents.counts).toEqual({ presets: 1, images: 1, learned: 1, vectors: 3 });
    const text = await backUp(profile, false);
    expect(parseHeader(text.slice(0, text.indexOf('\n')))).toEqual({
      ok: true,
      header: { ...contents, counts: { ...contents.counts, vectors: 0 } },
    });
    expect(text).not.toContain('"store":"vectors"');
  });

  it('imports whole sessions, trials and sets of a file that is cut anywhere', async () => {
    const { text, dump } = await backUpTestProfile();
    const bytes = encoder.encode(text);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: bytes.length - 2 }), async (cut) => {
        const target = await openProfile();
        const report = await restore(target, bytes.slice(0, cut));
        const imported = await dumpProfile(target);
        const whole = new TextDecoder().decode(bytes.slice(0, cut)).split('\n').slice(0, -1);
        const countWhole = (kind: string) => {
          const opened = new Map(
            whole.flatMap((line): [string, string][] => {
              const id = new RegExp(`^{"group":"${kind}","id":"([^"]+)"`).exec(line)?.[1];
              return id === undefined ? [] : [[id, id]];
            }),
          );
          return whole.filter((line) => opened.has(/^{"groupEnd":"([^"]+)"/.exec(line)?.[1] ?? '')).length;
        };
        expect(report.isComplete).toBe(false);
        expect(report.added.sessions).toHaveLength(countWhole('sessions'));
        expect(report.added.trials).toHaveLength(countWhole('trials'));
        expect(report.added.sets).toHaveLength(countWhole('sets'));
        const owners = new Set([...report.added.sessions, ...report.added.trials]);
        expect(imported['vectors']).toEqual(dump['vectors']?.slice(0, imported['vectors']?.length));
        for (const [store, records] of Object.entries(dump)) {
          if (store === 'vectors') continue;
          const importedRecords = imported[store] ?? [];
          // Each imported record is one of the source, and each record of an imported owner is there.
          expect(records).toEqual(expect.arrayContaining(importedRecords));
          const ownRecords = records.filter((record) => owners.has(getOwner(record, dump)));
          expect(importedRecords).toEqual(expect.arrayContaining(ownRecords));
          if (store === 'runs' || store === 'tapes' || store === 'cells')
            expect(importedRecords).toHaveLength(ownRecords.length);
        }
      }),
    );
  });

  it.each([
    { here: 'older', updatedAt: 1, expected: { replaced: 1, kept: 0, answers: ['New'] } },
    { here: 'as new', updatedAt: 5, expected: { replaced: 0, kept: 1, answers: ['Local', 'More'] } },
    { here: 'newer', updatedAt: 9, expected: { replaced: 0, kept: 1, answers: ['Local', 'More'] } },
  ])('decides by the time of change if the session here is $here', async ({ updatedAt, expected }) => {
    const { data, runId } = createTestTurn(environment, 'One', createTextChoices('New'));
    const other = await openProfile();
    await other.records.write([
      ...buildSessionWrites({ ...data, session: { ...data.session, updatedAt: 5 } }),
      { store: 'tapes', put: { runId, firstSeq: 0, entries: [{ at: 1, data: 'new' }] } },
      { store: 'drafts', put: { sessionId: data.session.id, text: 'draft of the file' } },
    ]);
    const text = await backUp(other);

    const profile = await openProfile();
    const run = data.runs[runId];
    const local = { ...data, runs: run ? { [runId]: { ...run, ...createTextChoices('Local') } } : {} };
    const grown = addTestTurn(local, environment, 'Two', createTextChoices('More'));
    await profile.records.write([
      ...buildSessionWrites({ ...grown.data, session: { ...data.session, updatedAt } }),
      { store: 'tapes', put: { runId, firstSeq: 7, entries: [{ at: 1, data: 'local' }] } },
      { store: 'drafts', put: { sessionId: data.session.id, text: 'typed here' } },
    ]);
    const report = await restore(profile, text);
    expect(report.replaced.sessions).toHaveLength(expected.replaced);
    expect(report.kept).toBe(expected.kept);
    const stored = await profile.records.readSession(data.session.id);
    const answers = JSON.stringify(stored?.runs).match(/New|Local|More/g);
    expect(answers?.toSorted()).toEqual(expected.answers);
    expect(await profile.records.readTape(runId)).toHaveLength(1);
    expect(await profile.records.readRecord('drafts', data.session.id)).toMatchObject({ text: 'typed here' });
  });

  it('replaces an older trial with all its parts, unless it is in use', async () => {
    const { text, dump } = await backUpTestProfile();
    const profile = await openProfile();
    const { trial, cases } = createLargeTrial(200, 3);
    await profile.records.write(buildTrialDraftWrites({ ...trial, updatedAt: 1 }, cases));
    expect(await restore(profile, text, [trial.id])).toMatchObject({ busy: 1 });
    expect(await profile.records.listByTrial('cases', trial.id)).toHaveLength(4);
    expect((await restore(profile, text)).replaced.trials).toEqual([trial.id]);
    const imported = await dumpProfile(profile);
    for (const store of ['trials', 'cases', 'cells', 'marks']) expect(imported[store]).toEqual(dump[store]);
  });

  it('leaves out sessions with records of another session, damaged and unknown records', async () => {
    const { id, writes } = buildTestSession('One', 1);
    const other = await openProfile();
    await other.records.write(writes);
    const text = await backUp(other);
    const profile = await openProfile();
    await profile.records.write(writes);
    expect(await restore(profile, text.replaceAll(id, 'another'))).toMatchObject({
      conflicting: 1,
      added: { sessions: [] },
    });
    expect(await profile.records.listKeys('sessions')).toEqual([id]);

    const empty = await openProfile();
    const report = await restore(
      empty,
      text
        .replace('"store":"prompts","record":{', '"store":"prompts","record":{"messages":1,"not":')
        .replace(
          '{"store":"prefs"',
          '{"store":"later","record":1}\n{"store":"lanes","record":{}}\n{"store":"prefs"',
        ),
    );
    expect(report).toMatchObject({ unknown: 2, isComplete: true });
    expect(report.damaged).toBeGreaterThan(0);
  });

  it('rejects foreign images, and a backup of a later version with the reason', async () => {
    const { text } = await backUpTestProfile();
    const profile = await openProfile();
    const report = await restore(profile, text.replace('base64,', 'base64,AAAA'));
    expect(report).toMatchObject({ damaged: 1, addedRecords: { images: 0 } });
    const later = text.replace('"version":4', '"version":5');
    expect(await restore(profile, later)).toMatchObject({
      problem: 'It was written by a newer version of Bench (backup 5). This version reads up to backup 4.',
    });
    expect(await isBackupFile(new Blob([later]))).toBe(true);
    for (const version of [1, 2, 3]) {
      const earlier = text.replace('"version":4', `"version":${version}`);
      expect(await restore(await openProfile(), earlier)).toMatchObject({ damaged: 0, isComplete: true });
    }
    expect(await isBackupFile(new Blob(['{"format":"bench-sessions"}']))).toBe(false);
  });

  it('stops between two records when it is cancelled, and reports a full disk', async () => {
    const { text } = await backUpTestProfile();
    const profile = await openProfile();
    const signal = AbortSignal.abort();
    const options = { signal, onProgress: () => undefined };
    const target = { ...profile, now: () => 1, busyIds: [] };
    expect(await importBackup(new Blob([text]), target, options)).toMatchObject({
      isCancelled: true,
      isComplete: false,
    });
    profile.records.write = () => Promise.reject(new Error('The disk is full'));
    expect(await restore(profile, text)).toMatchObject({ problem: 'The disk is full', isComplete: false });
  });

  it('splits lines that are longer than a chunk and characters that chunks divide', async () => {
    const chunks = ['first', ' line', '\nsé', 'c\n\nlast'].map((text) => encoder.encode(text));
    const bytes = new Uint8Array(chunks.flatMap((chunk) => [...chunk]));
    const blob = new Blob([bytes]);
    blob.stream = () =>
      new ReadableStream({
        start(controller) {
          for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
          controller.close();
        },
      });
    const lines: string[] = [];
    for await (const { text, isTerminated } of readLines(blob)) lines.push(`${text} ${isTerminated}`);
    expect(lines).toEqual(['first line true', 'séc true', ' true', 'last false']);
  });
});

/** Returns the ID of the session or trial to which a record belongs. */
function getOwner(record: unknown, dump: Record<string, unknown[]>): string {
  const fields = new Map<string, unknown>(Object.entries(record ?? {}));
  const owner = fields.get('trialId') ?? fields.get('sessionId');
  if (typeof owner === 'string') return owner.split(' ')[0] ?? '';
  const runId = fields.get('runId');
  const run = dump['runs']?.find((candidate) => new Map(Object.entries(candidate ?? {})).get('id') === runId);
  return run === undefined ? '' : getOwner(run, dump);
}

describe('backup of an open playground', () => {
  it('exports, erases and imports sessions, presets and settings', async () => {
    vi.stubGlobal('indexedDB', new IDBFactory());
    const bench = await createBench();
    const { data } = createTestTurn(environment, 'One', createTextChoices('1'));
    const summary = { models: ['m'], prompts: 1 };
    await bench.records.write(buildSessionWrites({ ...data, session: { ...data.session, summary } }));
    await bench.presets.save('Mine', { model: 'm' });
    bench.prefs.setState({ theme: 'dark', favouriteModels: ['m'] });
    const backup = await bench.loadBackup();
    const options = { signal: new AbortController().signal, onProgress: () => undefined };
    const blob = await backup.build({ hasVectors: true, ...options });
    const file = new File(blob ? [blob] : [], 'backup.jsonl');
    expect(backup.hasOwnSettings()).toBe(true);
    await bench.storedData.eraseEverything();
    expect(backup.hasOwnSettings()).toBe(false);
    expect(await backup.preview(file)).toMatchObject({
      ok: true,
      counts: { sessions: { added: 1, newer: 0 }, trials: { added: 0, newer: 0 } },
      isComplete: true,
    });
    const countBefore = bench.library.changes.getState().count;
    const report = await backup.importFile(file, { hasSettings: true, ...options });
    expect(report.added.sessions).toContain(data.session.id);
    expect(bench.library.changes.getState().count).toBeGreaterThan(countBefore);
    expect(bench.presets.state.getState().presets).toMatchObject([{ name: 'Mine' }]);
    expect(bench.prefs.getState()).toMatchObject({ theme: 'dark', favouriteModels: ['m'] });
    expect((await bench.library.list()).map(({ id }) => id)).toEqual([data.session.id]);
    const outcome = await bench.sessionFiles.importFile(file);
    expect(outcome).toEqual({ ok: false, reason: 'It is a backup. Import it on the History page.' });
  });
});
