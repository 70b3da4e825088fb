/** Trials too large to be there at once: what can be said of them, and done, while their answers are read. */
import { describe, expect, it } from 'vitest';

import { runToCompletion } from '../lib/steps.ts';
import type { OpenTrial, OpenTrialState } from '../state/trials/open-trial.ts';
import { createTrialResults } from '../state/trials/results/trial-results.ts';
import { buildTrialDraftWrites } from '../state/trials/stored-trial-opener.ts';
import { buildCellWrites, readStoredTrial, toStoredCellRun } from '../state/trials/trial-records.ts';
import { createMemoryRecordStore } from '../storage/memory-store.ts';
import { aBench, whenTrue, type Bench, type BenchOptions } from '../testing/bench.ts';
import { openTrialIn } from '../testing/open-trials.ts';
import { aCheck, aLargeTrial, anAnsweredRun } from '../testing/trials.ts';
import { until } from '../testing/wait-until.ts';
import { getCellId } from '../trials/case-order.ts';
import { hashCheck } from '../trials/checks/score-answer.ts';
import { toPlainText } from '../trials/describe-verdict.ts';
import type { Cell } from '../trials/trial.ts';

const columns = 6;
const cases = 800;

/** A trial of 4,800 answers that is stored and not whole yet where it has been opened. */
async function aLargeOpening(
  options: BenchOptions = {},
  isAnswered: (cell: Cell) => boolean = () => true,
): Promise<{ bench: Bench; trial: OpenTrial; early: OpenTrialState }> {
  const bench = await aBench(options);
  const large = aLargeTrial(cases, columns);
  const values = new Map(large.cases.map((each) => [each.id, each.values]));
  for (const { caseId, scores } of large.cells)
    for (const score of Object.values(scores)) score.of = hashCheck(aCheck, values.get(caseId) ?? {});
  const { baseline, margin, repeats } = large.trial;
  const ids = large.trial.columns.map(({ id }) => id);
  const plan = { at: 0, cases, repeats, columns: ids, decides: aCheck.id, baseline, margin };
  const trial = { ...large.trial, plan };
  const cells = new Map(large.cells.filter(isAnswered).map((cell) => [getCellId(cell), cell]));
  await bench.records.write([...buildTrialDraftWrites(trial, large.cases), ...buildCellWrites(trial, cells)]);
  const opened = await openTrialIn(bench);
  return { bench, trial: opened, early: opened.state.getState() };
}

const isWhole = (trial: OpenTrial): Promise<void> =>
  whenTrue(trial.state, ({ loading }) => loading === undefined);

