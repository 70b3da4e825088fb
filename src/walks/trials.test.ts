/** Tests trials over the real proxy with a scripted gateway. */
import { setImmediate as turn } from 'node:timers/promises';

import { isEqual } from 'es-toolkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { describeVerdict, summarizeVerdict } from '../features/trials/verdict/format-verdict.ts';
import { getOwnProperty } from '../lib/json.ts';
import { readStoredTrial } from '../state/trials/repository/trial-records.ts';
import type { OpenTrial } from '../state/trials/store/open-trial.ts';
import { createMemoryRecordStore } from '../storage/memory-record-store.ts';
import { createBench, type Bench } from '../testing/bench.ts';
import { createTestBrowser } from '../testing/browser.ts';
import { createGate, createTestSetup, createTickedParams } from '../testing/builders.ts';
import {
  createGatedTrialTab,
  createOpenTrial,
  createTrialTab,
  createRunningTrial,
  openTrialInTab,
  realEnvironment,
  createCases,
  getTicket,
  waitForTrialState,
} from '../testing/open-trials.ts';
import type { ChatScript, ScriptedResponse } from '../testing/scripted-gateway.ts';
import { getCaseCount } from '../testing/seeds.ts';
import { createColumns } from '../testing/trials.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { getCellId, listPendingCells } from '../trials/case-order.ts';
import { describeSetupChanges } from '../trials/setup-changes.ts';
import { starters } from '../trials/starters/trial-starters.ts';
import type { Column } from '../trials/trial.ts';

/** Returns the outcome of each cell by the ticket of its case. */
function listOutcomes(trial: OpenTrial): Record<string, string> {
  const { cells, cases } = trial.state.getState();
  return Object.fromEntries(
    [...cells.values()].map(({ caseId, outcome, why }) => [
      cases.get(caseId)?.values['ticket'] ?? '',
      why ?? outcome,
    ]),
  );
}

const oneColumn: Column[] = createColumns('north/one');
const streamedColumns: Column[] = [{ id: 'a', setup: createTestSetup({ model: 'north/one' }) }];

