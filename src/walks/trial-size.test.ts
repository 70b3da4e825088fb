/** Tests trials too large to load at once: what works and what is visible while their answers are loading. */
import { describe, expect, it } from 'vitest';

import { describeVerdict } from '../features/trials/verdict/format-verdict.ts';
import { runToCompletion } from '../lib/steps.ts';
import {
  buildTrialDraftWrites,
  buildAllCellWrites,
  readStoredTrial,
  toStoredCellRun,
} from '../state/trials/repository/trial-records.ts';
import {
  createTrialResults,
  detachedContext,
  type ResultTotals,
} from '../state/trials/results/trial-results.ts';
import type { OpenTrial } from '../state/trials/store/open-trial.ts';
import type { OpenTrialState } from '../state/trials/store/trial-store.ts';
import { createMemoryRecordStore } from '../storage/memory-record-store.ts';
import { createBench, waitForStoreState, type Bench, type BenchOptions } from '../testing/bench.ts';
import { openTrialInTab } from '../testing/open-trials.ts';
import { testCheck, createAnsweredRun, createColumnContext, createLargeTrial } from '../testing/trials.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { getCellId } from '../trials/case-order.ts';
import { hashCheck } from '../trials/checks/score-answer.ts';
import type { Cell } from '../trials/trial.ts';

const columnCount = 6;
const caseCount = 800;

/** Opens a stored trial of 4,800 answers that are still loading after it has opened. */
async function openLargeTrial(
  options: BenchOptions = {},
  isAnswered: (cell: Cell) => boolean = () => true,
): Promise<{ bench: Bench; trial: OpenTrial; initialState: OpenTrialState }> {
  const bench = await createBench(options);
  const largeTrial = createLargeTrial(caseCount, columnCount);
  const values = new Map(largeTrial.cases.map((testCase) => [testCase.id, testCase.values]));
  for (const { caseId, scores } of largeTrial.cells)
    for (const score of Object.values(scores)) score.of = hashCheck(testCheck, values.get(caseId) ?? {});
  const { baseline, margin, repeats } = largeTrial.trial;
  const ids = largeTrial.trial.columns.map(({ id }) => id);
  const plan = { at: 0, cases: caseCount, repeats, columns: ids, decides: testCheck.id, baseline, margin };
  const trial = { ...largeTrial.trial, plan };
  const cells = new Map(largeTrial.cells.filter(isAnswered).map((cell) => [getCellId(cell), cell]));
  await bench.records.write([
    ...buildTrialDraftWrites(trial, largeTrial.cases),
    ...buildAllCellWrites(trial, cells),
  ]);
  const openedTrial = await openTrialInTab(bench);
  return { bench, trial: openedTrial, initialState: openedTrial.state.getState() };
}

const waitUntilLoaded = (trial: OpenTrial): Promise<void> =>
  waitForStoreState(trial.state, ({ loading }) => loading === undefined);

/** Computes the totals from the stored records in one step. */
async function computeStoredTotals(bench: Bench, perMinute: number): Promise<ResultTotals> {
  const storedTrial = await readStoredTrial(bench.records, 'trial');
  if (!storedTrial) throw new Error('The trial is not stored');
  const results = createTrialResults();
  results.rebuild(storedTrial);
  const page = {
    ...detachedContext,
    slots: 3,
    getColumnContext: () => createColumnContext({ perMinute }),
  };
  return runToCompletion(results.computeTotals(storedTrial, page));
}