describe('a large trial', () => {
  it('opens with its first answers, says nothing that is counted before all are there, and then what it says at once', async () => {
    const { bench, trial, early } = await aLargeOpening();
    expect(early.loading?.name).toBe('reading');
    const first = early.trial.batches[0]?.caseIds.slice(0, 64) ?? [];
    for (const caseId of first)
      for (const { id: columnId } of early.trial.columns)
        expect(early.cells.has(getCellId({ caseId, columnId, repeat: 1 }))).toBe(true);
    expect(early.verdict).toBeUndefined();
    expect(early.tables.size).toBe(0);
    expect(early.progress.ended).toBe(0);
    expect(early.columns.map(({ answered }) => answered)).toEqual(Array(columns).fill(0));

    await isWhole(trial);
    const { cells, verdict, verdictText, progress, columns: facts } = trial.state.getState();
    expect(cells.size).toBe(cases * columns);
    const stored = await readStoredTrial(bench.records, 'trial');
    if (!stored) throw new Error('It is not stored');
    const standing = createTrialResults();
    standing.rebuild(stored);
    const page = {
      perMinute: 50,
      slots: 3,
      inFlight: 0,
      getPastStats: () => undefined,
      quotaBytes: undefined,
    };
    const whole = runToCompletion(standing.computeTotals(stored, page));
    expect(verdict).toEqual(whole.verdict);
    expect(facts).toEqual(whole.columns);
    expect(progress).toEqual(whole.progress);
    expect(toPlainText(verdictText.first)).toBe(toPlainText(whole.verdictText.first));
    const trials = await bench.lazyTrials.load();
    expect(await trials.getVerdictSentence('trial')).toEqual(verdictText.first);
    trial.release();
    expect(await trials.getVerdictSentence('trial'), 'also when it is not open').toEqual(verdictText.first);
  });

  it('is counted again after each change, also after one that comes while it is being counted', async () => {
    const { bench, trial } = await aLargeOpening();
    await isWhole(trial);
    const check = trial.addCheck({ name: 'my marks', kind: 'marks', settings: {} });
    trial.setDecidingCheck(check);
    const { order } = trial.state.getState();
    for (const row of [0, 1, 2]) {
      trial.setMark({ caseId: order[row] ?? '', columnId: 'a', repeat: 1 }, row === 1 ? 'wrong' : 'right');
      // The next mark comes somewhere within the count of this one.
      for (let turns = 0; turns < 3; turns += 1) await new Promise((resolve) => void setImmediate(resolve));
    }
    await until(() => trial.state.getState().verdict?.counted === 3);
    expect(trial.state.getState().verdict?.columns[0]).toMatchObject({ passed: 2 });
    await trial.whenSaved();
    const stored = await readStoredTrial(bench.records, 'trial');
    if (!stored) throw new Error('It is not stored');
    const standing = createTrialResults();
    standing.rebuild(stored);
    const page = {
      perMinute: 0,
      slots: 3,
      inFlight: 0,
      getPastStats: () => undefined,
      quotaBytes: undefined,
    };
    const whole = runToCompletion(standing.computeTotals(stored, page));
    expect(trial.state.getState().verdict).toEqual(whole.verdict);
    expect(trial.state.getState().progress).toEqual(whole.progress);
  });

  it('says how much of it has been read as it is read, and then that it is counted', async () => {
    let at = 0;
    const { trial, early } = await aLargeOpening({ clock: () => (at += 400) });
    const said: OpenTrialState['loading'][] = [early.loading];
    trial.state.subscribe(({ loading }) => said.push(loading));
    await isWhole(trial);
    expect(said.at(-1)).toBeUndefined();
    expect(said.at(-2)).toEqual({ name: 'counting', answers: cases * columns });
    const reading = said.slice(0, -2).map((opening) => (opening?.name === 'reading' ? opening.answers : 0));
    expect(reading.length).toBeGreaterThan(2);
    expect(reading).toEqual([...new Set(reading)].toSorted((one, other) => one - other));
    expect(Math.min(...reading)).toBeGreaterThan(0);
  });

  it('scores again what a check that is changed meanwhile says of all of its answers', async () => {
    const { bench, trial, early } = await aLargeOpening({ records: createMemoryRecordStore() });
    const { cases: all } = aLargeTrial(cases, columns);
    const last = getCellId({ caseId: all.at(-1)?.id ?? '', columnId: 'a', repeat: 1 });
    expect(early.cells.has(last)).toBe(false);
    trial.editCheck({ ...aCheck, kind: 'contains', expected: { text: 'changed' } });
    const runId = last.replaceAll(' ', '').slice(0, -1);
    const run = anAnsweredRun('{"team":"changed"}', { id: runId, sessionId: 'trial' });
    await bench.records.write([{ store: 'runs', put: toStoredCellRun(run, 'a') }]);
    await until(() => trial.state.getState().cells.get(last)?.head === 'changed');
    expect(trial.state.getState().cells.get(last)?.scores[aCheck.id]?.result).toBe('passed');
  });

  it('loses no answer to what is edited while they are read', async () => {
    // The last column was answered in the last rows alone, which are not there yet.
    const late = new Set(
      aLargeTrial(cases, columns)
        .cases.slice(-100)
        .map(({ id }) => id),
    );
    const { bench, trial, early } = await aLargeOpening(
      {},
      ({ columnId, caseId }) => columnId !== 'f' || late.has(caseId),
    );
    expect([...early.cells.values()].some(({ columnId }) => columnId === 'f')).toBe(false);
    const [gone = ''] = early.trial.batches[0]?.caseIds.slice(-1) ?? [];
    trial.removeCases([gone]);
    trial.removeColumn('f');
    await trial.addCases([{ values: { ticket: 'a new one', team: 'legal' } }]);
    expect(trial.state.getState().loading).toBeUndefined();
    await trial.whenSaved();
    const stored = await readStoredTrial(bench.records, 'trial');
    expect(stored?.trial.retired.columns.map(({ id }) => id)).toEqual(['f']);
    expect(stored?.trial.retired.caseIds).toEqual([gone]);
    expect(stored?.cells.size).toBe(cases * (columns - 1) + late.size);
    expect(trial.state.getState().progress).toMatchObject({ cells: cases * (columns - 1) });
  });

  it('says when not all of its answers could be loaded, and can be opened again', async () => {
    const records = createMemoryRecordStore();
    let isBroken = true;
    const { bench, trial } = await aLargeOpening({
      records: {
        ...records,
        listOfTrial: async (store, id, part) => {
          if (isBroken && store === 'cells' && part?.after !== undefined)
            throw new Error('The disk is gone.');
          return records.listOfTrial(store, id, part);
        },
      },
    });
    await whenTrue(trial.state, ({ notices }) => notices.length > 0);
    const { notices, verdict } = trial.state.getState();
    expect(notices[0]?.text).toContain('Could not load all answers of this trial. Nothing was changed.');
    expect(verdict).toBeUndefined();
    await expect(trial.exportCsv()).rejects.toThrow('The disk is gone.');
    trial.release();
    isBroken = false;
    const again = await openTrialIn(bench);
    await isWhole(again);
    expect(again.state.getState().verdict?.counted).toBe(cases);
  });
});
