/** Tests trials whose columns use different gateways: pace, failures of one of them, and unknown names. */
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { getPauseCards } from '../features/trials/progress/pause-card-data.ts';
import { describeVerdict, summarizeVerdict } from '../features/trials/verdict/format-verdict.ts';
import { toPlainText } from '../features/trials/verdict/rich-text.ts';
import { getIntervalMs } from '../gateway/http/request-rate.ts';
import { createMemoryRecordStore } from '../storage/memory-record-store.ts';
import { createBench } from '../testing/bench.ts';
import {
  advanceTime,
  advanceUntil,
  createCases,
  createOpenTrial,
  createTimedGateway,
  openTrialInTab,
  parseFetchRequest,
  realEnvironment,
  waitForTrialState,
} from '../testing/open-trials.ts';
import { startScriptedGateway, type ChatScript } from '../testing/scripted-gateway.ts';
import { createColumns } from '../testing/trials.ts';
import { starters } from '../trials/starters/trial-starters.ts';

/** Returns column A on the first gateway and column B on the gateway `south`. */
function createGatewayColumns() {
  const [a, b] = createColumns('north/one', 'north/one');
  if (!a || !b) throw new Error('Two columns are expected');
  return [a, { ...b, setup: { ...b.setup, gateway: 'south' } }];
}

const answerBilling: ChatScript = (answer) => answer.sendAnswer('{"team":"billing"}');

/** Opens a tab whose server has the gateways `north` and `south` on real sockets. */
async function createTwoGatewayTab(southScript: ChatScript = answerBilling) {
  const north = await startScriptedGateway();
  const south = await startScriptedGateway();
  onTestFinished(north.close);
  onTestFinished(south.close);
  north.setChatScript(answerBilling);
  south.setChatScript(southScript);
  const bench = await createBench({
    path: '/',
    environment: realEnvironment,
    settings: {
      GATEWAYS: 'north,south',
      GATEWAY_NORTH_BASE_URL: north.url,
      GATEWAY_SOUTH_BASE_URL: south.url,
    },
  });
  return { bench, north, south };
}

describe('one of two gateways fails', () => {
  it('stops its column when the gateway goes down in the middle, finishes the other and says what remains', async () => {
    let requests = 0;
    const { bench, north, south } = await createTwoGatewayTab((answer, request) => {
      requests += 1;
      if (requests > 3) void south.close();
      if (requests > 3) answer.breakConnection();
      else void answerBilling(answer, request);
    });
    const trial = await createOpenTrial(bench, createCases(20), { columns: createGatewayColumns() });
    await trial.run();
    await waitForTrialState(trial, 'finished');
    const state = trial.state.getState();
    expect(north.posts).toHaveLength(20);
    expect(state.columnStats[0]).toMatchObject({ answered: 20, missing: 0 });
    expect(state.columnStats[1]?.answered).toBe(3);
    expect(state.trial.columns.map(({ stopped }) => stopped !== undefined)).toEqual([false, true]);
    expect(state.progress).toMatchObject({ cases: 20, counted: 20 });
    expect(getPauseCards(state).map(({ title }) => title)).toContain('Column B has stopped.');
    expect(toPlainText(describeVerdict(state).first)).toBe('north passed 20 of 20 and south 3 of 3.');
    expect(toPlainText(describeVerdict(state).details[0] ?? [])).toMatch(
      /^south stopped after \d+ requests, 3 were answered\.$/,
    );
  });

  it('stops only its columns when the key is rejected, and continues them once it is accepted', async () => {
    let isRejected = true;
    const { bench, north, south } = await createTwoGatewayTab((answer, request) => {
      if (isRejected) answer.sendJson(401, { error: { message: 'Wrong key', type: 'authentication_error' } });
      else void answerBilling(answer, request);
    });
    const trial = await createOpenTrial(bench, createCases(6), { columns: createGatewayColumns() });
    await trial.run();
    await waitForTrialState(trial, 'finished');
    const { columns } = trial.state.getState().trial;
    expect(columns[0]?.stopped).toBeUndefined();
    expect(columns[1]?.stopped?.report.status).toBe(401);
    expect(north.posts).toHaveLength(6);
    expect([...trial.state.getState().cells.values()].every(({ columnId }) => columnId === 'a')).toBe(true);
    isRejected = false;
    const rejectedPosts = south.posts.length;
    trial.restartColumn('b');
    await trial.run();
    await waitForTrialState(trial, 'finished');
    expect(south.posts.length - rejectedPosts).toBe(6);
    expect(trial.state.getState().progress).toMatchObject({ ended: 12, counted: 6 });
  });

  it('pauses as before when all running columns are on the gateway that rejects the key', async () => {
    const { bench } = await createTwoGatewayTab((answer) =>
      answer.sendJson(401, { error: { message: 'Wrong key', type: 'authentication_error' } }),
    );
    const [, column] = createGatewayColumns();
    if (!column) throw new Error('Two columns are expected');
    const trial = await createOpenTrial(bench, createCases(3), { columns: [column], baseline: 'b' });
    await trial.run();
    await waitForTrialState(trial, 'paused');
    expect(trial.state.getState().trial.state).toMatchObject({ why: 'key', report: { status: 401 } });
  });
});