describe('gateway faults during a trial', () => {
  it('records an outcome for each of twelve faults and retries a rate-limited request', async () => {
    const requestCounts = new Map<string, number>();
    const scriptsByTicket: Record<string, (answer: ScriptedResponse) => void> = {
      whole: (answer) => answer.sendAnswer('billing'),
      'cut short by length': (answer) => {
        answer.sendText('bill');
        answer.sendFinishReason('length');
        answer.sendDone();
      },
      empty: (answer) => answer.sendAnswer(),
      'calls a tool': (answer) => {
        answer.sendToolCall(0, 'call', 'route', '{}');
        answer.sendFinishReason('tool_calls');
        answer.sendDone();
      },
      filtered: (answer) => {
        answer.sendText('no');
        answer.sendFinishReason('content_filter');
        answer.sendDone();
      },
      overloaded: (answer) =>
        answer.sendJson(503, { error: { message: 'Overloaded', type: 'overloaded_error' } }),
      'bad request': (answer) =>
        answer.sendJson(400, { error: { message: 'Wrong', type: 'invalid_request_error' } }),
      'error in the stream': (answer) => {
        answer.sendEvent({ error: { message: 'It broke', type: 'server_error' } });
        answer.sendDone();
      },
      'connection cut': (answer) => {
        answer.sendText('bil');
        setImmediate(() => answer.breakConnection());
      },
      silent: (answer) => answer.openStream(),
      'refused for the pace': (answer) =>
        answer.sendJson(
          429,
          { error: { message: 'Slow down', type: 'rate_limit_error' } },
          { 'retry-after': '0' },
        ),
      'a page of another server': (answer) =>
        answer.sendBody(200, '<html><body>Sign in</body></html>', { 'content-type': 'text/html' }),
    };
    const tickets = Object.keys(scriptsByTicket);
    const { bench, gateway } = await createTrialTab(
      (answer, { body }) => {
        const ticket = getTicket(body);
        requestCounts.set(ticket, (requestCounts.get(ticket) ?? 0) + 1);
        const isRepeated = ticket.startsWith('refused') && (requestCounts.get(ticket) ?? 0) > 1;
        if (isRepeated) answer.sendAnswer('billing');
        else scriptsByTicket[ticket]?.(answer);
      },
      { requestsPerMinute: 6000 },
    );
    const trial = await createOpenTrial(bench, createCases(tickets.length, tickets), {
      columns: streamedColumns,
      giveUpAfterMs: 2500,
    });
    await trial.run();
    await waitForTrialState(trial, 'finished');
    expect(listOutcomes(trial)).toEqual({
      whole: 'answered',
      'cut short by length': 'answered',
      empty: 'answered',
      'calls a tool': 'answered',
      filtered: 'filtered',
      overloaded: 'failed',
      'bad request': 'failed',
      'error in the stream': 'failed',
      'connection cut': 'lost',
      silent: 'timed out',
      'refused for the pace': 'answered',
      'a page of another server': 'failed',
    });
    const repeatedTickets = tickets.filter((ticket) => (requestCounts.get(ticket) ?? 0) > 1);
    expect(repeatedTickets).toEqual(['refused for the pace']);
    expect(gateway.posts).toHaveLength(13);
    expect(trial.state.getState().progress).toMatchObject({ cells: 12, ended: 12, missing: 7 });

    // Retrying reruns missing cells only on request; cells counted as missing keep their position.
    gateway.setChatScript((answer) => answer.sendAnswer('billing'));
    await trial.retry();
    await waitForTrialState(trial, 'finished');
    expect(trial.state.getState().progress.missing).toBe(0);
    const lateCells = [...trial.state.getState().cells.values()].filter(
      ({ countedAt }) => countedAt !== undefined,
    );
    expect(new Set(lateCells.map(({ countedAt }) => countedAt))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7]));
    expect(lateCells.every(({ tries }) => tries === 2)).toBe(true);
  });

  it('stops a column whose first two answers are the same rejection, and counts the other columns without it', async () => {
    const { bench } = await createTrialTab((answer, { body }) =>
      body['model'] === 'north/two'
        ? answer.sendJson(400, { error: { message: 'No such field', type: 'invalid_request_error' } })
        : answer.sendAnswer('{"team":"billing"}'),
    );
    const trial = await createOpenTrial(bench, createCases(6), {
      columns: createColumns('north/one', 'north/two'),
    });
    await trial.run();
    await waitForTrialState(trial, 'finished');
    const { trial: endedTrial, progress, verdict, cells } = trial.state.getState();
    expect(endedTrial.columns.map(({ stopped }) => stopped?.report.message)).toEqual([
      undefined,
      'No such field',
    ]);
    expect(progress).toMatchObject({ cells: 6, ended: 6, counted: 6 });
    expect(verdict).toMatchObject({ family: 1, comparisons: [] });
    // Requests that were in flight when the column stopped have also ended.
    expect([...cells.values()].filter(({ columnId }) => columnId === 'b').length).toBeLessThan(6);
  });

  it('pauses when the baseline has stopped, and resumes with another baseline', async () => {
    let isRejected = true;
    const { bench } = await createTrialTab((answer) =>
      isRejected
        ? answer.sendJson(400, { error: { message: 'No such field', type: 'invalid_request_error' } })
        : answer.sendAnswer('{"team":"billing"}'),
    );
    const trial = await createOpenTrial(bench, createCases(8), {
      columns: createColumns('north/one', 'north/two'),
    });
    await trial.run();
    await waitForTrialState(trial, 'paused');
    const { trial: pausedTrial, cells } = trial.state.getState();
    expect(pausedTrial.state).toMatchObject({
      why: 'baseline stopped',
      report: { message: 'No such field' },
    });
    isRejected = false;
    // Nothing is sent for the other column as long as it cannot be compared.
    await trial.run();
    await waitForTrialState(trial, 'paused');
    trial.restartColumn('b');
    trial.edit({ baseline: 'b' });
    expect(trial.state.getState().trial.columns.map(({ stopped }) => stopped !== undefined)).toEqual([
      true,
      false,
    ]);
    await trial.run();
    await waitForTrialState(trial, 'finished');
    const missingCells = [...cells.values()].filter(
      ({ columnId, outcome }) => columnId === 'b' && outcome !== 'answered',
    );
    expect(trial.state.getState().progress).toMatchObject({
      cells: 8,
      ended: 8,
      missing: missingCells.length,
    });
    // A retry skips a column that is still stopped.
    await trial.retry();
    await waitForTrialState(trial, 'finished');
    expect(trial.state.getState().progress).toMatchObject({ cells: 8, ended: 8, missing: 0 });
    expect(
      [...trial.state.getState().cells.values()].some(
        ({ columnId, outcome }) => columnId === 'a' && outcome === 'answered',
      ),
    ).toBe(false);
  });

  it('pauses when all columns have stopped', async () => {
    const { bench } = await createTrialTab((answer) =>
      answer.sendJson(400, { error: { message: 'No such field', type: 'invalid_request_error' } }),
    );
    const trial = await createOpenTrial(bench, createCases(8), { columns: oneColumn });
    await trial.run();
    await waitForTrialState(trial, 'paused');
    expect(trial.state.getState().trial.state).toMatchObject({
      why: 'columns stopped',
      report: { message: 'No such field' },
    });
    expect(trial.state.getState().progress).toMatchObject({ cells: 0, ended: 0 });
  });

  it('stops a column with earlier answers after five rejections, not two', async () => {
    let isRejected = false;
    const { bench } = await createTrialTab((answer) =>
      isRejected
        ? answer.sendJson(400, { error: { message: 'No such field', type: 'invalid_request_error' } })
        : answer.sendAnswer('{"team":"billing"}'),
    );
    const firstTrial = await createOpenTrial(bench, createCases(2), { columns: oneColumn });
    await firstTrial.run();
    await waitForTrialState(firstTrial, 'finished');
    await bench.waitUntilSaved();
    isRejected = true;
    const trial = await openTrialInTab(await bench.reopen());
    await trial.addCases([3, 4, 5, 6].map((number) => ({ values: { ticket: `ticket ${number}` } })));
    await trial.run();
    await waitForTrialState(trial, 'finished');
    expect(trial.state.getState().progress).toMatchObject({ ended: 6, missing: 4 });
    await trial.addCases([{ values: { ticket: 'ticket 7' } }, { values: { ticket: 'ticket 8' } }]);
    await trial.run();
    await waitForTrialState(trial, 'paused');
    expect(trial.state.getState().trial.state).toMatchObject({ why: 'columns stopped' });
  });

  it('starts a trial once if Run is pressed twice', async () => {
    const { bench, gateway } = await createTrialTab((answer) => answer.sendAnswer('{"team":"billing"}'));
    const trial = await createOpenTrial(bench, createCases(4), { columns: oneColumn });
    await Promise.all([trial.run(), trial.run()]);
    expect(trial.state.getState().runnerStatus).toEqual({ name: 'here' });
    await waitForTrialState(trial, 'finished');
    expect(gateway.posts).toHaveLength(4);
  });

  it('pauses a trial on a rejected key and runs the remaining cells on resume', async () => {
    let isRejected = true;
    const { bench, gateway } = await createTrialTab((answer) =>
      isRejected
        ? answer.sendJson(401, { error: { message: 'Wrong key', type: 'authentication_error' } })
        : answer.sendAnswer('{"team":"billing"}'),
    );
    const trial = await createOpenTrial(bench, createCases(4), { columns: oneColumn });
    await trial.run();
    await waitForTrialState(trial, 'paused');
    expect(trial.state.getState().trial.state).toMatchObject({ why: 'key', report: { status: 401 } });
    expect(trial.state.getState().cells.size).toBe(0);
    expect(bench.gateways.getServices().signals.state.getState().keyRejectedAt).toBeDefined();
    isRejected = false;
    const previousCount = gateway.posts.length;
    await trial.run();
    await waitForTrialState(trial, 'finished');
    expect(gateway.posts.length - previousCount).toBe(4);
  });
});

