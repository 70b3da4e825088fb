/** Tests trials on a fake clock: pacing, priority of the user's own requests, and tabs that crash at any moment. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createSeededRandom } from '../lib/random.ts';
import { readCellRun } from '../state/trials/repository/trial-records.ts';
import { createMemoryRecordStore } from '../storage/memory-record-store.ts';
import { createBench, type BenchOptions } from '../testing/bench.ts';
import { createUserPrompt, formatSseEvent } from '../testing/builders.ts';
import {
  createOpenTrial,
  createTimedGateway,
  openTrialInTab,
  advanceTime,
  advanceUntil,
  createCases,
} from '../testing/open-trials.ts';
import { getCaseCount } from '../testing/seeds.ts';
import { createTestTrial, createColumns } from '../testing/trials.ts';
import { listPendingCells } from '../trials/case-order.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

let idCount = 0;
const environment = { now: () => Date.now(), newId: () => `id${String((idCount += 1)).padStart(6, '0')}` };

const createTimedOptions = (fetch: typeof globalThis.fetch, requestsPerMinute: number): BenchOptions => ({
  fetch,
  requestsPerMinute,
  environment,
  clock: () => Date.now(),
  records: createMemoryRecordStore(),
  origin: 'http://127.0.0.1:9',
});

describe('many cells at 50 per minute', () => {
  it("spaces cell requests evenly and sends the user's own requests in between", async () => {
    const gateway = createTimedGateway(() => 2000);
    const bench = await createBench(createTimedOptions(gateway.fetch, 50));
    await bench.actions.createSession();
    // The soak runs 1,000 cells. Below 200, the last cells, which run alone, would distort the rate.
    const count = getCaseCount(100, 100);
    const trial = await createOpenTrial(bench, createCases(count), {
      columns: createColumns('maker/heron-32b', 'other/sextant-70b-think'),
    });
    await trial.run();
    const waitsMs: number[] = [];
    const runningCounts: number[] = [];
    while (trial.state.getState().trial.state.name === 'running') {
      const nextCheckAt = Date.now() + 7000;
      await advanceUntil(() => Date.now() >= nextCheckAt, 50);
      runningCounts.push(trial.state.getState().progress.inFlight);
      if (waitsMs.length === 12) continue;
      const sentAt = Date.now();
      const previousCount = gateway.requestedCells.length;
      void bench.actions.sendPrompt(createUserPrompt(`a person's ${waitsMs.length}`));
      await advanceUntil(
        () => gateway.requestedCells.slice(previousCount).some(({ ticket }) => ticket.startsWith('a person')),
        50,
      );
      waitsMs.push(
        (gateway.requestedCells.findLast(({ ticket }) => ticket.startsWith('a person'))?.atMs ?? 0) - sentAt,
      );
    }
    expect(trial.state.getState().cells.size).toBe(2 * count);
    const times = gateway.requestedCells.map(({ atMs }) => atMs);
    const maxPerMinute = Math.max(
      ...times.map(
        (time) => times.filter((otherTime) => otherTime >= time && otherTime < time + 60_000).length,
      ),
    );
    expect(maxPerMinute).toBeLessThanOrEqual(50);
    expect(Math.max(...waitsMs)).toBeLessThanOrEqual(1300);
    // An answer takes 2 s and requests start every 1.2 s, so at most two are in flight; queued cells do not count.
    expect(Math.max(...runningCounts)).toBe(2);
    const minutes = (Math.max(...times) - Math.min(...times)) / 60_000;
    expect((times.length - 1) / minutes).toBeGreaterThanOrEqual(48);
  });
});

describe('rate limit error inside a stream', () => {
  it('records no outcome for a rate limit error in a stream, pauses all cells for 10 s and halves the pace', async () => {
    const refusal = formatSseEvent({
      error: { message: 'Slow down', type: 'rate_limit_error', code: 'rate_limit' },
    });
    const gateway = createTimedGateway(
      () => 50,
      (request) => (request === 5 ? refusal : undefined),
    );
    const bench = await createBench(createTimedOptions(gateway.fetch, 600));
    const trial = await createOpenTrial(bench, createCases(12), {
      columns: createColumns('maker/heron-32b'),
    });
    await trial.run();
    await advanceUntil(() => trial.state.getState().paces[0]?.isSlowed === true, 20);
    const [pace] = trial.state.getState().paces;
    if (!pace) throw new Error('The pace is missing');
    expect(pace.perMinute).toBe(300);
    await advanceUntil(() => trial.state.getState().trial.state.name === 'finished', 50);
    expect(trial.state.getState()).toMatchObject({ progress: { ended: 12, missing: 0 } });
    expect(gateway.requestedCells).toHaveLength(13);
    const lateRequests = gateway.requestedCells.filter(({ atMs }) => atMs >= pace.blockedUntil);
    expect(gateway.requestedCells.filter(({ atMs }) => atMs > pace.blockedUntil - 9000)).toEqual(
      lateRequests,
    );
    const distances = lateRequests.slice(1).map(({ atMs }, index) => atMs - (lateRequests[index]?.atMs ?? 0));
    expect(Math.min(...distances)).toBeGreaterThanOrEqual(200);
  });
});

describe('three 429s to requests sent together', () => {
  const createRateLimitResponse = (retryAfter: string) =>
    new Response('{"error":{"message":"Slow down","type":"rate_limit"}}', {
      status: 429,
      headers: { 'x-gateway-headers': '{}', 'retry-after': retryAfter },
    });

  it('counts simultaneous 429s once, waits for the requested time, then resumes', async () => {
    const gateway = createTimedGateway(
      () => 100,
      (request) => (request < 3 ? createRateLimitResponse('20') : undefined),
    );
    const bench = await createBench(createTimedOptions(gateway.fetch, 0));
    const trial = await createOpenTrial(bench, createCases(60), {
      columns: createColumns('maker/heron-32b', 'other/sextant-70b-think'),
    });
    await trial.run();
    await advanceUntil(() => trial.state.getState().paces[0]?.isSlowed === true, 20);
    const [pace] = trial.state.getState().paces;
    if (!pace) throw new Error('The pace is missing');
    await advanceUntil(() => trial.state.getState().trial.state.name !== 'running', 50);
    expect(trial.state.getState()).toMatchObject({
      trial: { state: { name: 'finished' } },
      progress: { ended: 120, missing: 0 },
    });
    const times = gateway.requestedCells.map(({ atMs }) => atMs);
    expect(times.filter((time) => time < pace.blockedUntil)).toHaveLength(3);
    expect(pace.blockedUntil - (times[0] ?? 0)).toBeGreaterThanOrEqual(20_000);
    // The pace starts at 90 per minute and doubles every 20 s.
    expect(Math.max(...times) - pace.blockedUntil).toBeLessThanOrEqual(60_000);
  });

  it('pauses the trial after the third 429 that follows a wait, with its message and without outcomes', async () => {
    const gateway = createTimedGateway(
      () => 5,
      () => createRateLimitResponse('2'),
    );
    const bench = await createBench(createTimedOptions(gateway.fetch, 0));
    const trial = await createOpenTrial(bench, createCases(30), {
      columns: createColumns('maker/heron-32b'),
    });
    await trial.run();
    await advanceUntil(() => trial.state.getState().trial.state.name !== 'running', 50);
    expect(trial.state.getState()).toMatchObject({
      trial: { state: { name: 'paused', why: 'refused', report: { message: 'Slow down' } } },
      cells: new Map(),
      paces: [{ isSlowed: true }],
    });
    const times = gateway.requestedCells.map(({ atMs }) => atMs);
    const lastMs = Math.max(...times) - Math.min(...times);
    // Two waits of 2 s come before the third rejection, and nothing follows it.
    expect(lastMs).toBeGreaterThanOrEqual(4000);
    expect(lastMs).toBeLessThan(6000);
    // At most three times the number of concurrent requests.
    expect(times.length).toBeLessThanOrEqual(9);
  });
});

describe('tab that crashes at any moment', () => {
  it('loses no answers in repeated crashes and repeats no ended requests', async () => {
    const random = createSeededRandom('kills');
    const gateway = createTimedGateway(() => 200 + 600 * random());
    const caseCount = getCaseCount(120);
    const testCases = createCases(caseCount);
    const columns = createColumns('maker/heron-32b', 'other/sextant-70b-think');
    const options = createTimedOptions(gateway.fetch, 0);
    let bench = await createBench(options);
    let trial = await createOpenTrial(bench, testCases, { columns });
    await trial.run();
    const formatRequest = ({ model, ticket }: { model: string; ticket: string }): string =>
      `${model} ${ticket}`;
    const modelsByColumn = new Map(columns.map(({ id, setup }) => [id, setup.model]));
    const repeatedRequests: string[] = [];
    for (let kill = 0; kill < getCaseCount(50); kill += 1) {
      await advanceTime(300 + Math.floor(2500 * random()));
      const previousCount = gateway.requestedCells.length;
      const endedRequests = new Set<string>();
      for (const runId of await bench.records.listRunIds('trial')) {
        const run = readCellRun(
          await bench.records.readRecord('runs', runId),
          createTestTrial(0, { columns }),
        );
        if (run?.phase.name === 'complete' && run.cell)
          endedRequests.add(`${run.setup.model} ticket ${run.cell.caseId}`);
      }
      bench = await bench.reopen(options);
      trial = await openTrialInTab(bench);
      await advanceUntil(() => trial.state.getState().runnerStatus.name !== 'counting down');
      await advanceTime(100);
      repeatedRequests.push(
        ...gateway.requestedCells
          .slice(previousCount)
          .map(formatRequest)
          .filter((name) => endedRequests.has(name)),
      );
      if (trial.state.getState().trial.state.name === 'finished') break;
    }
    await advanceUntil(() => trial.state.getState().trial.state.name === 'finished');
    expect(repeatedRequests).toEqual([]);
    expect(trial.state.getState().cells.size).toBe(2 * caseCount);
    const order = [...listPendingCells(createTestTrial(caseCount, { columns }), () => false)].map(
      ({ caseId, columnId }) => `${modelsByColumn.get(columnId)} ticket ${caseId}`,
    );
    expect([...new Set(gateway.requestedCells.map(formatRequest))]).toEqual(order);
  });
});

describe('offline browser', () => {
  it('pauses a trial when the browser is offline and resumes it online, unless the user has stopped it', async () => {
    const gateway = createTimedGateway(() => 500);
    const bench = await createBench(createTimedOptions(gateway.fetch, 0));
    const trial = await createOpenTrial(bench, createCases(20), {
      columns: createColumns('maker/heron-32b'),
    });
    const getTrialState = () => trial.state.getState().trial.state;
    const goOffline = async (minCells: number) => {
      await advanceUntil(() => trial.state.getState().cells.size >= minCells);
      bench.tab.setOnline(false);
      await advanceUntil(
        () => getTrialState().name === 'paused' && trial.state.getState().runnerStatus.name === 'nobody',
      );
      expect(getTrialState()).toMatchObject({ why: 'offline', report: { kind: 'offline' } });
      const requestCount = gateway.requestedCells.length;
      await advanceTime(5000);
      expect(gateway.requestedCells).toHaveLength(requestCount);
      return requestCount;
    };
    await trial.run();
    await goOffline(2);
    bench.tab.setOnline(true);
    await advanceUntil(() => getTrialState().name === 'running');
    const requestCount = await goOffline(8);
    await trial.stop();
    bench.tab.setOnline(true);
    await advanceTime(5000);
    expect([getTrialState().name, gateway.requestedCells.length]).toEqual(['stopped', requestCount]);
    await trial.run();
    await advanceUntil(() => getTrialState().name === 'finished');
    // Requests that were never sent do not count, and no answer is missing.
    expect(gateway.requestedCells).toHaveLength(20);
    expect(trial.state.getState().progress).toMatchObject({ ended: 20, missing: 0 });
  });
});

describe('trial that another tab takes over', () => {
  it('hands a trial over after 10 s and retries requests in flight in the new tab', async () => {
    let count = 0;
    const gateway = createTimedGateway(() => ((count += 1) <= 3 ? 60_000 : 100));
    const options = createTimedOptions(gateway.fetch, 0);
    const bench = await createBench(options);
    const trial = await createOpenTrial(bench, createCases(8), { columns: createColumns('maker/heron-32b') });
    await trial.run();
    await advanceUntil(() => gateway.requestedCells.length === 3);
    const otherTrial = await openTrialInTab(await bench.openAnotherTab(options));
    let hasTakenOver = false;
    void otherTrial.takeOver().then(() => (hasTakenOver = true));
    for (let seconds = 0; seconds < 9; seconds += 1) await advanceTime(1000);
    expect([hasTakenOver, gateway.requestedCells.length, trial.state.getState().liveCells.size]).toEqual([
      false,
      3,
      3,
    ]);
    await advanceUntil(() => hasTakenOver);
    expect(otherTrial.state.getState().runnerStatus).toEqual({ name: 'here' });
    expect(trial.state.getState().runnerStatus).toEqual({ name: 'another tab' });
    await advanceUntil(() => otherTrial.state.getState().trial.state.name === 'finished');
    expect(otherTrial.state.getState().progress).toMatchObject({ ended: 8, missing: 0 });
    expect(gateway.requestedCells).toHaveLength(8 + 3);
  });
});

describe('trial whose tab crashed', () => {
  async function createDeadTrial() {
    const gateway = createTimedGateway(() => 2000);
    const options = createTimedOptions(gateway.fetch, 0);
    const bench = await createBench(options);
    const trial = await createOpenTrial(bench, createCases(8), { columns: createColumns('maker/heron-32b') });
    await trial.run();
    await advanceUntil(() => gateway.requestedCells.length === 3);
    await advanceTime(500);
    bench.tab.kill();
    return { gateway, open: async () => openTrialInTab(await bench.openAnotherTab(options)) };
  }

  it.each(['pause', 'stop'] as const)(
    'sends nothing if the user chooses %s during the countdown',
    async (action) => {
      const { gateway, open } = await createDeadTrial();
      const trial = await open();
      expect(trial.state.getState().runnerStatus.name).toBe('counting down');
      await trial[action]();
      for (let seconds = 0; seconds < 10; seconds += 1) await advanceTime(1000);
      expect(gateway.requestedCells).toHaveLength(3);
      expect(trial.state.getState()).toMatchObject({
        trial: { state: { name: action === 'pause' ? 'paused' : 'stopped' } },
        runnerStatus: { name: 'nobody' },
      });
    },
  );

  it('resumes a crashed trial automatically after 3 s, or immediately on request', async () => {
    for (const shouldResumeNow of [true, false]) {
      const { gateway, open } = await createDeadTrial();
      const trial = await open();
      await advanceTime(100);
      if (shouldResumeNow) await trial.takeOver();
      await advanceTime(100);
      expect(gateway.requestedCells.length > 3, String(shouldResumeNow)).toBe(shouldResumeNow);
      expect(trial.state.getState().runnerStatus.name).toBe(shouldResumeNow ? 'here' : 'counting down');
      // The trial resumes without being open on screen.
      trial.release();
      await advanceUntil(() => trial.state.getState().trial.state.name === 'finished');
      // The three requests in flight are retried.
      expect(gateway.requestedCells).toHaveLength(11);
    }
  });

  it('sends nothing before the countdown ends, even if a case is added', async () => {
    const { gateway, open } = await createDeadTrial();
    const trial = await open();
    await trial.addCases([{ values: { ticket: 'one more' } }]);
    await advanceTime(500);
    expect(trial.state.getState().runnerStatus.name).toBe('counting down');
    expect(gateway.requestedCells).toHaveLength(3);
    await advanceUntil(() => trial.state.getState().trial.state.name === 'finished');
    expect(gateway.requestedCells).toHaveLength(12);
  });

  it('stays paused if the crash was long ago, and shows the time of the crash', async () => {
    const { gateway, open } = await createDeadTrial();
    const diedAt = Date.now();
    await advanceTime(660_000);
    const trial = await open();
    const { state } = trial.state.getState().trial;
    expect(state).toMatchObject({ name: 'paused', why: 'closed' });
    expect('at' in state && state.at).toBeLessThanOrEqual(diedAt);
    expect(trial.state.getState().runnerStatus).toEqual({ name: 'nobody' });
    await advanceTime(10_000);
    expect(gateway.requestedCells).toHaveLength(3);
  });
});
