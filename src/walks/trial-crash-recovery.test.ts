/** Tabs that die, or let go, at the worst moments: no answer is lost, and none is asked for twice. */
import { setImmediate as turn } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Run } from '../conversation/session/types.ts';
import { buildTrialDraftWrites } from '../state/trials/stored-trial-opener.ts';
import {
  buildCellWrites,
  readCellRun,
  readStoredTrial,
  toStoredCellRun,
} from '../state/trials/trial-records.ts';
import { createMemoryRecordStore } from '../storage/memory-store.ts';
import type { RecordStore } from '../storage/record-store.ts';
import { aBrowser } from '../testing/browser.ts';
import { aGate } from '../testing/builders.ts';
import {
  anOpenTrial,
  aTrialBench,
  aTrialUnderWay,
  openTrialIn,
  someCases,
  stateIs,
} from '../testing/open-trials.ts';
import type { ChatScript } from '../testing/scripted-gateway.ts';
import { aCheck, anAnsweredRun, aTrial, someColumns } from '../testing/trials.ts';
import { settled, until } from '../testing/wait-until.ts';
import { buildCell } from '../trials/cell.ts';
import { hashCheck } from '../trials/checks/score-answer.ts';
import { getHeartbeatId, readHeartbeat } from '../trials/trial-schemas.ts';