/** Answers correctly after 40 turns of the event loop. */
const answerSoon: ChatScript = async (answer) => {
  for (let turns = 0; turns < 40; turns += 1) await turn();
  answer.sendAnswer('{"team":"billing"}');
};

describe('running trial', () => {
  it('finishes requests in flight on Pause, aborts them on Stop and retries them on Resume', async () => {
    const { bench, gateway } = await createTrialTab(answerSoon);
    const trial = await createOpenTrial(bench, createCases(20), { columns: oneColumn });
    await trial.run();
    await waitUntil(() => trial.state.getState().cells.size >= 3);
    await trial.pause();
    await waitForTrialState(trial, 'paused');
    const pausedCount = trial.state.getState().cells.size;
    expect(gateway.posts).toHaveLength(pausedCount);
    await trial.run();
    await waitUntil(() => trial.state.getState().cells.size >= pausedCount + 3);
    await trial.stop();
    await waitForTrialState(trial, 'stopped');
    await trial.run();
    await waitForTrialState(trial, 'finished');
    expect(trial.state.getState().cells.size).toBe(20);
    // Only requests aborted in flight were sent twice.
    expect(gateway.posts.length - 20).toBeLessThanOrEqual(3);
  });

  it('runs added and retried cells immediately while others are in flight', async () => {
    const gate = createGate();
    const { bench, gateway } = await createTrialTab(async (answer, { body }) => {
      if (getTicket(body) === 'slow') await gate.opened;
      answer.sendAnswer('{"team":"billing"}');
    });
    const trial = await createOpenTrial(bench, createCases(2, ['slow', 'quick']), { columns: oneColumn });
    await trial.run();
    await waitUntil(() => trial.state.getState().cells.size === 1);
    await trial.addCases([{ values: { ticket: 'added', team: 'billing' } }]);
    await waitUntil(() => trial.state.getState().cells.size === 2);
    await trial.retry([{ caseId: '2', columnId: 'a', repeat: 1 }]);
    await waitUntil(() => trial.state.getState().cells.get('2 a 1')?.tries === 2);
    gate.open();
    await waitForTrialState(trial, 'finished');
    expect(gateway.posts.map(({ body }) => getTicket(body)).toSorted()).toEqual([
      'added',
      'quick',
      'quick',
      'slow',
    ]);
  });

  it('keeps the position of a cell that is retried before its case was counted', async () => {
    const gate = createGate();
    let isBroken = true;
    const { bench } = await createTrialTab(async (answer, { body }) => {
      if (body['model'] === 'north/two') await gate.opened;
      if (isBroken) answer.sendJson(503, { error: { message: 'Overloaded', type: 'overloaded_error' } });
      else answer.sendAnswer('{"team":"billing"}');
    });
    const trial = await createOpenTrial(bench, createCases(1), {
      columns: createColumns('north/one', 'north/two'),
    });
    const getCell = (columnId: string) => trial.state.getState().cells.get(`1 ${columnId} 1`);
    await trial.run();
    await waitUntil(() => getCell('a')?.outcome === 'no answer');
    isBroken = false;
    await trial.retry([{ caseId: '1', columnId: 'a', repeat: 1 }]);
    await waitUntil(() => getCell('a')?.tries === 2);
    gate.open();
    await waitForTrialState(trial, 'finished');
    expect([getCell('a')?.outcome, getCell('b')?.outcome]).toEqual(['answered', 'answered']);
    expect(getCell('a')).not.toHaveProperty('countedAt');
  });

  it('finishes a trial if its last requests were in flight on Pause', async () => {
    const { trial, gate } = await createRunningTrial(3, oneColumn);
    await trial.pause();
    expect(trial.state.getState()).toMatchObject({
      trial: { state: { name: 'paused', why: 'person' } },
      runnerStatus: { name: 'here' },
    });
    gate.open();
    await waitForTrialState(trial, 'finished');
    expect(trial.state.getState().cells.size).toBe(3);
  });

  it('finishes a trial if its last requests were in flight on Pause and a column has stopped', async () => {
    const gate = createGate();
    const { bench, gateway } = await createTrialTab(async (answer, { body }) => {
      if (body['model'] === 'north/two')
        return answer.sendJson(400, { error: { message: 'No such field', type: 'invalid_request_error' } });
      await gate.opened;
      return answer.sendAnswer('{"team":"billing"}');
    });
    const columns = createColumns('north/one', 'north/two');
    const trial = await createOpenTrial(bench, createCases(3), { columns });
    await trial.run();
    const listStopped = () =>
      trial.state.getState().trial.columns.map((column) => column.stopped !== undefined);
    await waitUntil(() => listStopped()[1] === true);
    await waitUntil(() => gateway.posts.filter(({ body }) => body['model'] === 'north/one').length === 3);
    await trial.pause();
    gate.open();
    await waitForTrialState(trial, 'finished');
    expect(listStopped()).toEqual([false, true]);
  });

  it('does not run a trial a second time in a tab that has received no update', async () => {
    const { bench, gateway, gate } = await createGatedTrialTab(0, {
      browser: createTestBrowser({ hasChannels: false }),
    });
    const trial = await createOpenTrial(bench, createCases(5), { columns: oneColumn });
    const otherTrial = await openTrialInTab(await bench.openAnotherTab());
    await trial.run();
    await waitUntil(() => gateway.posts.length === 3);
    await expect(otherTrial.run()).rejects.toThrow('Running in another tab.');
    expect(otherTrial.state.getState().runnerStatus).toEqual({ name: 'another tab' });
    gate.open();
    await waitForTrialState(trial, 'finished');
    expect(gateway.posts).toHaveLength(5);
  });

  it('counts marks from two tabs immediately in both tabs', async () => {
    const { bench } = await createTrialTab();
    const marksCheck = { id: 'marks', name: 'mine', kind: 'marks' as const, settings: {} };
    const trial = await createOpenTrial(bench, createCases(2), {
      columns: oneColumn,
      checks: [marksCheck],
      decides: 'marks',
    });
    await trial.run();
    await waitForTrialState(trial, 'finished');
    const otherTrial = await openTrialInTab(await bench.openAnotherTab());
    const key = { caseId: trial.state.getState().order[0] ?? '', columnId: 'a', repeat: 1 };
    const getCounts = (openTrial: OpenTrial) => {
      const { verdict } = openTrial.state.getState();
      return { counted: verdict?.counted, passed: verdict?.columns[0]?.passed };
    };
    const waitForCounts = (openTrial: OpenTrial, counted: number, passed: number) =>
      waitUntil(() => isEqual(getCounts(openTrial), { counted, passed }));
    trial.setMark(key, 'right');
    await waitForCounts(otherTrial, 1, 1);
    otherTrial.setMark(key, 'wrong');
    await waitForCounts(trial, 1, 0);
    otherTrial.setMark(key, undefined);
    await waitForCounts(trial, 0, 0);
    expect([trial.state.getState().marks.size, otherTrial.state.getState().marks.size]).toEqual([0, 0]);
  });

  it('leaves no records for cells that were queued on Pause', async () => {
    const { bench, gateway, trial, gate } = await createRunningTrial(20, oneColumn);
    await waitUntil(() => trial.state.getState().liveCells.size === 5);
    await trial.pause();
    gate.open();
    await waitForTrialState(trial, 'paused');
    await trial.whenSaved();
    await bench.waitUntilSaved();
    const { cells, liveCells } = trial.state.getState();
    expect([cells.size, liveCells.size, gateway.posts.length]).toEqual([3, 0, 3]);
    const cellRunIds = [...cells.values()].map(({ runId }) => runId).toSorted();
    expect((await bench.records.listKeys('runs')).toSorted()).toEqual(cellRunIds);
  });

  it('keeps a trial paused in the running tab even if another tab edits it at that moment', async () => {
    const { bench, gateway, trial, gate } = await createRunningTrial(20, oneColumn);
    const otherTrial = await openTrialInTab(await bench.openAnotherTab());
    expect(otherTrial.state.getState().trial.state.name).toBe('running');
    // The other tab has not received the pause yet, so it edits a running trial.
    const unsubscribe = trial.state.subscribe((state) => {
      if (state.trial.state.name !== 'paused') return;
      unsubscribe();
      otherTrial.edit({ title: 'Mine' });
    });
    await trial.pause();
    await waitUntil(() => trial.state.getState().trial.title === 'Mine');
    expect(trial.state.getState().trial.state.name).toBe('paused');
    gate.open();
    await waitForTrialState(trial, 'paused');
    expect(gateway.posts).toHaveLength(3);
  });

  it('shows a running trial live in another tab and continues it there on request', async () => {
    const { bench, gateway, gate } = await createGatedTrialTab(12);
    const trial = await createOpenTrial(bench, createCases(30), { columns: oneColumn });
    await trial.run();
    await waitUntil(() => trial.state.getState().cells.size >= 3);
    const otherTab = await bench.openAnotherTab();
    const otherTrial = await openTrialInTab(otherTab);
    expect(otherTrial.state.getState().runnerStatus).toEqual({ name: 'another tab' });
    await expect(otherTrial.run()).resolves.toBeUndefined();
    await waitUntil(() => otherTrial.state.getState().cells.size >= 6);
    // From here on, the responses in flight are held until the gate opens.
    await waitUntil(() => gateway.posts.length === 15 && trial.state.getState().cells.size === 12);
    const findRunningCell = () => {
      const { liveCells, cells } = trial.state.getState();
      return [...liveCells.values()].find((cell) => cell.status === 'waiting' && !cells.has(getCellId(cell)));
    };
    // The state may be published after the gateway has received the requests.
    await waitUntil(() => findRunningCell() !== undefined);
    const runningCell = findRunningCell();
    if (!runningCell) throw new Error('No cell is in flight');
    // A cell running in another tab can be read live from storage.
    await waitUntil(() => otherTrial.state.getState().liveCells.has(getCellId(runningCell)));
    await waitUntil(async () => (await otherTrial.readCell(runningCell))?.run.phase.name === 'waiting');
    expect((await otherTrial.readCell(runningCell))?.run.id).toBe(runningCell.runId);
    const takeover = otherTrial.takeOver();
    await waitUntil(() => trial.state.getState().liveCells.size === 3);
    gate.open();
    await takeover;
    expect(otherTrial.state.getState().runnerStatus).toEqual({ name: 'here' });
    await waitUntil(() => trial.state.getState().runnerStatus.name === 'another tab');
    await waitForTrialState(otherTrial, 'finished');
    await waitUntil(() => trial.state.getState().trial.state.name === 'finished');
    expect(otherTrial.state.getState().cells.size).toBe(30);
    await waitUntil(() => trial.state.getState().cells.size === 30);
    expect(gateway.posts).toHaveLength(30);
  });

  it('keeps the latest edit in both tabs after concurrent edits', async () => {
    const { bench } = await createTrialTab();
    const trial = await createOpenTrial(bench, createCases(3), { columns: oneColumn });
    const otherTrial = await openTrialInTab(await bench.openAnotherTab());
    const getTitle = (tab: OpenTrial) => tab.state.getState().trial.title;
    trial.edit({ title: 'First' });
    const startedAt = Date.now();
    while (Date.now() === startedAt);
    otherTrial.edit({ title: 'Last' });
    await waitUntil(() => getTitle(trial) === 'Last');
    expect(getTitle(otherTrial)).toBe('Last');
  });

  it('merges cases that two tabs add, edit and remove, and keeps all answers', async () => {
    // The last answers are held back, so that the trial does not end before the other tab has edited it.
    const { bench, gate } = await createGatedTrialTab(68);
    const trial = await createOpenTrial(bench, createCases(70), { columns: oneColumn });
    const otherTab = await bench.openAnotherTab();
    const otherTrial = await openTrialInTab(otherTab);
    const listTickets = (openTrial: OpenTrial) =>
      openTrial.state
        .getState()
        .order.map((id) => openTrial.state.getState().cases.get(id)?.values['ticket'] ?? 'unknown')
        .toSorted();
    const changedValues = { ticket: 'changed', team: 'billing' };

    await trial.addCases([{ values: { ticket: 'from here', team: 'billing' } }]);
    await waitUntil(() => listTickets(otherTrial).includes('from here'));
    await otherTrial.addCases([{ values: { ticket: 'from there', team: 'billing' } }]);
    await waitUntil(() => listTickets(trial).includes('from there'));
    await trial.editCase('2', { values: changedValues });
    await waitUntil(() => listTickets(otherTrial).includes('changed'));
    otherTrial.removeCases(['3']);
    await waitUntil(
      () => isEqual(listTickets(trial), listTickets(otherTrial)) && !listTickets(trial).includes('ticket 3'),
    );

    await trial.run();
    await waitUntil(() => trial.state.getState().cells.size > 65);
    await waitUntil(() => otherTrial.state.getState().runnerStatus.name === 'another tab');
    // The other tab has not received all answers yet when it stores its edits.
    await otherTrial.addCases(
      Array.from({ length: 12 }, (_, index) => ({ values: { ticket: `more ${index}` } })),
    );
    otherTrial.removeCases(['70']);
    otherTrial.addCheck({
      name: 'says billing',
      kind: 'contains',
      expected: { text: 'billing' },
      settings: {},
    });
    gate.open();
    await waitForTrialState(trial, 'finished');
    await waitUntil(() => otherTrial.state.getState().cells.size === trial.state.getState().cells.size);
    await Promise.all([trial.whenSaved(), otherTrial.whenSaved()]);
    await Promise.all([bench.waitUntilSaved(), otherTab.waitUntilSaved()]);

    const state = trial.state.getState();
    expect(listTickets(trial)).toHaveLength(82);
    expect(listTickets(otherTrial)).toEqual(listTickets(trial));
    const storedTrial = await readStoredTrial(bench.records, 'trial');
    expect([...(storedTrial?.cases.keys() ?? [])].toSorted()).toEqual([...state.cases.keys()].toSorted());
    const listedCells = [...state.cells.values()].filter(({ caseId }) => state.cases.has(caseId));
    expect(storedTrial?.cells.size).toBe(listedCells.length);
    expect(
      [...(storedTrial?.cells.values() ?? [])].filter(({ scores }) => Object.keys(scores).length !== 2),
    ).toEqual([]);
  });

  it('retries once without a rejected field that Bench added, and never sends the field again', async () => {
    const { bench, gateway } = await createTrialTab((answer, { body }) =>
      getOwnProperty(body, 'stream_options') === undefined
        ? answer.sendAnswer('{"team":"billing"}')
        : answer.sendJson(400, { error: { message: 'Unknown parameter: stream_options' } }),
    );
    const [column] = oneColumn;
    if (!column) throw new Error('The column is missing');
    const usage = { sent: true, text: '{"include_usage":true}', byDefault: true as const };
    const params = { ...createTickedParams({ stream: 'true' }), stream_options: usage };
    const trial = await createOpenTrial(bench, createCases(9), {
      columns: [{ ...column, setup: { ...column.setup, params } }],
    });
    await trial.run();
    await waitForTrialState(trial, 'finished');
    await trial.whenSaved();
    const { cells, trial: endedTrial } = trial.state.getState();
    expect([...cells.values()].map(({ outcome, tries }) => `${outcome} ${tries}`)).toEqual(
      Array(9).fill('answered 1'),
    );
    expect(endedTrial.columns[0]?.stopped).toBeUndefined();
    const requestsWithUsage = gateway.posts.filter(
      ({ body }) => getOwnProperty(body, 'stream_options') !== undefined,
    );
    // These requests were sent before the first rejection arrived.
    expect(requestsWithUsage.length).toBeGreaterThan(0);
    expect(requestsWithUsage.length).toBeLessThanOrEqual(5);
    expect(gateway.posts.length - requestsWithUsage.length).toBe(9);
  });

  it('reads cells before they end and lists waiting and queued cells', async () => {
    const { bench, gateway, gate } = await createGatedTrialTab();
    const trial = await createOpenTrial(bench, createCases(9), { columns: oneColumn });
    const createKey = (row: number) => ({
      caseId: trial.state.getState().order[row] ?? '',
      columnId: 'a',
      repeat: 1,
    });
    expect(await trial.readCell(createKey(0))).toBeUndefined();
    await trial.run();
    await waitUntil(() => gateway.posts.length === 3);
    const listLiveStatuses = () => [...trial.state.getState().liveCells.values()].map(({ status }) => status);
    await waitUntil(() => listLiveStatuses().filter((status) => status === 'waiting').length === 3);
    expect(listLiveStatuses()).toEqual(['waiting', 'waiting', 'waiting', 'in line', 'in line']);
    expect((await trial.readCell(createKey(0)))?.run).toMatchObject({ phase: { name: 'waiting' } });
    expect((await trial.readCell(createKey(3)))?.run).toMatchObject({ phase: { name: 'queued' } });
    expect(await trial.readCell(createKey(8))).toBeUndefined();
    gate.open();
    await waitForTrialState(trial, 'finished');
    const lastReading = await trial.readCell(createKey(8));
    expect(lastReading?.run.phase).toEqual({ name: 'complete' });
    expect(lastReading?.tape.length).toBeGreaterThan(0);
    expect(trial.state.getState().liveCells.size).toBe(0);
  });

  it('reads the text of a counted answer, whether or not it is stored yet', async () => {
    const [fourthGate, laterGate] = [createGate(), createGate()];
    const { bench, gateway } = await createTrialTab(async (answer) => {
      const { length } = gateway.posts;
      if (length > 3) await (length === 4 ? fourthGate : laterGate).opened;
      answer.sendAnswer('{"team":"billing"}');
    });
    const trial = await createOpenTrial(bench, createCases(6), { columns: oneColumn });
    const listCells = () => [...trial.state.getState().cells.values()];
    await trial.run();
    await waitUntil(
      async () => listCells().length === 3 && (await bench.records.listKeys('runs')).length >= 3,
    );
    fourthGate.open();
    // Reads the cells within the one second by which writes are delayed.
    await waitUntil(() => listCells().length === 4);
    const readings = await Promise.all(listCells().map((cell) => trial.readCell(cell)));
    expect(readings.map((reading) => reading?.run.phase.name)).toEqual(Array(4).fill('complete'));
    laterGate.open();
    await waitForTrialState(trial, 'finished');
  });

  it('stops a trial automatically when every comparison is decided, if enabled', async () => {
    const { bench, gateway } = await createTrialTab(answerSoon);
    const trial = await createOpenTrial(bench, createCases(60), {
      columns: createColumns('north/one', 'north/two'),
      checks: [
        { id: 'check', name: 'says billing', kind: 'contains', expected: { text: 'billing' }, settings: {} },
      ],
      stopWhenDecided: true,
    });
    gateway.setChatScript(async (answer, { body }) => {
      await turn();
      answer.sendAnswer(body['model'] === 'north/two' ? 'billing' : 'delivery');
    });
    await trial.run();
    await waitForTrialState(trial, 'stopped');
    const state = trial.state.getState();
    const { trial: endedTrial, progress } = state;
    expect(endedTrial.state).toMatchObject({ why: 'decided' });
    expect(summarizeVerdict(state).words[0]).toContain('two is better than one: ');
    expect(progress.counted).toBeGreaterThanOrEqual(15);
    expect(progress.ended).toBeLessThan(120);
  });
});

