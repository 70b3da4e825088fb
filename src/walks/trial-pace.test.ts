/** Trials on a clock of their own: pace, people first, and tabs that die at any moment. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createStringSeededRandom } from '../lib/random.ts';
import { readCellRun } from '../state/trials/trial-records.ts';
import { createMemoryRecordStore } from '../storage/memory-store.ts';
import { aBench, type BenchOptions } from '../testing/bench.ts';
import { spoken, sseEvent } from '../testing/builders.ts';
import {
  anOpenTrial,
  aTimedGateway,
  openTrialIn,
  pass,
  passUntil,
  someCases,
} from '../testing/open-trials.ts';
import { cases } from '../testing/seeds.ts';
import { aTrial, someColumns } from '../testing/trials.ts';
import { listPendingCells } from '../trials/case-order.ts';

beforeEach(() => {
  vi.stubGlobal('navigator', { onLine: true });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

let ids = 0;
const environment = { now: () => Date.now(), newId: () => `id${String((ids += 1)).padStart(6, '0')}` };

const timed = (fetch: typeof globalThis.fetch, limit: number): BenchOptions => ({
  fetch,
  limit,
  environment,
  clock: () => Date.now(),
  records: createMemoryRecordStore(),
  origin: 'http://127.0.0.1:9',
});

describe('many cells at 50 per minute', () => {
  it('leave with a distance, and what a person sends meanwhile leaves within it', async () => {
    const gateway = aTimedGateway(() => 2000);
    const bench = await aBench(timed(gateway.fetch, 50));
    await bench.actions.createSession();
    // 1,200 cells in the soak; of fewer than 200 the last ones, which end alone, would weigh too much.
    const count = Math.min(600, Math.max(100, cases(100)));
    const trial = await anOpenTrial(bench, someCases(count), {
      columns: someColumns('maker/heron-32b', 'other/sextant-70b-think'),
    });
    await trial.run();
    const waits: number[] = [];
    const running: number[] = [];
    while (trial.state.getState().trial.state.name === 'running') {
      const next = Date.now() + 7000;
      await passUntil(() => Date.now() >= next, 25);
      running.push(trial.state.getState().progress.inFlight);
      if (waits.length === 12) continue;
      const sentAt = Date.now();
      const before = gateway.asked.length;
      void bench.actions.sendPrompt(spoken(`a person's ${waits.length}`));
      await passUntil(
        () => gateway.asked.slice(before).some(({ ticket }) => ticket.startsWith('a person')),
        25,
      );
      waits.push((gateway.asked.findLast(({ ticket }) => ticket.startsWith('a person'))?.at ?? 0) - sentAt);
    }
    expect(trial.state.getState().cells.size).toBe(2 * count);
    const times = gateway.asked.map(({ at }) => at);
    const most = Math.max(
      ...times.map((at) => times.filter((other) => other >= at && other < at + 60_000).length),
    );
    expect(most).toBeLessThanOrEqual(50);
    expect(Math.max(...waits)).toBeLessThanOrEqual(1300);
    // An answer takes 2 s, and the next is asked after 1.2: what stands in line does not run.
    expect(Math.max(...running)).toBe(2);
    const minutes = (Math.max(...times) - Math.min(...times)) / 60_000;
    expect((times.length - 1) / minutes).toBeGreaterThanOrEqual(48);
  });
});

describe('a refusal for the pace in the middle of a stream', () => {
  it('makes no outcome, holds all cells for ten seconds, and halves the pace', async () => {
    const refusal = sseEvent({
      error: { message: 'Slow down', type: 'rate_limit_error', code: 'rate_limit' },
    });
    const gateway = aTimedGateway(
      () => 50,
      (request) => (request === 5 ? refusal : undefined),
    );
    const bench = await aBench(timed(gateway.fetch, 600));
    const trial = await anOpenTrial(bench, someCases(12), { columns: someColumns('maker/heron-32b') });
    await trial.run();
    await passUntil(() => trial.state.getState().pace.isSlowed, 20);
    const { pace } = trial.state.getState();
    expect(pace.perMinute).toBe(300);
    await passUntil(() => trial.state.getState().trial.state.name === 'finished', 50);
    expect(trial.state.getState()).toMatchObject({ progress: { ended: 12, missing: 0 } });
    expect(gateway.asked).toHaveLength(13);
    const late = gateway.asked.filter(({ at }) => at >= pace.heldUntil);
    expect(gateway.asked.filter(({ at }) => at > pace.heldUntil - 9000)).toEqual(late);
    const distances = late.slice(1).map(({ at }, index) => at - (late[index]?.at ?? 0));
    expect(Math.min(...distances)).toBeGreaterThanOrEqual(200);
  });
});

describe('three refusals of requests that left together', () => {
  const tooMany = (retryAfter: string) =>
    new Response('{"error":{"message":"Slow down","type":"rate_limit"}}', {
      status: 429,
      headers: { 'x-gateway-headers': '{}', 'retry-after': retryAfter },
    });

  it('counts refusals of requests sent together once, waits as told, then resumes', async () => {
    const gateway = aTimedGateway(
      () => 100,
      (request) => (request < 3 ? tooMany('20') : undefined),
    );
    const bench = await aBench(timed(gateway.fetch, 0));
    const trial = await anOpenTrial(bench, someCases(60), {
      columns: someColumns('maker/heron-32b', 'other/sextant-70b-think'),
    });
    await trial.run();
    await passUntil(() => trial.state.getState().pace.isSlowed, 20);
    const { pace } = trial.state.getState();
    await passUntil(() => trial.state.getState().trial.state.name !== 'running', 50);
    expect(trial.state.getState()).toMatchObject({
      trial: { state: { name: 'finished' } },
      progress: { ended: 120, missing: 0 },
    });
    const times = gateway.asked.map(({ at }) => at);
    expect(times.filter((at) => at < pace.heldUntil)).toHaveLength(3);
    expect(pace.heldUntil - (times[0] ?? 0)).toBeGreaterThanOrEqual(20_000);
    // At 90 a minute, doubled every 20 s.
    expect(Math.max(...times) - pace.heldUntil).toBeLessThanOrEqual(60_000);
  });

  it('pauses the trial if refusals continue after each wait', async () => {
    const gateway = aTimedGateway(
      () => 5,
      () => tooMany('2'),
    );
    const bench = await aBench(timed(gateway.fetch, 0));
    const trial = await anOpenTrial(bench, someCases(8), { columns: someColumns('maker/heron-32b') });
    await trial.run();
    await passUntil(() => trial.state.getState().trial.state.name !== 'running', 50);
    expect(trial.state.getState().trial.state).toMatchObject({ name: 'paused', why: 'refused' });
    const times = gateway.asked.map(({ at }) => at);
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThanOrEqual(4000);
  });
});

describe('a tab that dies at any moment', () => {
  it('has lost no answer fifty times over, and the next asks nothing that has ended', async () => {
    const random = createStringSeededRandom('kills');
    const gateway = aTimedGateway(() => 200 + 600 * random());
    const given = someCases(120);
    const columns = someColumns('maker/heron-32b', 'other/sextant-70b-think');
    const options = timed(gateway.fetch, 0);
    let bench = await aBench(options);
    let trial = await anOpenTrial(bench, given, { columns });
    await trial.run();
    const nameOf = ({ model, ticket }: { model: string; ticket: string }): string => `${model} ${ticket}`;
    const modelOf = new Map(columns.map(({ id, setup }) => [id, setup.model]));
    const askedAgain: string[] = [];
    for (let kill = 0; kill < 50; kill += 1) {
      await pass(300 + Math.floor(2500 * random()));
      const asked = gateway.asked.length;
      const ended = new Set<string>();
      for (const runId of await bench.records.listRunIds('trial')) {
        const run = readCellRun(await bench.records.readRecord('runs', runId), aTrial(0, { columns }));
        if (run?.phase.name === 'complete' && run.cell)
          ended.add(`${run.setup.model} ticket ${run.cell.caseId}`);
      }
      bench = await bench.reopened(options);
      trial = await openTrialIn(bench);
      await passUntil(() => trial.state.getState().runnerStatus.name !== 'counting down');
      await pass(100);
      askedAgain.push(
        ...gateway.asked
          .slice(asked)
          .map(nameOf)
          .filter((name) => ended.has(name)),
      );
      if (trial.state.getState().trial.state.name === 'finished') break;
    }
    await passUntil(() => trial.state.getState().trial.state.name === 'finished');
    expect(askedAgain).toEqual([]);
    expect(trial.state.getState().cells.size).toBe(240);
    const order = [...listPendingCells(aTrial(120, { columns }), () => false)].map(
      ({ caseId, columnId }) => `${modelOf.get(columnId)} ticket ${caseId}`,
    );
    expect([...new Set(gateway.asked.map(nameOf))]).toEqual(order);
  });
});

describe('a browser that is offline', () => {
  it('pauses a trial, which goes on by itself once it is online, unless a person has stopped it', async () => {
    const gateway = aTimedGateway(() => 500);
    const bench = await aBench(timed(gateway.fetch, 0));
    const trial = await anOpenTrial(bench, someCases(20), { columns: someColumns('maker/heron-32b') });
    const now = () => trial.state.getState().trial.state;
    const goesOffline = async (after: number) => {
      await passUntil(() => trial.state.getState().cells.size >= after);
      bench.tab.setOnline(false);
      await passUntil(() => now().name === 'paused' && trial.state.getState().runnerStatus.name === 'nobody');
      expect(now()).toMatchObject({ why: 'offline', report: { kind: 'offline' } });
      const asked = gateway.asked.length;
      await pass(5000);
      expect(gateway.asked).toHaveLength(asked);
      return asked;
    };
    await trial.run();
    await goesOffline(2);
    bench.tab.setOnline(true);
    await passUntil(() => now().name === 'running');
    const asked = await goesOffline(8);
    await trial.stop();
    bench.tab.setOnline(true);
    await pass(5000);
    expect([now().name, gateway.asked.length]).toEqual(['stopped', asked]);
    await trial.run();
    await passUntil(() => now().name === 'finished');
    // What never left was never asked, and no answer is missing.
    expect(gateway.asked).toHaveLength(20);
    expect(trial.state.getState().progress).toMatchObject({ ended: 20, missing: 0 });
  });
});

describe('a trial that another tab is to go on with', () => {
  it('is handed over after ten seconds, and what is still under way then is asked again there', async () => {
    let count = 0;
    const gateway = aTimedGateway(() => ((count += 1) <= 3 ? 60_000 : 100));
    const options = timed(gateway.fetch, 0);
    const bench = await aBench(options);
    const trial = await anOpenTrial(bench, someCases(8), { columns: someColumns('maker/heron-32b') });
    await trial.run();
    await passUntil(() => gateway.asked.length === 3);
    const there = await openTrialIn(await bench.another(options));
    let isTaken = false;
    void there.takeOver().then(() => (isTaken = true));
    for (let seconds = 0; seconds < 9; seconds += 1) await pass(1000);
    expect([isTaken, gateway.asked.length, trial.state.getState().liveCells.size]).toEqual([false, 3, 3]);
    await passUntil(() => isTaken);
    expect(there.state.getState().runnerStatus).toEqual({ name: 'here' });
    expect(trial.state.getState().runnerStatus).toEqual({ name: 'another tab' });
    await passUntil(() => there.state.getState().trial.state.name === 'finished');
    expect(there.state.getState().progress).toMatchObject({ ended: 8, missing: 0 });
    expect(gateway.asked).toHaveLength(8 + 3);
  });
});

describe('a trial whose tab died', () => {
  async function aDeadTrial() {
    const gateway = aTimedGateway(() => 2000);
    const options = timed(gateway.fetch, 0);
    const bench = await aBench(options);
    const trial = await anOpenTrial(bench, someCases(8), { columns: someColumns('maker/heron-32b') });
    await trial.run();
    await passUntil(() => gateway.asked.length === 3);
    await pass(500);
    bench.tab.kill();
    return { gateway, open: async () => openTrialIn(await bench.another(options)) };
  }

  it.each(['pause', 'stop'] as const)(
    'asks nothing where a person says %s while it counts down',
    async (act) => {
      const { gateway, open } = await aDeadTrial();
      const trial = await open();
      expect(trial.state.getState().runnerStatus.name).toBe('counting down');
      await trial[act]();
      for (let seconds = 0; seconds < 10; seconds += 1) await pass(1000);
      expect(gateway.asked).toHaveLength(3);
      expect(trial.state.getState()).toMatchObject({
        trial: { state: { name: act === 'pause' ? 'paused' : 'stopped' } },
        runnerStatus: { name: 'nobody' },
      });
    },
  );

  it('goes on by itself after three seconds, and at once where it is told to', async () => {
    for (const isTold of [true, false]) {
      const { gateway, open } = await aDeadTrial();
      const trial = await open();
      await pass(100);
      if (isTold) await trial.takeOver();
      await pass(100);
      expect(gateway.asked.length > 3, String(isTold)).toBe(isTold);
      expect(trial.state.getState().runnerStatus.name).toBe(isTold ? 'here' : 'counting down');
      // Nobody has to look.
      trial.release();
      await passUntil(() => trial.state.getState().trial.state.name === 'finished');
      // The three that were under way are asked again.
      expect(gateway.asked).toHaveLength(11);
    }
  });

  it('asks nothing before that, also where a case is added', async () => {
    const { gateway, open } = await aDeadTrial();
    const trial = await open();
    await trial.addCases([{ values: { ticket: 'one more' } }]);
    await pass(500);
    expect(trial.state.getState().runnerStatus.name).toBe('counting down');
    expect(gateway.asked).toHaveLength(3);
    await passUntil(() => trial.state.getState().trial.state.name === 'finished');
    expect(gateway.asked).toHaveLength(12);
  });

  it('long ago waits to be told, and says since when', async () => {
    const { gateway, open } = await aDeadTrial();
    const diedAt = Date.now();
    await pass(660_000);
    const trial = await open();
    const { state } = trial.state.getState().trial;
    expect(state).toMatchObject({ name: 'paused', why: 'closed' });
    expect('at' in state && state.at).toBeLessThanOrEqual(diedAt);
    expect(trial.state.getState().runnerStatus).toEqual({ name: 'nobody' });
    await pass(10_000);
    expect(gateway.asked).toHaveLength(3);
  });
});
