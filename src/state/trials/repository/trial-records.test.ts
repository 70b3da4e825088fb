import { describe, expect, it } from 'vitest';

import { openRecordStore } from '../../../storage/db.ts';
import { createMemoryRecordStore } from '../../../storage/memory-record-store.ts';
import type { RecordStore } from '../../../storage/record-store.ts';
import { createBench } from '../../../testing/bench.ts';
import { createTestSetup } from '../../../testing/builders.ts';
import { createOpenTrial, parseFetchRequest, createCases } from '../../../testing/open-trials.ts';
import { createLargeTrial, createAnsweredRun, createTestTrial } from '../../../testing/trials.ts';
import { waitUntil } from '../../../testing/wait-until.ts';
import { getCellId } from '../../../trials/case-order.ts';
import { getHeartbeatId, packTape, type HeartbeatRecord } from '../../../trials/trial-schemas.ts';
import type { Mark } from '../../../trials/trial.ts';
import { findOrphanedImages } from '../../drafts/image-cleanup.ts';
import { buildTrialDraftWrites } from './trial-records.ts';
import {
  buildCaseBlockWrite,
  getCaseIndexes,
  buildCellBlockWrites,
  buildAllCellWrites,
  sortCases,
  readCellRun,
  readStoredTrial,
  readTrials,
  toStoredCellRun,
  buildTrialRemovals,
} from './trial-records.ts';

const stores: [string, () => Promise<RecordStore>][] = [
  ['in the database', () => openRecordStore({}, 'trials')],
  ['in memory', async () => createMemoryRecordStore()],
];

const hash = 'a'.repeat(64);

describe.each(stores)('a trial %s', (_, openStore) => {
  it('reads a trial as it was stored and removes it with all of its records', async () => {
    const records = await openStore();
    const { trial, cases, cells } = createLargeTrial(150, 2);
    const mark: Mark = {
      trialId: trial.id,
      key: { caseId: cases[3]?.id ?? '', columnId: 'b', repeat: 1 },
      mark: 'wrong',
      at: 7,
    };
    const cellsById = new Map(cells.map((cell) => [getCellId(cell), cell]));
    const heartbeat: HeartbeatRecord = { id: getHeartbeatId(trial.id), at: 5, runs: [] };
    const run = createAnsweredRun('billing', { id: 'run-1', sessionId: trial.id });
    await records.write([
      ...buildTrialDraftWrites(trial, cases),
      ...buildAllCellWrites(trial, cellsById),
      { store: 'marks', put: mark },
      { store: 'trials', put: heartbeat },
      { store: 'runs', put: toStoredCellRun(run, 'a') },
      {
        store: 'tapes',
        put: { runId: 'run-1', firstSeq: 0, entries: [], packed: await packTape([]), count: 0 },
      },
      // Another trial whose ID starts with the same characters.
      ...buildTrialDraftWrites({ ...createTestTrial(2), id: `${trial.id}-2` }, createCases(2)),
    ]);
    const storedTrial = await readStoredTrial(records, trial.id);
    expect(storedTrial?.trial).toEqual(trial);
    expect([...(storedTrial?.cases.values() ?? [])]).toEqual(cases);
    expect(storedTrial?.cells).toEqual(cellsById);
    expect([...(storedTrial?.marks.values() ?? [])]).toEqual([mark]);
    expect(storedTrial?.heartbeat).toEqual(heartbeat);
    expect(await records.listByTrial('cells', trial.id)).toHaveLength(2 * Math.ceil(150 / 64));
    expect(readCellRun(await records.readRecord('runs', 'run-1'), trial)).toEqual({
      ...run,
      setup: trial.columns[0]?.setup,
    });
    expect((await readTrials(records)).map(({ id }) => id)).toEqual([trial.id, `${trial.id}-2`]);

    const [cell] = cells;
    if (!cell) throw new Error('The cell is missing');
    const changedCell = { ...cell, head: 'another' };
    cellsById.set(getCellId(cell), changedCell);
    const writes = buildCellBlockWrites(trial, [changedCell], cellsById, getCaseIndexes(trial));
    expect(writes).toHaveLength(1);
    await records.write([...writes, { store: 'marks', unmark: { trialId: trial.id, ...mark.key } }]);
    const updatedTrial = await readStoredTrial(records, trial.id);
    expect(updatedTrial?.cells).toEqual(cellsById);
    expect(updatedTrial?.marks.size).toBe(0);

    await records.write(await buildTrialRemovals(records, trial.id));
    expect(await readStoredTrial(records, trial.id)).toBeUndefined();
    expect(await records.listKeys('runs')).toEqual([]);
    expect(await records.readTape('run-1')).toEqual([]);
    for (const store of ['cases', 'cells', 'marks'] as const)
      expect(await records.listByTrial(store, trial.id)).toEqual([]);
    expect((await readStoredTrial(records, `${trial.id}-2`))?.cases.size).toBe(2);
    records.close();
  });
});