describe('requests of two columns', () => {
  it('sends requests that differ only as the column headers show, and records each repeat separately', async () => {
    const { bench, gateway } = await createTrialTab(answerSoon);
    const columns: Column[] = [
      {
        id: 'a',
        setup: createTestSetup({
          model: 'north/one',
          system: 'You route.',
          params: createTickedParams({ temperature: '0.2' }),
        }),
      },
      {
        id: 'b',
        setup: createTestSetup({
          model: 'north/one',
          system: 'You route.',
          params: createTickedParams({ temperature: '0.9' }),
        }),
      },
    ];
    const trial = await createOpenTrial(bench, createCases(3), { columns, repeats: 2 });
    await trial.run();
    await waitForTrialState(trial, 'finished');
    await trial.whenSaved();
    const bodies = gateway.posts.map(({ body }) => body);
    expect(new Set(bodies.map(({ temperature: _, ...rest }) => JSON.stringify(rest))).size).toBe(3);
    expect(bodies.map((body) => `${getTicket(body)} ${String(body['temperature'])}`)).toEqual(
      [...listPendingCells(trial.state.getState().trial, () => false)].map(
        ({ caseId, columnId }) => `ticket ${caseId} ${columnId === 'a' ? 0.2 : 0.9}`,
      ),
    );
    const runIds = [...trial.state.getState().cells.values()].map(({ runId }) => runId);
    expect(new Set(runIds).size).toBe(12);
    // Reading a packed tape returns it byte for byte.
    for (const key of trial.state.getState().cells.values()) {
      const [segment] = await bench.records.readTape(key.runId);
      expect(segment).toMatchObject({ entries: [], count: expect.any(Number) });
      const reading = await trial.readCell(key);
      expect(reading?.run.setup).toEqual(columns.find(({ id }) => id === key.columnId)?.setup);
      expect(reading?.tape).toEqual(await bench.library.readTape(key.runId));
      expect(reading?.tape.at(-1)).toMatchObject({ end: expect.any(String) });
    }
  });
});