beforeEach(() => {
  vi.stubGlobal('navigator', { onLine: true });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const columns = someColumns('north/one');

/** A gateway that answers after a moment. */
const soon: ChatScript = async (answer) => {
  await turn();
  answer.whole('{"team":"billing"}');
};

/** These records, but cells are never written; `isTried` tells that they were to be. */
function withoutCells(records: RecordStore): { records: RecordStore; isTried: () => boolean } {
  let isTried = false;
  const never = new Promise<never>(() => undefined);
  return {
    records: {
      ...records,
      write: (writes, options) => {
        if (!writes.some((write) => write.store === 'cells' && 'put' in write))
          return records.write(writes, options);
        isTried = true;
        return never;
      },
    },
    isTried: () => isTried,
  };
}

const stateOnDisk = async (records: RecordStore) =>
  (await readStoredTrial(records, 'trial'))?.trial.state.name;

describe('what a dead tab has left', () => {
  it('is taken in once each: answers become cells, and what has none is asked again', async () => {
    const records = createMemoryRecordStore();
    const { bench, gateway } = await aTrialBench(soon, { records });
    const key = (caseId: string) => ({ caseId, columnId: 'a', repeat: 1 });
    const runOf = (caseId: string, changes: Partial<Run> = {}) =>
      anAnsweredRun('{"team":"billing"}', {
        id: `run ${caseId}`,
        cell: { trialId: 'trial', ...key(caseId) },
        ...changes,
      });
    const rejected = {
      source: 'gateway' as const,
      kind: 'failed' as const,
      message: 'Wrong key',
      status: 401,
    };
    const runs = [
      runOf('1'),
      runOf('2'),
      runOf('3', { phase: { name: 'failed', error: rejected }, status: 401 }),
      runOf('4', { phase: { name: 'waiting' } }),
      // Of the fifth nothing was stored.
    ];
    const known = buildCell(runOf('1'), key('1'), 1);
    if (!known) throw new Error('It has not ended');
    // As nobody would score it now: it is left as it is stored.
    const of = hashCheck(aCheck, { ticket: 'ticket 1', team: 'billing' });
    const kept = { ...known, scores: { check: { of, result: 'failed' as const } } };
    const trial = aTrial(5, { columns, state: { name: 'paused', at: 1, why: 'person' } });
    await records.write([
      ...buildTrialDraftWrites(trial, someCases(5)),
      ...buildCellWrites(trial, new Map([['1 a 1', kept]])),
      ...runs.map((run) => ({ store: 'runs' as const, put: toStoredCellRun(run, 'a') })),
      { store: 'tapes', put: { runId: 'run 2', firstSeq: 0, entries: [{ at: 1, data: 'x' }] } },
      {
        store: 'trials',
        put: {
          id: getHeartbeatId('trial'),
          at: Date.now(),
          runs: ['1', '2', '3', '4', '5'].map((caseId) => ({ ...key(caseId), runId: `run ${caseId}` })),
        },
      },
    ]);
    const opened = await openTrialIn(bench);
    const { cells } = opened.state.getState();
    expect([...cells.values()]).toMatchObject([
      { runId: 'run 1', tries: 1, scores: { check: { result: 'failed' } } },
      { runId: 'run 2', tries: 1, scores: { check: { result: 'passed' } } },
    ]);
    expect(opened.state.getState().progress).toMatchObject({ ended: 2, missing: 0 });
    const phases = await Promise.all(
      runs.map(async ({ id }) => readCellRun(await records.readRecord('runs', id), trial)?.phase.name),
    );
    expect(phases).toEqual(['complete', 'complete', 'failed', 'interrupted']);
    expect(await records.readTape('run 2')).toMatchObject([{ entries: [], count: 1 }]);
    expect(readHeartbeat(await records.readRecord('trials', getHeartbeatId('trial')))?.runs).toEqual([]);
    expect(gateway.posts).toHaveLength(0);
    await opened.run();
    await stateIs(opened, 'finished');
    expect(gateway.posts).toHaveLength(3);
    expect([...cells.values()].map(({ tries }) => tries)).toEqual([1, 1, 1, 1, 1]);
  });

  it('is not taken in by a tab that has left the trial, until it is opened there again', async () => {
    const { bench, trial } = await aTrialUnderWay(9, columns);
    await trial.whenSaved();
    const other = await bench.another();
    const left = await openTrialIn(other);
    expect(left.state.getState().runnerStatus).toEqual({ name: 'another tab' });
    left.release();
    bench.tab.kill();
    await settled(() => left.state.getState().changes);
    expect(left.state.getState().runnerStatus).toEqual({ name: 'another tab' });
    const again = await openTrialIn(other);
    expect(again).not.toBe(left);
    expect(again.state.getState().runnerStatus.name).toBe('counting down');
  });
});

describe('a tab that dies', () => {
  it('is followed by one that has the trial open beside it', async () => {
    const { bench, trial, gate } = await aTrialUnderWay(5, columns);
    await trial.whenSaved();
    const beside = await openTrialIn(await bench.another());
    expect(beside.state.getState().runnerStatus).toEqual({ name: 'another tab' });
    bench.tab.kill();
    gate.open();
    await until(() => beside.state.getState().runnerStatus.name === 'counting down');
    await beside.takeOver();
    await stateIs(beside, 'finished');
    expect(beside.state.getState().progress).toMatchObject({ ended: 5, missing: 0 });
  });

  it('before its last answers are stored as cells leaves them to the next', async () => {
    const records = createMemoryRecordStore();
    const { bench, gateway } = await aTrialBench(soon, { records: withoutCells(records).records });
    const trial = await anOpenTrial(bench, someCases(5), { columns });
    await trial.run();
    await until(async () => (await stateOnDisk(records)) === 'finished');
    const next = await openTrialIn(await bench.reopened({ records }));
    expect(next.state.getState().cells.size).toBe(5);
    expect(gateway.posts).toHaveLength(5);
  });

  it('while it takes in what another had left leaves all of that as it was', async () => {
    const records = createMemoryRecordStore();
    const { bench, gateway } = await aTrialBench(soon, { records: withoutCells(records).records });
    const trial = await anOpenTrial(bench, someCases(5), { columns });
    await trial.run();
    await until(async () => (await stateOnDisk(records)) === 'finished');
    const stuck = withoutCells(records);
    const second = await bench.reopened({ records: stuck.records });
    void openTrialIn(second);
    await until(stuck.isTried);
    await second.saved();
    const next = await openTrialIn(await second.reopened({ records }));
    expect(next.state.getState().cells.size).toBe(5);
    expect(gateway.posts).toHaveLength(5);
  });

  it('while another reads what is stored leaves to that also what came meanwhile', async () => {
    const records = createMemoryRecordStore();
    // Nothing but the store tells one tab of the other.
    const { bench, gateway } = await aTrialBench(soon, {
      records,
      browser: aBrowser({ hasChannels: false }),
    });
    const gate = aGate();
    gateway.onChat(async (answer) => {
      const count = gateway.posts.length;
      if (count > 3) await gate.opened;
      // Those beyond are under way when the tab dies.
      if (count <= 15) answer.whole('{"team":"billing"}');
    });
    const trial = await anOpenTrial(bench, someCases(30), { columns });
    await trial.run();
    await until(() => gateway.posts.length === 6);
    await trial.whenSaved();
    const [isRead, goesOn] = [aGate(), aGate()];
    const second = await bench.another({
      records: {
        ...records,
        listOfTrial: async (...of) => {
          const found = await records.listOfTrial(...of);
          isRead.open();
          await goesOn.opened;
          return found;
        },
      },
    });
    const opening = openTrialIn(second);
    await isRead.opened;
    gate.open();
    await until(() => trial.state.getState().cells.size === 15);
    await trial.whenSaved();
    bench.tab.kill();
    goesOn.open();
    expect((await opening).state.getState().cells.size).toBe(15);
  });
});