describe('gateway without a place on this server', () => {
  it('blocks the run of its column, and is reported when a trial is imported', async () => {
    const { bench, north, south } = await createTwoGatewayTab();
    const [a, b] = createGatewayColumns();
    if (!a || !b) throw new Error('Two columns are expected');
    const columns = [a, { ...b, setup: { ...b.setup, gateway: 'staging' } }];
    const trial = await createOpenTrial(bench, createCases(2), { columns });
    const unknownGateway = { kind: 'unknown gateway', column: 1, gateway: 'staging' };
    expect(await trial.run()).toEqual(unknownGateway);
    expect(trial.state.getState().unknownGateways).toEqual([unknownGateway]);
    const trials = await bench.lazyTrials.load();
    const text = (await trial.exportJsonLines(summarizeVerdict)).pieces.join('');
    const outcome = await trials.importFile(text);
    if (!outcome.ok) throw new Error(outcome.reason);
    expect(outcome.unknownGateways).toEqual([unknownGateway]);
    const importedTrial = await openTrialInTab(bench, outcome.id);
    expect(importedTrial.state.getState().trial.columns[1]?.setup.gateway).toBe('staging');
    expect(await importedTrial.run()).toEqual(unknownGateway);
    expect([...north.posts, ...south.posts]).toHaveLength(0);
  });

  it('stops the column if the gateway disappears while the trial runs', async () => {
    const { bench, north } = await createTwoGatewayTab(async (answer, request) => {
      bench.gateways.setStatuses(bench.gateways.statuses.getState().slice(0, 1));
      await answerBilling(answer, request);
    });
    const trial = await createOpenTrial(bench, createCases(5), { columns: createGatewayColumns() });
    await trial.run();
    await waitForTrialState(trial, 'finished');
    expect(trial.state.getState().trial.columns[1]?.stopped?.report).toMatchObject({
      source: 'app',
      kind: 'unknown-gateway',
    });
    expect(trial.state.getState().columnStats[1]?.missing).toBe(0);
    expect(north.posts).toHaveLength(5);
  });
});

describe('starter across two gateways', () => {
  it('takes a model that both gateways list, and runs it through both', async () => {
    const { bench, north, south } = await createTwoGatewayTab();
    const starter = starters.find(({ isAcrossGateways }) => isAcrossGateways);
    if (!starter) throw new Error('The starter is missing');
    north.models = { data: [{ id: 'north/one' }, { id: 'both/chat' }] };
    south.models = { data: [{ id: 'both/chat' }, { id: 'south/one' }] };
    const trials = await bench.lazyTrials.load();
    const trial = await openTrialInTab(
      bench,
      await trials.createFromStarter({ ...starter, cases: starter.cases.slice(0, 2) }),
    );
    const setups = trial.state.getState().trial.columns.map(({ setup }) => [setup.model, setup.gateway]);
    expect(setups).toEqual([
      ['both/chat', undefined],
      ['both/chat', 'south'],
    ]);
    await trial.run();
    await waitForTrialState(trial, 'finished');
    expect([north.posts.length, south.posts.length]).toEqual([2, 2]);
    const rows = (await trial.exportCsv()).pieces.slice(1).map((line) => line.trimEnd().split(','));
    for (const gateway of ['north', 'south'])
      expect(
        rows.filter((row) => row.at(-3) === gateway),
        gateway,
      ).toHaveLength(2);
  });
});

