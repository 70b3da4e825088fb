/** Trials over the real proxy, to a gateway that does as it is told. */
import { setImmediate as turn } from 'node:timers/promises';

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { isDeepEqual } from '../conversation/session/differences.ts';
import { getOwnProperty, getStringProperty } from '../lib/json.ts';
import type { OpenTrial } from '../state/trials/open-trial.ts';
import { readStoredTrial } from '../state/trials/trial-records.ts';
import { createMemoryRecordStore } from '../storage/memory-store.ts';
import { aBench, type Bench } from '../testing/bench.ts';
import { aBrowser } from '../testing/browser.ts';
import { aGate, aSetup, ticked } from '../testing/builders.ts';
import {
  anOpenTrial,
  aTrialBench,
  aTrialUnderWay,
  openTrialIn,
  realEnvironment,
  someCases,
  stateIs,
} from '../testing/open-trials.ts';
import type { ChatScript, ScriptedAnswer } from '../testing/scripted-gateway.ts';
import { cases } from '../testing/seeds.ts';
import { someColumns } from '../testing/trials.ts';
import { until } from '../testing/wait-until.ts';
import { getCellId, listPendingCells } from '../trials/case-order.ts';
import { describeSetupChanges, toPlainText } from '../trials/describe-verdict.ts';
import { starters } from '../trials/starters/trial-starters.ts';
import type { Column } from '../trials/trial.ts';