describe('large trial', () => {
  it('opens a large trial with the first answers and shows totals only after all have loaded', async () => {
    const { bench, trial, initialState } = await openLargeTrial();
    expect(initialState.loading?.name).toBe('reading');
    const firstCaseIds = initialState.trial.batches[0]?.caseIds.slice(0, 64) ?? [];
    for (const caseId of firstCaseIds)
      for (const { id: columnId } of initialState.trial.columns)
        expect(initialState.cells.has(getCellId({ caseId, columnId, repeat: 1 }))).toBe(true);
    expect(initialState.verdict).toBeUndefined();
    expect(initialState.tables.size).toBe(0);
    expect(initialState.progress.ended).toBe(0);
    expect(initialState.columnStats.map(({ answered }) => answered)).toEqual(Array(columnCount).fill(0));

    await waitUntilLoaded(trial);
    const state = trial.state.getState();
    const { cells, verdict, progress, columnStats } = state;
    expect(cells.size).toBe(caseCount * columnCount);
    const expected = await computeStoredTotals(bench, 50);
    expect(verdict).toEqual(expected.verdict);
    expect(columnStats).toEqual(expected.columnStats);
    expect(progress).toEqual(expected.progress);
    const { first } = describeVerdict(state);
    expect(first).toEqual(describeVerdict(expected).first);
    const readSentence = async () => {
      const counted = await trials.getVerdict('trial');
      return counted && describeVerdict(counted).first;
    };
    const trials = await bench.lazyTrials.load();
    expect(await readSentence()).toEqual(first);
    trial.release();
    expect(await readSentence(), 'available for a closed trial, too').toEqual(first);
  });

  it('recounts a large trial after each change, including a change during a count', async () => {
    const { bench, trial } = await openLargeTrial();
    await waitUntilLoaded(trial);
    const check = trial.addCheck({ name: 'my marks', kind: 'marks', settings: {} });
    trial.setDecidingCheck(check);
    const { order } = trial.state.getState();
    for (const row of [0, 1, 2]) {
      trial.setMark({ caseId: order[row] ?? '', columnId: 'a', repeat: 1 }, row === 1 ? 'wrong' : 'right');
      // The next mark is set while this one is still being counted.
      for (let turns = 0; turns < 3; turns += 1) await new Promise((resolve) => void setImmediate(resolve));
    }
    await waitUntil(() => trial.state.getState().verdict?.counted === 3);
    expect(trial.state.getState().verdict?.columns[0]).toMatchObject({ passed: 2 });
    await trial.whenSaved();
    const expected = await computeStoredTotals(bench, 0);
    expect(trial.state.getState().verdict).toEqual(expected.verdict);
    expect(trial.state.getState().progress).toEqual(expected.progress);
  });

  it('reports progress while answers are being read, and then while they are being counted', async () => {
    let nowMs = 0;
    const { trial, initialState } = await openLargeTrial({ clock: () => (nowMs += 400) });
    const loadingStates: OpenTrialState['loading'][] = [initialState.loading];
    trial.state.subscribe(({ loading }) => loadingStates.push(loading));
    await waitUntilLoaded(trial);
    expect(loadingStates.at(-1)).toBeUndefined();
    expect(loadingStates.at(-2)).toEqual({ name: 'counting', answers: caseCount * columnCount });
    const answerCounts = loadingStates
      .slice(0, -2)
      .map((loading) => (loading?.name === 'reading' ? loading.answers : 0));
    expect(answerCounts.length).toBeGreaterThan(2);
    expect(answerCounts).toEqual([...new Set(answerCounts)].toSorted((a, b) => a - b));
    expect(Math.min(...answerCounts)).toBeGreaterThan(0);
  });

  it('re-scores all answers if a check is edited while they load', async () => {
    const { bench, trial, initialState } = await openLargeTrial({ records: createMemoryRecordStore() });
    const { cases: testCases } = createLargeTrial(caseCount, columnCount);
    const lastCellId = getCellId({ caseId: testCases.at(-1)?.id ?? '', columnId: 'a', repeat: 1 });
    expect(initialState.cells.has(lastCellId)).toBe(false);
    trial.editCheck({ ...testCheck, kind: 'contains', expected: { text: 'changed' } });
    const runId = lastCellId.replaceAll(' ', '').slice(0, -1);
    const run = createAnsweredRun('{"team":"changed"}', { id: runId, sessionId: 'trial' });
    await bench.records.write([{ store: 'runs', put: toStoredCellRun(run, 'a') }]);
    await waitUntil(() => trial.state.getState().cells.get(lastCellId)?.head === 'changed');
    expect(trial.state.getState().cells.get(lastCellId)?.scores[testCheck.id]?.result).toBe('passed');
  });

  it('keeps all answers if the trial is edited while they load', async () => {
    // The last column has answers only in the last rows, which are not loaded yet.
    const lateCaseIds = new Set(
      createLargeTrial(caseCount, columnCount)
        .cases.slice(-100)
        .map(({ id }) => id),
    );
    const { bench, trial, initialState } = await openLargeTrial(
      {},
      ({ columnId, caseId }) => columnId !== 'f' || lateCaseIds.has(caseId),
    );
    expect([...initialState.cells.values()].some(({ columnId }) => columnId === 'f')).toBe(false);
    const [removedId = ''] = initialState.trial.batches[0]?.caseIds.slice(-1) ?? [];
    trial.removeCases([removedId]);
    trial.removeColumn('f');
    await trial.addCases([{ values: { ticket: 'a new one', team: 'legal' } }]);
    expect(trial.state.getState().loading).toBeUndefined();
    await trial.whenSaved();
    const storedTrial = await readStoredTrial(bench.records, 'trial');
    expect(storedTrial?.trial.retired.columns.map(({ id }) => id)).toEqual(['f']);
    expect(storedTrial?.trial.retired.caseIds).toEqual([removedId]);
    expect(storedTrial?.cells.size).toBe(caseCount * (columnCount - 1) + lateCaseIds.size);
    expect(trial.state.getState().progress).toMatchObject({ cells: caseCount * (columnCount - 1) });
  });

  it('reports that some answers could not be loaded, and loads them when the trial is opened again', async () => {
    const records = createMemoryRecordStore();
    let isBroken = true;
    const { bench, trial } = await openLargeTrial({
      records: {
        ...records,
        listByTrial: async (store, id, part) => {
          if (isBroken && store === 'cells' && part?.after !== undefined)
            throw new Error('The disk is gone.');
          return records.listByTrial(store, id, part);
        },
      },
    });
    await waitForStoreState(trial.state, ({ notices }) => notices.length > 0);
    const { notices, verdict } = trial.state.getState();
    expect(notices[0]?.text).toContain('Could not load all answers of this trial. Nothing was changed.');
    expect(verdict).toBeUndefined();
    await expect(trial.exportCsv()).rejects.toThrow('The disk is gone.');
    trial.release();
    isBroken = false;
    const reopenedTrial = await openTrialInTab(bench);
    await waitUntilLoaded(reopenedTrial);
    expect(reopenedTrial.state.getState().verdict?.counted).toBe(caseCount);
  });
});
