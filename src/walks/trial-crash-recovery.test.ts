/** Tests tabs that crash or release a trial at the worst moments: no answer is lost, and none is requested twice. */
import { setImmediate as turn } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import type { Run } from '../conversation/session/types.ts';
import {
  buildTrialDraftWrites,
  buildAllCellWrites,
  readCellRun,
  readStoredTrial,
  toStoredCellRun,
} from '../state/trials/repository/trial-records.ts';
import { createMemoryRecordStore } from '../storage/memory-record-store.ts';
import type { RecordStore } from '../storage/record-store.ts';
import { createTestBrowser } from '../testing/browser.ts';
import { createGate } from '../testing/builders.ts';
import {
  createOpenTrial,
  createTrialTab,
  createRunningTrial,
  openTrialInTab,
  createCases,
  waitForTrialState,
} from '../testing/open-trials.ts';
import type { ChatScript } from '../testing/scripted-gateway.ts';
import { testCheck, createAnsweredRun, createTestTrial, createColumns } from '../testing/trials.ts';
import { waitForStableNumber, waitUntil } from '../testing/wait-until.ts';
import { buildCell } from '../trials/cell.ts';
import { hashCheck } from '../trials/checks/score-answer.ts';
import { getHeartbeatId, readHeartbeat } from '../trials/trial-schemas.ts';

const columns = createColumns('north/one');

/** Answers in the next turn of the event loop, not immediately. */
const answerSoon: ChatScript = async (answer) => {
  await turn();
  answer.sendAnswer('{"team":"billing"}');
};

/** Wraps records so that writes of cells never finish; `hasTriedCells` reports whether one was attempted. */
function blockCellWrites(records: RecordStore): { records: RecordStore; hasTriedCells: () => boolean } {
  let isTried = false;
  const neverResolved = new Promise<never>(() => undefined);
  return {
    records: {
      ...records,
      write: (writes, options) => {
        if (!writes.some((write) => write.store === 'cells' && 'put' in write))
          return records.write(writes, options);
        isTried = true;
        return neverResolved;
      },
    },
    hasTriedCells: () => isTried,
  };
}

const readStoredState = async (records: RecordStore) =>
  (await readStoredTrial(records, 'trial'))?.trial.state.name;

/** Runs a trial of five cases to its end in a tab that stores the answers, but not the cells. */
async function finishWithoutCells() {
  const records = createMemoryRecordStore();
  const tab = await createTrialTab(answerSoon, { records: blockCellWrites(records).records });
  const trial = await createOpenTrial(tab.bench, createCases(5), { columns });
  await trial.run();
  await waitUntil(async () => (await readStoredState(records)) === 'finished');
  return { ...tab, records };
}

describe('data of a crashed tab', () => {
  it('turns stored answers into cells exactly once and retries the missing ones', async () => {
    const records = createMemoryRecordStore();
    const { bench, gateway } = await createTrialTab(answerSoon, { records });
    const createKey = (caseId: string) => ({ caseId, columnId: 'a', repeat: 1 });
    const createCaseRun = (caseId: string, changes: Partial<Run> = {}) =>
      createAnsweredRun('{"team":"billing"}', {
        id: `run ${caseId}`,
        cell: { trialId: 'trial', ...createKey(caseId) },
        ...changes,
      });
    const rejection = {
      source: 'gateway' as const,
      kind: 'failed' as const,
      message: 'Wrong key',
      status: 401,
    };
    const runs = [
      createCaseRun('1'),
      createCaseRun('2'),
      createCaseRun('3', { phase: { name: 'failed', error: rejection }, status: 401 }),
      createCaseRun('4', { phase: { name: 'waiting' } }),
      // The fifth run was never stored.
    ];
    const existingCell = buildCell(createCaseRun('1'), createKey('1'), 1);
    if (!existingCell) throw new Error('The run has not ended');
    // Deliberately the opposite of the current check's result, to prove that stored scores stay unchanged.
    const caseHash = hashCheck(testCheck, { ticket: 'ticket 1', team: 'billing' });
    const storedCell = { ...existingCell, scores: { check: { of: caseHash, result: 'failed' as const } } };
    const trial = createTestTrial(5, { columns, state: { name: 'paused', at: 1, why: 'person' } });
    await records.write([
      ...buildTrialDraftWrites(trial, createCases(5)),
      ...buildAllCellWrites(trial, new Map([['1 a 1', storedCell]])),
      ...runs.map((run) => ({ store: 'runs' as const, put: toStoredCellRun(run, 'a') })),
      { store: 'tapes', put: { runId: 'run 2', firstSeq: 0, entries: [{ at: 1, data: 'x' }] } },
      {
        store: 'trials',
        put: {
          id: getHeartbeatId('trial'),
          at: Date.now(),
          runs: ['1', '2', '3', '4', '5'].map((caseId) => ({ ...createKey(caseId), runId: `run ${caseId}` })),
        },
      },
    ]);
    const openedTrial = await openTrialInTab(bench);
    const { cells } = openedTrial.state.getState();
    expect([...cells.values()]).toMatchObject([
      { runId: 'run 1', tries: 1, scores: { check: { result: 'failed' } } },
      { runId: 'run 2', tries: 1, scores: { check: { result: 'passed' } } },
    ]);
    expect(openedTrial.state.getState().progress).toMatchObject({ ended: 2, missing: 0 });
    const phases = await Promise.all(
      runs.map(async ({ id }) => readCellRun(await records.readRecord('runs', id), trial)?.phase.name),
    );
    expect(phases).toEqual(['complete', 'complete', 'failed', 'interrupted']);
    expect(await records.readTape('run 2')).toMatchObject([{ entries: [], count: 1 }]);
    expect(readHeartbeat(await records.readRecord('trials', getHeartbeatId('trial')))?.runs).toEqual([]);
    expect(gateway.posts).toHaveLength(0);
    await openedTrial.run();
    await waitForTrialState(openedTrial, 'finished');
    expect(gateway.posts).toHaveLength(3);
    expect([...cells.values()].map(({ tries }) => tries)).toEqual([1, 1, 1, 1, 1]);
  });

  it('recovers nothing in a tab that has closed the trial until that tab opens the trial again', async () => {
    const { bench, trial } = await createRunningTrial(9, columns);
    await trial.whenSaved();
    const otherTab = await bench.openAnotherTab();
    const otherTrial = await openTrialInTab(otherTab);
    expect(otherTrial.state.getState().runnerStatus).toEqual({ name: 'another tab' });
    otherTrial.release();
    bench.tab.kill();
    await waitForStableNumber(() => otherTrial.state.getState().changeCount);
    expect(otherTrial.state.getState().runnerStatus).toEqual({ name: 'another tab' });
    const reopenedTrial = await openTrialInTab(otherTab);
    expect(reopenedTrial).not.toBe(otherTrial);
    expect(reopenedTrial.state.getState().runnerStatus.name).toBe('counting down');
  });
});

