import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { createMemoryRecordStore } from '../../../storage/memory-record-store.ts';
import { createGate } from '../../../testing/builders.ts';
import { createAnsweredRun, createTestTrial, createColumns } from '../../../testing/trials.ts';
import { waitForStableNumber, waitUntil } from '../../../testing/wait-until.ts';
import { getCellId } from '../../../trials/case-order.ts';
import { buildCell } from '../../../trials/cell.ts';
import type { Cell } from '../../../trials/trial.ts';
import { createRecorder } from '../../runs/recorder.ts';
import { buildTrialDraftWrites } from '../repository/trial-records.ts';
import { readStoredTrial } from '../repository/trial-records.ts';
import { createCellWriter } from './cell-writer.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 1_700_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

async function createTestWriter() {
  const memory = createMemoryRecordStore();
  const trial = createTestTrial(4, { columns: createColumns('north/one') });
  await memory.write(buildTrialDraftWrites(trial, []));
  const rules: { beforeWrite: () => unknown } = { beforeWrite: () => undefined };
  let tries = 0;
  const records: typeof memory = {
    ...memory,
    write: async (...args) => {
      tries += 1;
      // Strict writes survive a power cut.
      expect(args[1]).toEqual({ strict: true });
      await rules.beforeWrite();
      return memory.write(...args);
    },
  };
  const cells = new Map<string, Cell>();
  const now = () => Date.now();
  let unsaved = 0;
  const errors: unknown[] = [];
  const runningCell = { caseId: '4', columnId: 'a', repeat: 1, runId: 'under way' };
  const writer = createCellWriter({
    store: { getTrial: () => trial, cells },
    records,
    recorder: createRecorder(records, now),
    now,
    listUnreleasedRuns: () => [runningCell],
    onWriteError: (error) => errors.push(error),
    trackUnsaved: () => {
      unsaved += 1;
      return () => (unsaved -= 1);
    },
  });
  return {
    writer,
    rules,
    errors,
    tries: () => tries,
    unsaved: () => unsaved,
    addCell: (caseId: string) => {
      const key = { caseId, columnId: 'a', repeat: 1 };
      const run = createAnsweredRun('billing', { id: `run ${caseId}` });
      const cell = buildCell(run, key, 1);
      if (!cell) throw new Error('The run has not ended');
      cells.set(getCellId(key), cell);
      writer.enqueue({ key, run, tape: [{ at: 1, data: 'x' }] }, cell);
    },
    listPendingRunIds: () => writer.listPendingRuns().map(({ runId }) => runId),
    /** Returns the stored state that a tab finds after a crash. */
    readStored: async () => {
      const storedTrial = await readStoredTrial(memory, 'trial');
      return {
        cells: [...(storedTrial?.cells.values() ?? [])].map(({ runId }) => runId),
        alive: storedTrial?.heartbeat?.runs.map(({ runId }) => runId),
        runs: await memory.listKeys('runs'),
      };
    },
    tape: (runId: string) => memory.readTape(runId),
  };
}

it('stores the first ended cell with its tape immediately and later cells once per second', async () => {
  const { addCell, readStored, tape, tries, unsaved, listPendingRunIds } = await createTestWriter();
  addCell('1');
  expect([listPendingRunIds(), unsaved()]).toEqual([['run 1'], 1]);
  await vi.advanceTimersByTimeAsync(0);
  await waitUntil(() => unsaved() === 0);
  expect(await readStored()).toEqual({ cells: ['run 1'], alive: ['under way'], runs: ['run 1'] });
  expect(await tape('run 1')).toMatchObject([{ firstSeq: 0, entries: [], count: 1 }]);
  expect(listPendingRunIds()).toEqual([]);

  addCell('2');
  addCell('3');
  await vi.advanceTimersByTimeAsync(999);
  expect(await waitForStableNumber(tries)).toBe(1);
  expect([listPendingRunIds(), unsaved()]).toEqual([['run 2', 'run 3'], 1]);
  await vi.advanceTimersByTimeAsync(1);
  await waitUntil(() => unsaved() === 0);
  expect((await readStored()).cells).toEqual(['run 1', 'run 2', 'run 3']);
  expect(tries()).toBe(2);
});

it('reports a failed write and retries every two seconds, including new cells', async () => {
  const { addCell, errors, rules, readStored, tries, unsaved, listPendingRunIds } = await createTestWriter();
  rules.beforeWrite = () => Promise.reject(new Error('Full'));
  addCell('1');
  await vi.advanceTimersByTimeAsync(0);
  await waitUntil(() => errors.length === 1);
  addCell('2');
  expect([listPendingRunIds(), unsaved()]).toEqual([['run 1', 'run 2'], 1]);
  expect(await readStored()).toEqual({ cells: [], alive: undefined, runs: [] });
  await vi.advanceTimersByTimeAsync(1999);
  expect(await waitForStableNumber(tries)).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  await waitUntil(() => errors.length === 2);
  rules.beforeWrite = () => undefined;
  await vi.advanceTimersByTimeAsync(2000);
  await waitUntil(() => unsaved() === 0);
  expect((await readStored()).cells).toEqual(['run 1', 'run 2']);
  expect(tries()).toBe(3);
});

it('keeps a cell that ends during a write pending until it is stored', async () => {
  const { addCell, writer, rules, readStored, tries, unsaved, listPendingRunIds } = await createTestWriter();
  const gate = createGate();
  rules.beforeWrite = () => gate.opened;
  addCell('1');
  const flushPromise = writer.flush();
  await Promise.resolve();
  addCell('2');
  await waitUntil(() => tries() === 1);
  expect(listPendingRunIds(), 'both can be recovered after a crash').toEqual(['run 1', 'run 2']);
  gate.open();
  await flushPromise;
  expect(await readStored()).toMatchObject({ alive: ['under way', 'run 2'], runs: ['run 1'] });
  expect([listPendingRunIds(), unsaved()]).toEqual([['run 2'], 1]);
  await writer.flush();
  expect(await readStored()).toMatchObject({ alive: ['under way'], runs: ['run 1', 'run 2'] });
  expect([listPendingRunIds(), unsaved()]).toEqual([[], 0]);
  await writer.flush();
  expect(tries(), 'nothing is pending').toBe(2);
});