beforeEach(() => {
  vi.stubGlobal('navigator', { onLine: true });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** What a cell came to, by the ticket of its case. */
function outcomes(trial: OpenTrial): Record<string, string> {
  const { cells, cases } = trial.state.getState();
  return Object.fromEntries(
    [...cells.values()].map(({ caseId, outcome, why }) => [
      cases.get(caseId)?.values['ticket'] ?? '',
      why ?? outcome,
    ]),
  );
}

const ticketOf = (body: Record<string, unknown>): string => {
  const messages: unknown = body['messages'];
  return getStringProperty(Array.isArray(messages) ? messages.at(-1) : undefined, 'content') ?? '';
};

const oneColumn: Column[] = someColumns('north/one');
const streamed: Column[] = [{ id: 'a', setup: aSetup({ model: 'north/one' }) }];

describe('twelve faults', () => {
  it('come to their outcomes, and a refusal for the pace to none', async () => {
    const seen = new Map<string, number>();
    const faults: Record<string, (answer: ScriptedAnswer) => void> = {
      whole: (answer) => answer.whole('billing'),
      'cut short by length': (answer) => {
        answer.text('bill');
        answer.finish('length');
        answer.done();
      },
      empty: (answer) => answer.whole(),
      'calls a tool': (answer) => {
        answer.toolCall(0, 'call', 'route', '{}');
        answer.finish('tool_calls');
        answer.done();
      },
      filtered: (answer) => {
        answer.text('no');
        answer.finish('content_filter');
        answer.done();
      },
      overloaded: (answer) =>
        answer.json(503, { error: { message: 'Overloaded', type: 'overloaded_error' } }),
      'bad request': (answer) =>
        answer.json(400, { error: { message: 'Wrong', type: 'invalid_request_error' } }),
      'error in the stream': (answer) => {
        answer.event({ error: { message: 'It broke', type: 'server_error' } });
        answer.done();
      },
      'connection cut': (answer) => {
        answer.text('bil');
        setImmediate(() => answer.cut());
      },
      silent: (answer) => answer.open(),
      'refused for the pace': (answer) =>
        answer.json(
          429,
          { error: { message: 'Slow down', type: 'rate_limit_error' } },
          { 'retry-after': '0' },
        ),
      'a page of another server': (answer) =>
        answer.body(200, '<html><body>Sign in</body></html>', { 'content-type': 'text/html' }),
    };
    const tickets = Object.keys(faults);
    const { bench, gateway } = await aTrialBench(
      (answer, { body }) => {
        const ticket = ticketOf(body);
        seen.set(ticket, (seen.get(ticket) ?? 0) + 1);
        const isAgain = ticket.startsWith('refused') && (seen.get(ticket) ?? 0) > 1;
        if (isAgain) answer.whole('billing');
        else faults[ticket]?.(answer);
      },
      { limit: 6000 },
    );
    const trial = await anOpenTrial(bench, someCases(tickets.length, tickets), {
      columns: streamed,
      giveUpAfterMs: 2500,
    });
    await trial.run();
    await stateIs(trial, 'finished');
    expect(outcomes(trial)).toEqual({
      whole: 'answered',
      'cut short by length': 'answered',
      empty: 'answered',
      'calls a tool': 'answered',
      filtered: 'filtered',
      overloaded: 'failed',
      'bad request': 'failed',
      'error in the stream': 'failed',
      'connection cut': 'cut',
      silent: 'timed out',
      'refused for the pace': 'answered',
      'a page of another server': 'failed',
    });
    const again = tickets.filter((ticket) => (seen.get(ticket) ?? 0) > 1);
    expect(again).toEqual(['refused for the pace']);
    expect(gateway.posts).toHaveLength(13);
    expect(trial.state.getState().progress).toMatchObject({ cells: 12, ended: 12, missing: 7 });

    // By hand, what is missing is asked again, and what had been counted without it keeps its place.
    gateway.onChat((answer) => answer.whole('billing'));
    await trial.retry();
    await stateIs(trial, 'finished');
    expect(trial.state.getState().progress.missing).toBe(0);
    const late = [...trial.state.getState().cells.values()].filter(
      ({ countedAt }) => countedAt !== undefined,
    );
    expect(new Set(late.map(({ countedAt }) => countedAt))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7]));
    expect(late.every(({ tries }) => tries === 2)).toBe(true);
  });

  it('stops a column whose first two answers are the same refusal, and the others count without it', async () => {
    const { bench } = await aTrialBench((answer, { body }) =>
      body['model'] === 'north/two'
        ? answer.json(400, { error: { message: 'No such field', type: 'invalid_request_error' } })
        : answer.whole('{"team":"billing"}'),
    );
    const trial = await anOpenTrial(bench, someCases(6), { columns: someColumns('north/one', 'north/two') });
    await trial.run();
    await stateIs(trial, 'finished');
    const { trial: ended, progress, verdict, cells } = trial.state.getState();
    expect(ended.columns.map(({ stopped }) => stopped?.report.message)).toEqual([undefined, 'No such field']);
    expect(progress).toMatchObject({ cells: 6, ended: 6, counted: 6 });
    expect(verdict).toMatchObject({ family: 1, comparisons: [] });
    // What was on its way when it stopped has ended, too.
    expect([...cells.values()].filter(({ columnId }) => columnId === 'b').length).toBeLessThan(6);
  });

  it('pauses when all of its columns have stopped, says why, and goes on with one that is tried again', async () => {
    let isRefused = true;
    const { bench } = await aTrialBench((answer) =>
      isRefused
        ? answer.json(400, { error: { message: 'No such field', type: 'invalid_request_error' } })
        : answer.whole('{"team":"billing"}'),
    );
    const trial = await anOpenTrial(bench, someCases(8), { columns: someColumns('north/one', 'north/two') });
    await trial.run();
    await stateIs(trial, 'paused');
    const { trial: paused, progress, cells } = trial.state.getState();
    expect(paused.state).toMatchObject({ why: 'columns stopped', report: { message: 'No such field' } });
    expect(progress).toMatchObject({ cells: 0, ended: 0 });
    isRefused = false;
    trial.restartColumn('b');
    expect(trial.state.getState().trial.columns.map(({ stopped }) => stopped !== undefined)).toEqual([
      true,
      false,
    ]);
    await trial.run();
    await stateIs(trial, 'finished');
    const missing = [...cells.values()].filter(
      ({ columnId, outcome }) => columnId === 'b' && outcome !== 'answered',
    );
    expect(trial.state.getState().progress).toMatchObject({ cells: 8, ended: 8, missing: missing.length });
    // Those of the column that has stopped are not asked again.
    await trial.retry();
    await stateIs(trial, 'finished');
    expect(trial.state.getState().progress).toMatchObject({ cells: 8, ended: 8, missing: 0 });
    expect(
      [...trial.state.getState().cells.values()].some(
        ({ columnId, outcome }) => columnId === 'a' && outcome === 'answered',
      ),
    ).toBe(false);
  });

  it('does not stop a column for two refusals that was answered before, and stops it for five', async () => {
    let isRefused = false;
    const { bench } = await aTrialBench((answer) =>
      isRefused
        ? answer.json(400, { error: { message: 'No such field', type: 'invalid_request_error' } })
        : answer.whole('{"team":"billing"}'),
    );
    const first = await anOpenTrial(bench, someCases(2), { columns: oneColumn });
    await first.run();
    await stateIs(first, 'finished');
    await bench.saved();
    isRefused = true;
    const trial = await openTrialIn(await bench.reopened());
    await trial.addCases([3, 4, 5, 6].map((number) => ({ values: { ticket: `ticket ${number}` } })));
    await trial.run();
    await stateIs(trial, 'finished');
    expect(trial.state.getState().progress).toMatchObject({ ended: 6, missing: 4 });
    await trial.addCases([{ values: { ticket: 'ticket 7' } }, { values: { ticket: 'ticket 8' } }]);
    await trial.run();
    await stateIs(trial, 'paused');
    expect(trial.state.getState().trial.state).toMatchObject({ why: 'columns stopped' });
  });

  it('runs in this tab when Run is pressed twice at once', async () => {
    const { bench, gateway } = await aTrialBench((answer) => answer.whole('{"team":"billing"}'));
    const trial = await anOpenTrial(bench, someCases(4), { columns: oneColumn });
    await Promise.all([trial.run(), trial.run()]);
    expect(trial.state.getState().runnerStatus).toEqual({ name: 'here' });
    await stateIs(trial, 'finished');
    expect(gateway.posts).toHaveLength(4);
  });

  it('pauses for a rejected key, and goes on with it from where it was', async () => {
    let isRejected = true;
    const { bench, gateway } = await aTrialBench((answer) =>
      isRejected
        ? answer.json(401, { error: { message: 'Wrong key', type: 'authentication_error' } })
        : answer.whole('{"team":"billing"}'),
    );
    const trial = await anOpenTrial(bench, someCases(4), { columns: oneColumn });
    await trial.run();
    await stateIs(trial, 'paused');
    expect(trial.state.getState().trial.state).toMatchObject({ why: 'key', report: { status: 401 } });
    expect(trial.state.getState().cells.size).toBe(0);
    expect(bench.signals.state.getState().keyRejectedAt).toBeDefined();
    isRejected = false;
    const before = gateway.posts.length;
    await trial.run();
    await stateIs(trial, 'finished');
    expect(gateway.posts.length - before).toBe(4);
  });

  it('pauses after the third refusal for the pace without an answer between', async () => {
    const { bench, gateway } = await aTrialBench(
      (answer) =>
        answer.json(
          429,
          { error: { message: 'Much too fast', type: 'rate_limit_error' } },
          { 'retry-after': '0' },
        ),
      { limit: 6000 },
    );
    const trial = await anOpenTrial(bench, someCases(30), { columns: oneColumn });
    await trial.run();
    await stateIs(trial, 'paused');
    expect(trial.state.getState().trial.state).toMatchObject({
      why: 'refused',
      report: { message: 'Much too fast' },
    });
    expect(trial.state.getState()).toMatchObject({ cells: new Map(), pace: { isSlowed: true } });
    // Three times as many as may leave together.
    expect(gateway.posts.length).toBeLessThanOrEqual(12);
  });
});