describe('stored trials', () => {
  it('reads every trial, case and answer across several requests', async () => {
    const records = createMemoryRecordStore();
    const ids = Array.from({ length: 101 }, (_, index) => `t${String(index).padStart(3, '0')}`);
    for (const id of ids)
      await records.write(buildTrialDraftWrites({ ...createTestTrial(1), id }, createCases(1)));
    expect((await readTrials(records)).map(({ id }) => id)).toEqual(ids);
    const { trial, cases, cells } = createLargeTrial(1100, 3);
    const cellsById = new Map(cells.map((cell) => [getCellId(cell), cell]));
    await records.write([...buildTrialDraftWrites(trial, cases), ...buildAllCellWrites(trial, cellsById)]);
    const storedTrial = await readStoredTrial(records, trial.id);
    expect([storedTrial?.cases.size, storedTrial?.cells.size]).toEqual([1100, 3300]);
  });

  it('skips damaged records and reads the others', async () => {
    const records = createMemoryRecordStore();
    const { trial, cases, cells } = createLargeTrial(70, 1);
    const cellsById = new Map(cells.map((cell) => [getCellId(cell), cell]));
    await records.write([...buildTrialDraftWrites(trial, cases), ...buildAllCellWrites(trial, cellsById)]);
    const damagedRecords: RecordStore = {
      ...records,
      listByTrial: async (store, id, part) => {
        if (store === 'marks') return ['no mark', { trialId: id }];
        const [, ...otherBlocks] = await records.listByTrial(store, id, part);
        return [{ [store]: 'no list' }, { [store]: [{ half: true }] }, ...otherBlocks];
      },
      readRecord: async (store, key) => {
        if (key === getHeartbeatId(trial.id)) return { id: key, runs: 'none' };
        return key === 'broken' ? { id: 'broken' } : records.readRecord(store, key);
      },
      scan: async (store, max, cursor) => [
        { id: 'broken' },
        'no trial',
        ...(await records.scan(store, max, cursor)),
      ],
    };
    const storedTrial = await readStoredTrial(damagedRecords, trial.id);
    expect([storedTrial?.cases.size, storedTrial?.cells.size]).toEqual([6, 6]);
    expect([storedTrial?.marks.size, storedTrial?.heartbeat]).toEqual([0, undefined]);
    await expect(readStoredTrial(damagedRecords, 'broken')).rejects.toThrow('The stored trial is damaged.');
    expect((await readTrials(damagedRecords)).map(({ id }) => id)).toEqual([trial.id]);
  });

  it('returns no run for a missing column and no block for an unlisted case', () => {
    const trial = createTestTrial(2);
    const run = createAnsweredRun('billing', { id: 'run-1', sessionId: trial.id });
    expect(readCellRun(toStoredCellRun(run, 'a'), trial)?.setup).toEqual(trial.columns[0]?.setup);
    expect(readCellRun(toStoredCellRun(run, 'gone'), trial)).toBeUndefined();
    expect([readCellRun(undefined, trial), readCellRun('run-1', trial)]).toEqual([undefined, undefined]);
    const cases = new Map(createCases(2).map((testCase) => [testCase.id, testCase]));
    expect(buildCaseBlockWrite(trial, cases, 'gone')).toBeUndefined();
    expect(sortCases(trial, new Map(createCases(1).map((testCase) => [testCase.id, testCase])))).toEqual(
      createCases(1),
    );
    expect(buildCaseBlockWrite(trial, cases, '2')).toEqual({
      store: 'cases',
      put: { trialId: 'trial', block: 0, cases: createCases(2) },
    });
  });
});

describe('operations on all stored data', () => {
  it('keeps images referenced by a trial or by the history of a case', async () => {
    const records = createMemoryRecordStore();
    const createImage = (letter: string) => ({ hash: letter.repeat(64), blob: new Blob(['x']), addedAt: 0 });
    for (const letter of ['a', 'b', 'c'])
      await records.write([{ store: 'images', put: createImage(letter) }]);
    const createImageMessage = (letter: string) => ({
      role: 'user' as const,
      content: [{ type: 'image_url' as const, image_url: { url: `bench-image:${letter.repeat(64)}` } }],
    });
    const cases = createCases(1).map((testCase) => ({ ...testCase, history: [createImageMessage('b')] }));
    await records.write(
      buildTrialDraftWrites(createTestTrial(1, { messages: [createImageMessage('a')] }), cases),
    );
    expect(hash).toBe('a'.repeat(64));
    expect([...(await findOrphanedImages(records, 10 ** 9))]).toEqual(['c'.repeat(64)]);
  });

  it('counts trials, and deletes them with their live requests, even in another tab', async () => {
    const requestedPaths: string[] = [];
    const pendingFetch: typeof fetch = async (input, init) => {
      const { path } = parseFetchRequest(input, init);
      if (!path.endsWith('/chat/completions')) return new Response('{"data":[]}');
      requestedPaths.push(path);
      return new Promise((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new DOMException('Gone', 'AbortError')));
      });
    };
    const bench = await createBench({ origin: 'http://127.0.0.1:9', fetch: pendingFetch });
    const trial = await createOpenTrial(bench, createCases(9), {
      columns: [{ id: 'a', setup: createTestSetup({ model: 'north/one' }) }],
    });
    await trial.run();
    await waitUntil(() => requestedPaths.length === 3);
    const otherTab = await bench.openAnotherTab({ fetch: pendingFetch });
    expect(await otherTab.storedData.getCounts()).toMatchObject({ trials: 1 });
    await otherTab.storedData.eraseEverything();
    expect(await otherTab.storedData.getCounts()).toMatchObject({ trials: 0, sessions: 0 });
    await bench.waitUntilSaved();
    expect(await otherTab.records.listKeys('trials')).toEqual([]);
    expect(await otherTab.records.listKeys('runs')).toEqual([]);
    expect(await otherTab.records.listByTrial('cases', 'trial')).toEqual([]);
    expect(requestedPaths).toHaveLength(3);
  });
});