describe('tab that crashes', () => {
  it('lets another open tab take over a trial after a crash', async () => {
    const { bench, trial, gate } = await createRunningTrial(5, columns);
    await trial.whenSaved();
    const otherTrial = await openTrialInTab(await bench.openAnotherTab());
    expect(otherTrial.state.getState().runnerStatus).toEqual({ name: 'another tab' });
    bench.tab.kill();
    gate.open();
    await waitUntil(() => otherTrial.state.getState().runnerStatus.name === 'counting down');
    await otherTrial.takeOver();
    await waitForTrialState(otherTrial, 'finished');
    expect(otherTrial.state.getState().progress).toMatchObject({ ended: 5, missing: 0 });
  });

  it('recovers the last answers if the tab crashes before storing them as cells', async () => {
    const { bench, gateway, records } = await finishWithoutCells();
    const nextTrial = await openTrialInTab(await bench.reopen({ records }));
    expect(nextTrial.state.getState().cells.size).toBe(5);
    expect(gateway.posts).toHaveLength(5);
  });

  it('keeps the recorded answers if the recovering tab also crashes', async () => {
    const { bench, gateway, records } = await finishWithoutCells();
    const blockedWrites = blockCellWrites(records);
    const secondTab = await bench.reopen({ records: blockedWrites.records });
    void openTrialInTab(secondTab);
    await waitUntil(blockedWrites.hasTriedCells);
    await secondTab.waitUntilSaved();
    const nextTrial = await openTrialInTab(await secondTab.reopen({ records }));
    expect(nextTrial.state.getState().cells.size).toBe(5);
    expect(gateway.posts).toHaveLength(5);
  });

  it("includes answers that arrive between another tab's read of the trial and the crash", async () => {
    const records = createMemoryRecordStore();
    // Without channels the tabs see each other only through the store.
    const { bench, gateway } = await createTrialTab(answerSoon, {
      records,
      browser: createTestBrowser({ hasChannels: false }),
    });
    const gate = createGate();
    gateway.setChatScript(async (answer) => {
      const count = gateway.posts.length;
      if (count > 3) await gate.opened;
      // Later requests are still in flight when the tab dies.
      if (count <= 15) answer.sendAnswer('{"team":"billing"}');
    });
    const trial = await createOpenTrial(bench, createCases(30), { columns });
    await trial.run();
    await waitUntil(() => gateway.posts.length === 6);
    await trial.whenSaved();
    const [readGate, resumeGate] = [createGate(), createGate()];
    const secondTab = await bench.openAnotherTab({
      records: {
        ...records,
        listByTrial: async (...args) => {
          const storedPart = await records.listByTrial(...args);
          readGate.open();
          await resumeGate.opened;
          return storedPart;
        },
      },
    });
    const openPromise = openTrialInTab(secondTab);
    await readGate.opened;
    gate.open();
    await waitUntil(() => trial.state.getState().cells.size === 15);
    await trial.whenSaved();
    bench.tab.kill();
    resumeGate.open();
    expect((await openPromise).state.getState().cells.size).toBe(15);
  });
});