/** Answers rightly after a moment. */
const soon: ChatScript = async (answer) => {
  for (let turns = 0; turns < 40; turns += 1) await turn();
  answer.whole('{"team":"billing"}');
};

describe('a trial that runs', () => {
  it('lets what is under way end when it is paused, aborts it when it is stopped, and asks that again', async () => {
    const { bench, gateway } = await aTrialBench(soon);
    const trial = await anOpenTrial(bench, someCases(20), { columns: oneColumn });
    await trial.run();
    await until(() => trial.state.getState().cells.size >= 3);
    await trial.pause();
    await stateIs(trial, 'paused');
    const paused = trial.state.getState().cells.size;
    expect(gateway.posts).toHaveLength(paused);
    await trial.run();
    await until(() => trial.state.getState().cells.size >= paused + 3);
    await trial.stop();
    await stateIs(trial, 'stopped');
    await trial.run();
    await stateIs(trial, 'finished');
    expect(trial.state.getState().cells.size).toBe(20);
    // Those that were stopped under way were asked twice, and no other.
    expect(gateway.posts.length - 20).toBeLessThanOrEqual(3);
  });

  it('asks at once for what is added, and for what is to be asked again, while others are under way', async () => {
    const gate = aGate();
    const { bench, gateway } = await aTrialBench(async (answer, { body }) => {
      if (ticketOf(body) === 'slow') await gate.opened;
      answer.whole('{"team":"billing"}');
    });
    const trial = await anOpenTrial(bench, someCases(2, ['slow', 'quick']), { columns: oneColumn });
    await trial.run();
    await until(() => trial.state.getState().cells.size === 1);
    await trial.addCases([{ values: { ticket: 'added', team: 'billing' } }]);
    await until(() => trial.state.getState().cells.size === 2);
    await trial.retry([{ caseId: '2', columnId: 'a', repeat: 1 }]);
    await until(() => trial.state.getState().cells.get('2 a 1')?.tries === 2);
    gate.open();
    await stateIs(trial, 'finished');
    expect(gateway.posts.map(({ body }) => ticketOf(body)).toSorted()).toEqual([
      'added',
      'quick',
      'quick',
      'slow',
    ]);
  });

  it('counts a cell in its place that is asked again before its case was counted, not as a late answer', async () => {
    const gate = aGate();
    let isBroken = true;
    const { bench } = await aTrialBench(async (answer, { body }) => {
      if (body['model'] === 'north/two') await gate.opened;
      if (isBroken) answer.json(503, { error: { message: 'Overloaded', type: 'overloaded_error' } });
      else answer.whole('{"team":"billing"}');
    });
    const trial = await anOpenTrial(bench, someCases(1), { columns: someColumns('north/one', 'north/two') });
    const cell = (columnId: string) => trial.state.getState().cells.get(`1 ${columnId} 1`);
    await trial.run();
    await until(() => cell('a')?.outcome === 'no answer');
    isBroken = false;
    await trial.retry([{ caseId: '1', columnId: 'a', repeat: 1 }]);
    await until(() => cell('a')?.tries === 2);
    gate.open();
    await stateIs(trial, 'finished');
    expect([cell('a')?.outcome, cell('b')?.outcome]).toEqual(['answered', 'answered']);
    expect(cell('a')).not.toHaveProperty('countedAt');
  });

  it('is finished where the last of it was under way when it was paused', async () => {
    const { trial, gate } = await aTrialUnderWay(3, oneColumn);
    await trial.pause();
    expect(trial.state.getState()).toMatchObject({
      trial: { state: { name: 'paused', why: 'person' } },
      runnerStatus: { name: 'here' },
    });
    gate.open();
    await stateIs(trial, 'finished');
    expect(trial.state.getState().cells.size).toBe(3);
  });

  it('is finished so also where one of its columns has stopped', async () => {
    const gate = aGate();
    const { bench, gateway } = await aTrialBench(async (answer, { body }) => {
      if (body['model'] === 'north/two')
        return answer.json(400, { error: { message: 'No such field', type: 'invalid_request_error' } });
      await gate.opened;
      return answer.whole('{"team":"billing"}');
    });
    const columns = someColumns('north/one', 'north/two');
    const trial = await anOpenTrial(bench, someCases(3), { columns });
    await trial.run();
    const stopped = () => trial.state.getState().trial.columns.map((column) => column.stopped !== undefined);
    await until(() => stopped()[1] === true);
    await until(() => gateway.posts.filter(({ body }) => body['model'] === 'north/one').length === 3);
    await trial.pause();
    gate.open();
    await stateIs(trial, 'finished');
    expect(stopped()).toEqual([false, true]);
  });

  it('is not run a second time by a tab that has not heard of it', async () => {
    const gate = aGate();
    const { bench, gateway } = await aTrialBench(
      async (answer) => {
        await gate.opened;
        answer.whole('{"team":"billing"}');
      },
      { browser: aBrowser({ hasChannels: false }) },
    );
    const trial = await anOpenTrial(bench, someCases(5), { columns: oneColumn });
    const there = await openTrialIn(await bench.another());
    await trial.run();
    await until(() => gateway.posts.length === 3);
    await expect(there.run()).rejects.toThrow('Running in another tab.');
    expect(there.state.getState().runnerStatus).toEqual({ name: 'another tab' });
    gate.open();
    await stateIs(trial, 'finished');
    expect(gateway.posts).toHaveLength(5);
  });

  it('is marked in either tab, and both count the marks at once', async () => {
    const { bench } = await aTrialBench();
    const marks = { id: 'marks', name: 'mine', kind: 'marks' as const, settings: {} };
    const trial = await anOpenTrial(bench, someCases(2), {
      columns: oneColumn,
      checks: [marks],
      decides: 'marks',
    });
    await trial.run();
    await stateIs(trial, 'finished');
    const there = await openTrialIn(await bench.another());
    const key = { caseId: trial.state.getState().order[0] ?? '', columnId: 'a', repeat: 1 };
    const counts = (of: OpenTrial) => {
      const { verdict } = of.state.getState();
      return { counted: verdict?.counted, passed: verdict?.columns[0]?.passed };
    };
    const isSaid = (of: OpenTrial, counted: number, passed: number) =>
      until(() => isDeepEqual(counts(of), { counted, passed }));
    trial.setMark(key, 'right');
    await isSaid(there, 1, 1);
    there.setMark(key, 'wrong');
    await isSaid(trial, 1, 0);
    there.setMark(key, undefined);
    await isSaid(trial, 0, 0);
    expect([trial.state.getState().marks.size, there.state.getState().marks.size]).toEqual([0, 0]);
  });

  it('leaves nothing behind of what stood in line when it was paused', async () => {
    const { bench, gateway, trial, gate } = await aTrialUnderWay(20, oneColumn);
    await until(() => trial.state.getState().liveCells.size === 5);
    await trial.pause();
    gate.open();
    await stateIs(trial, 'paused');
    await trial.whenSaved();
    await bench.saved();
    const { cells, liveCells } = trial.state.getState();
    expect([cells.size, liveCells.size, gateway.posts.length]).toEqual([3, 0, 3]);
    const kept = [...cells.values()].map(({ runId }) => runId).toSorted();
    expect((await bench.records.listKeys('runs')).toSorted()).toEqual(kept);
  });

  it('stays as it is in the tab that asks, whatever another tab edits of it at that moment', async () => {
    const { bench, gateway, trial, gate } = await aTrialUnderWay(20, oneColumn);
    const there = await openTrialIn(await bench.another());
    expect(there.state.getState().trial.state.name).toBe('running');
    // The other tab has not heard of it yet: what it edits, it says of a trial that runs.
    const stop = trial.state.subscribe((now) => {
      if (now.trial.state.name !== 'paused') return;
      stop();
      there.edit({ title: 'Mine' });
    });
    await trial.pause();
    await until(() => trial.state.getState().trial.title === 'Mine');
    expect(trial.state.getState().trial.state.name).toBe('paused');
    gate.open();
    await stateIs(trial, 'paused');
    expect(gateway.posts).toHaveLength(3);
  });

  it('is shown in another tab as it goes, and goes on there when that is asked for', async () => {
    const gate = aGate();
    let count = 0;
    const { bench, gateway } = await aTrialBench(async (answer) => {
      count += 1;
      if (count > 12) await gate.opened;
      answer.whole('{"team":"billing"}');
    });
    const trial = await anOpenTrial(bench, someCases(30), { columns: oneColumn });
    await trial.run();
    await until(() => trial.state.getState().cells.size >= 3);
    const other = await bench.another();
    const there = await openTrialIn(other);
    expect(there.state.getState().runnerStatus).toEqual({ name: 'another tab' });
    await expect(there.run()).resolves.toBeUndefined();
    await until(() => there.state.getState().cells.size >= 6);
    // From here on those that are under way wait: nothing ends before it is let go.
    await until(() => gateway.posts.length === 15 && trial.state.getState().cells.size === 12);
    const { liveCells, cells } = trial.state.getState();
    const going = [...liveCells.values()].find(
      (one) => one.status === 'waiting' && !cells.has(getCellId(one)),
    );
    if (!going) throw new Error('Nothing is under way');
    // What another tab asks can be read as it goes, and is read of what is stored.
    await until(() => there.state.getState().liveCells.has(getCellId(going)));
    await until(async () => (await there.readCell(going))?.run.phase.name === 'waiting');
    expect((await there.readCell(going))?.run.id).toBe(going.runId);
    const taken = there.takeOver();
    await until(() => trial.state.getState().liveCells.size === 3);
    gate.open();
    await taken;
    expect(there.state.getState().runnerStatus).toEqual({ name: 'here' });
    await until(() => trial.state.getState().runnerStatus.name === 'another tab');
    await stateIs(there, 'finished');
    await until(() => trial.state.getState().trial.state.name === 'finished');
    expect(there.state.getState().cells.size).toBe(30);
    await until(() => trial.state.getState().cells.size === 30);
    expect(gateway.posts).toHaveLength(30);
  });

  it('is in both tabs what was edited last, where neither had heard of the other', async () => {
    const { bench } = await aTrialBench();
    const trial = await anOpenTrial(bench, someCases(3), { columns: oneColumn });
    const there = await openTrialIn(await bench.another());
    const titleIn = (tab: OpenTrial) => tab.state.getState().trial.title;
    trial.edit({ title: 'First' });
    const at = Date.now();
    while (Date.now() === at);
    there.edit({ title: 'Last' });
    await until(() => titleIn(trial) === 'Last');
    expect(titleIn(there)).toBe('Last');
  });

  it('has the cases that two tabs add, change and take out in turns, and all of its answers', async () => {
    const { bench, gateway } = await aTrialBench();
    const gate = aGate();
    gateway.onChat(async (answer) => {
      // The last of them wait: the trial does not end before the other tab has edited it.
      if (gateway.posts.length > 68) await gate.opened;
      answer.whole('{"team":"billing"}');
    });
    const trial = await anOpenTrial(bench, someCases(70), { columns: oneColumn });
    const other = await bench.another();
    const there = await openTrialIn(other);
    const tickets = (of: OpenTrial) =>
      of.state
        .getState()
        .order.map((id) => of.state.getState().cases.get(id)?.values['ticket'] ?? 'unknown')
        .toSorted();
    const changed = { ticket: 'changed', team: 'billing' };

    await trial.addCases([{ values: { ticket: 'from here', team: 'billing' } }]);
    await until(() => tickets(there).includes('from here'));
    await there.addCases([{ values: { ticket: 'from there', team: 'billing' } }]);
    await until(() => tickets(trial).includes('from there'));
    await trial.editCase('2', { values: changed });
    await until(() => tickets(there).includes('changed'));
    there.removeCases(['3']);
    await until(() => isDeepEqual(tickets(trial), tickets(there)) && !tickets(trial).includes('ticket 3'));

    await trial.run();
    await until(() => trial.state.getState().cells.size > 65);
    await until(() => there.state.getState().runnerStatus.name === 'another tab');
    // The other tab does not know all answers yet when it stores what it edits.
    await there.addCases(Array.from({ length: 12 }, (_, index) => ({ values: { ticket: `more ${index}` } })));
    there.removeCases(['70']);
    there.addCheck({ name: 'says billing', kind: 'contains', expected: { text: 'billing' }, settings: {} });
    gate.open();
    await stateIs(trial, 'finished');
    await until(() => there.state.getState().cells.size === trial.state.getState().cells.size);
    await Promise.all([trial.whenSaved(), there.whenSaved()]);
    await Promise.all([bench.saved(), other.saved()]);

    const shown = trial.state.getState();
    expect(tickets(trial)).toHaveLength(82);
    expect(tickets(there)).toEqual(tickets(trial));
    const stored = await readStoredTrial(bench.records, 'trial');
    expect([...(stored?.cases.keys() ?? [])].toSorted()).toEqual([...shown.cases.keys()].toSorted());
    const listed = [...shown.cells.values()].filter(({ caseId }) => shown.cases.has(caseId));
    expect(stored?.cells.size).toBe(listed.length);
    expect(
      [...(stored?.cells.values() ?? [])].filter(({ scores }) => Object.keys(scores).length !== 2),
    ).toEqual([]);
  });

  it('asks once more without the field that Bench adds by itself where it is refused, and never with it again', async () => {
    const { bench, gateway } = await aTrialBench((answer, { body }) =>
      getOwnProperty(body, 'stream_options') === undefined
        ? answer.whole('{"team":"billing"}')
        : answer.json(400, { error: { message: 'Unknown parameter: stream_options' } }),
    );
    const [column] = oneColumn;
    if (!column) throw new Error('There is one');
    const usage = { sent: true, text: '{"include_usage":true}', byDefault: true as const };
    const params = { ...ticked({ stream: 'true' }), stream_options: usage };
    const trial = await anOpenTrial(bench, someCases(9), {
      columns: [{ ...column, setup: { ...column.setup, params } }],
    });
    await trial.run();
    await stateIs(trial, 'finished');
    await trial.whenSaved();
    const { cells, trial: ended } = trial.state.getState();
    expect([...cells.values()].map(({ outcome, tries }) => `${outcome} ${tries}`)).toEqual(
      Array(9).fill('answered 1'),
    );
    expect(ended.columns[0]?.stopped).toBeUndefined();
    const refused = gateway.posts.filter(({ body }) => getOwnProperty(body, 'stream_options') !== undefined);
    // Those that left before the first refusal came.
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThanOrEqual(5);
    expect(gateway.posts.length - refused.length).toBe(9);
  });

  it('can be read while it is under way, and says what is asked', async () => {
    const gate = aGate();
    const { bench, gateway } = await aTrialBench(async (answer) => {
      await gate.opened;
      answer.whole('{"team":"billing"}');
    });
    const trial = await anOpenTrial(bench, someCases(9), { columns: oneColumn });
    const keyAt = (row: number) => ({
      caseId: trial.state.getState().order[row] ?? '',
      columnId: 'a',
      repeat: 1,
    });
    expect(await trial.readCell(keyAt(0))).toBeUndefined();
    await trial.run();
    await until(() => gateway.posts.length === 3);
    const lives = () => [...trial.state.getState().liveCells.values()].map(({ status }) => status);
    await until(() => lives().filter((life) => life === 'waiting').length === 3);
    expect(lives()).toEqual(['waiting', 'waiting', 'waiting', 'in line', 'in line']);
    expect((await trial.readCell(keyAt(0)))?.run).toMatchObject({ phase: { name: 'waiting' } });
    expect((await trial.readCell(keyAt(3)))?.run).toMatchObject({ phase: { name: 'queued' } });
    expect(await trial.readCell(keyAt(8))).toBeUndefined();
    gate.open();
    await stateIs(trial, 'finished');
    const read = await trial.readCell(keyAt(8));
    expect(read?.run.phase).toEqual({ name: 'complete' });
    expect(read?.tape.length).toBeGreaterThan(0);
    expect(trial.state.getState().liveCells.size).toBe(0);
  });

  it('has the words of an answer as soon as it is counted, whether they are on the disk or not', async () => {
    const [fourth, later] = [aGate(), aGate()];
    const { bench, gateway } = await aTrialBench(async (answer) => {
      const { length } = gateway.posts;
      if (length > 3) await (length === 4 ? fourth : later).opened;
      answer.whole('{"team":"billing"}');
    });
    const trial = await anOpenTrial(bench, someCases(6), { columns: oneColumn });
    const ended = () => [...trial.state.getState().cells.values()];
    await trial.run();
    await until(async () => ended().length === 3 && (await bench.records.listKeys('runs')).length >= 3);
    fourth.open();
    // Within the second that its writing waits for.
    await until(() => ended().length === 4);
    const readings = await Promise.all(ended().map((cell) => trial.readCell(cell)));
    expect(readings.map((reading) => reading?.run.phase.name)).toEqual(Array(4).fill('complete'));
    later.open();
    await stateIs(trial, 'finished');
  });

  it('stops by itself when every comparison is decided, where that is wished for', async () => {
    const { bench, gateway } = await aTrialBench(soon);
    const trial = await anOpenTrial(bench, someCases(60), {
      columns: someColumns('north/one', 'north/two'),
      checks: [
        { id: 'check', name: 'says billing', kind: 'contains', expected: { text: 'billing' }, settings: {} },
      ],
      stopWhenDecided: true,
    });
    gateway.onChat(async (answer, { body }) => {
      await turn();
      answer.whole(body['model'] === 'north/two' ? 'billing' : 'delivery');
    });
    await trial.run();
    await stateIs(trial, 'stopped');
    const { trial: ended, verdictText, progress } = trial.state.getState();
    expect(ended.state).toMatchObject({ why: 'decided' });
    expect(toPlainText(verdictText.first)).toContain('two is better than one by');
    expect(progress.counted).toBeGreaterThanOrEqual(15);
    expect(progress.ended).toBeLessThan(120);
  });
});