describe('two gateways with different limits', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Opens a tab in front of two gateways on the test clock. */
  async function createTimedTab(
    north: ReturnType<typeof createTimedGateway>,
    south: ReturnType<typeof createTimedGateway>,
    limits: { north: number; south: number },
  ) {
    const bench = await createBench({
      fetch: (input, init) => {
        const gateway = parseFetchRequest(input, init).path.startsWith('/gateway/south/') ? south : north;
        return gateway.fetch(input, init);
      },
      environment: realEnvironment,
      clock: () => Date.now(),
      records: createMemoryRecordStore(),
      origin: 'http://127.0.0.1:9',
    });
    const [status] = bench.gateways.statuses.getState();
    if (!status) throw new Error('The status is missing');
    bench.setServerStatus([
      { ...status, name: 'north', label: 'North', requestsPerMinute: limits.north },
      { ...status, name: 'south', label: 'South', requestsPerMinute: limits.south },
    ]);
    return bench;
  }

  it('paces each gateway on its own, and plans the time of the slower one', async () => {
    const north = createTimedGateway(() => 200);
    const south = createTimedGateway(() => 200);
    const bench = await createTimedTab(north, south, { north: 60, south: 6 });
    const trial = await createOpenTrial(bench, createCases(8), { columns: createGatewayColumns() });
    expect(trial.state.getState().plan.durationMs).toBe(8 * getIntervalMs(6));
    expect(trial.state.getState().paces).toMatchObject([
      { label: 'North', perMinute: 60 },
      { label: 'South', perMinute: 6 },
    ]);
    const startedAt = Date.now();
    await trial.run();
    await advanceUntil(() => north.requestedCells.length === 8, 50);
    expect(Date.now() - startedAt).toBeLessThan(9 * getIntervalMs(60));
    expect(south.requestedCells.length).toBeLessThanOrEqual(2);
    await advanceUntil(() => trial.state.getState().trial.state.name === 'finished', 200);
    const times = south.requestedCells.map(({ atMs }) => atMs);
    const distances = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(Math.min(...distances)).toBeGreaterThanOrEqual(10_000);
    expect(trial.state.getState().progress).toMatchObject({ ended: 16, counted: 8 });
  });

  it('leaves slots to a gateway while the other one does not answer', async () => {
    const north = createTimedGateway(() => 100);
    const south = createTimedGateway(() => 500_000);
    const bench = await createTimedTab(north, south, { north: 0, south: 0 });
    const trial = await createOpenTrial(bench, createCases(10), { columns: createGatewayColumns() });
    const startedAt = Date.now();
    await trial.run();
    await advanceUntil(() => north.requestedCells.length === 10, 50);
    expect(Date.now() - startedAt).toBeLessThan(60_000);
    expect(south.requestedCells.length).toBeGreaterThan(0);
    await trial.stop();
  });

  it('stops only the columns of a gateway that rejects three requests in a row', async () => {
    const north = createTimedGateway(() => 100);
    const createRejection = () =>
      new Response('{"error":{"message":"Slow down","type":"rate_limit"}}', {
        status: 429,
        headers: { 'x-gateway-headers': '{}', 'retry-after': '2' },
      });
    const south = createTimedGateway(() => 100, createRejection);
    const bench = await createTimedTab(north, south, { north: 60, south: 60 });
    const trial = await createOpenTrial(bench, createCases(12), { columns: createGatewayColumns() });
    await trial.run();
    await advanceUntil(() => trial.state.getState().trial.state.name === 'finished', 100);
    const { trial: data, columnStats, paces } = trial.state.getState();
    expect(data.columns[1]?.stopped?.report).toMatchObject({ status: 429, message: 'Slow down' });
    expect(columnStats.map(({ answered }) => answered)).toEqual([12, 0]);
    expect(paces.map(({ isSlowed }) => isSlowed)).toEqual([false, true]);
    const stoppedRequests = south.requestedCells.length;
    trial.restartColumn('b');
    void trial.run();
    await advanceTime(100);
    await advanceUntil(() => south.requestedCells.length >= stoppedRequests + 2, 100);
    expect(trial.state.getState().trial.columns[1]?.stopped, 'rejections count anew').toBeUndefined();
  });
});