/** Every parameter is sent with the first or second text, or not at all. */
const parameterTexts = {
  temperature: ['0.2', '0.9'],
  top_p: ['0.5', '1'],
  max_tokens: ['5', '500'],
  frequency_penalty: ['0', '-1'],
  presence_penalty: ['0', '1.5'],
  top_k: ['1', '40'],
  seed: ['1', '2'],
  stop: ['a', 'b'],
  logit_bias: ['{"1": 5}', '{"2": 5}'],
};
const arbitraryColumn: fc.Arbitrary<Omit<Column, 'id'>> = fc
  .record({
    model: fc.constantFrom('north/one', 'north/two'),
    system: fc.constantFrom('', 'You route.', 'You sort.'),
    texts: fc.record(
      Object.fromEntries(
        Object.entries(parameterTexts).map(([name, texts]) => [name, fc.constantFrom(...texts)]),
      ),
      { requiredKeys: [] },
    ),
    wording: fc.constantFrom(undefined, 'Please: {{ticket}}'),
  })
  .map(({ model, system, texts, wording }) => ({
    setup: createTestSetup({ model, system, params: createTickedParams(texts) }),
    ...(wording === undefined ? {} : { messages: [{ role: 'user', content: wording }] }),
  }));

describe('requests of two columns with arbitrary setups', () => {
  it('sends requests that differ only as the column headers show, for arbitrary setups', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryColumn, arbitraryColumn, async (columnA, columnB) => {
        const { bench, gateway } = await createTrialTab(answerSoon);
        const [a, b] = [
          { ...columnA, id: 'a' },
          { ...columnB, id: 'b' },
        ];
        const trial = await createOpenTrial(bench, createCases(1), { columns: [a, b] });
        await trial.run();
        await waitForTrialState(trial, 'finished');
        const [first, second] = gateway.posts.map(({ body }) => body);
        const differingFields = Object.keys({ ...first, ...second }).filter(
          (name) => !isEqual(getOwnProperty(first, name), getOwnProperty(second, name)),
        );
        const changes = describeSetupChanges(b, a);
        const namedFields = new Set(
          changes.map((change) => (/system prompt|wording/.test(change) ? 'messages' : change.split(' ')[0])),
        );
        if (a.setup.model !== b.setup.model) namedFields.add('model');
        expect(new Set(differingFields)).toEqual(namedFields);
      }),
      { numRuns: getCaseCount(12) },
    );
  });
});

describe('trial starters', () => {
  it('runs trial starters to the end on the demo gateway', async () => {
    const bench: Bench = await createBench({
      environment: realEnvironment,
      records: createMemoryRecordStore(),
      settings: { DEMO_GATEWAY_TOKENS_PER_SECOND: '0' },
    });
    const trials = await bench.lazyTrials.load();
    const [starter] = starters;
    if (!starter) throw new Error('The starter is missing');
    const id = await trials.createFromStarter({
      ...starter,
      columns: starter.columns.map((extra) => ({ ...extra, demo_latency_ms: 0 })),
    });
    const trial = await trials.open(id);
    if (!trial) throw new Error('The starter was not stored');
    await trial.run();
    await waitForTrialState(trial, 'finished');
    expect(trial.state.getState().progress).toMatchObject({ cells: 120, ended: 120, counted: 60 });
    expect(trial.state.getState().rescoringCount).toBe(0);
    expect((await trials.list()).map(({ title, cases, state }) => [title, cases, state.name])).toEqual([
      [starter.title, 60, 'finished'],
    ]);
    const counted = await trials.getVerdict(id);
    expect(counted && describeVerdict(counted).first).toEqual(describeVerdict(trial.state.getState()).first);
  });
});