describe('what columns send', () => {
  it('differs in what their headers name alone, and no two repeats share a recording', async () => {
    const { bench, gateway } = await aTrialBench(soon);
    const columns: Column[] = [
      {
        id: 'a',
        setup: aSetup({ model: 'north/one', system: 'You route.', params: ticked({ temperature: '0.2' }) }),
      },
      {
        id: 'b',
        setup: aSetup({ model: 'north/one', system: 'You route.', params: ticked({ temperature: '0.9' }) }),
      },
    ];
    const trial = await anOpenTrial(bench, someCases(3), { columns, repeats: 2 });
    await trial.run();
    await stateIs(trial, 'finished');
    await trial.whenSaved();
    const bodies = gateway.posts.map(({ body }) => body);
    expect(new Set(bodies.map(({ temperature: _, ...rest }) => JSON.stringify(rest))).size).toBe(3);
    expect(bodies.map((body) => `${ticketOf(body)} ${String(body['temperature'])}`)).toEqual(
      [...listPendingCells(trial.state.getState().trial, () => false)].map(
        ({ caseId, columnId }) => `ticket ${caseId} ${columnId === 'a' ? 0.2 : 0.9}`,
      ),
    );
    const runIds = [...trial.state.getState().cells.values()].map(({ runId }) => runId);
    expect(new Set(runIds).size).toBe(12);
    // A packed tape is the tape, byte by byte, to whoever reads it.
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

/** Each of them sent, or with the other text, or not at all. */
const someTexts = {
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
const anyColumn: fc.Arbitrary<Omit<Column, 'id'>> = fc
  .record({
    model: fc.constantFrom('north/one', 'north/two'),
    system: fc.constantFrom('', 'You route.', 'You sort.'),
    texts: fc.record(
      Object.fromEntries(Object.entries(someTexts).map(([name, texts]) => [name, fc.constantFrom(...texts)])),
      { requiredKeys: [] },
    ),
    wording: fc.constantFrom(undefined, 'Please: {{ticket}}'),
  })
  .map(({ model, system, texts, wording }) => ({
    setup: aSetup({ model, system, params: ticked(texts) }),
    ...(wording === undefined ? {} : { messages: [{ role: 'user', content: wording }] }),
  }));

describe('what two columns of any setups send', () => {
  it('differs in what their headers name, and in nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(anyColumn, anyColumn, async (one, other) => {
        const { bench, gateway } = await aTrialBench(soon);
        const [a, b] = [
          { ...one, id: 'a' },
          { ...other, id: 'b' },
        ];
        const trial = await anOpenTrial(bench, someCases(1), { columns: [a, b] });
        await trial.run();
        await stateIs(trial, 'finished');
        const [first, second] = gateway.posts.map(({ body }) => body);
        const differing = Object.keys({ ...first, ...second }).filter(
          (name) => !isDeepEqual(getOwnProperty(first, name), getOwnProperty(second, name)),
        );
        const facts = describeSetupChanges(b, a);
        const named = new Set(
          facts.map((fact) => (/system prompt|wording/.test(fact) ? 'messages' : fact.split(' ')[0])),
        );
        if (a.setup.model !== b.setup.model) named.add('model');
        expect(new Set(differing)).toEqual(named);
      }),
      { numRuns: cases(12) },
    );
  });
});

describe('the starters', () => {
  it('run to their end on the demo gateway', async () => {
    const bench: Bench = await aBench({
      environment: realEnvironment,
      records: createMemoryRecordStore(),
      settings: { DEMO_GATEWAY_TOKENS_PER_SECOND: '0' },
    });
    const trials = await bench.lazyTrials.load();
    const [starter] = starters;
    if (!starter) throw new Error('There is no starter');
    const id = await trials.createFromStarter({
      ...starter,
      columns: starter.columns.map((extra) => ({ ...extra, demo_latency_ms: 0 })),
    });
    const trial = await trials.open(id);
    if (!trial) throw new Error('The starter was not stored');
    await trial.run();
    await stateIs(trial, 'finished');
    expect(trial.state.getState().progress).toMatchObject({ cells: 120, ended: 120, counted: 60 });
    expect(trial.state.getState().rescoringCount).toBe(0);
    expect((await trials.list()).map(({ title, cases, state }) => [title, cases, state.name])).toEqual([
      [starter.title, 60, 'finished'],
    ]);
    expect(await trials.getVerdictSentence(id)).toEqual(trial.state.getState().verdictText.first);
  });
});
