/** Tests the costs and the budget of a trial, with gateways that report token counts. */
import { describe, expect, it } from 'vitest';

import type { ModelRecord } from '../gateway/models/model-record.ts';
import type { OpenTrial } from '../state/trials/store/open-trial.ts';
import { createBench, waitForStoreState, type Bench } from '../testing/bench.ts';
import { createGate, createTickedParams } from '../testing/builders.ts';
import {
  createCases,
  createOpenTrial,
  createTrialTab,
  getTicket,
  openTrialInTab,
  waitForTrialState,
} from '../testing/open-trials.ts';
import type { ScriptedResponse } from '../testing/scripted-gateway.ts';
import { startScriptedGateway } from '../testing/scripted-gateway.ts';
import { createColumns } from '../testing/trials.ts';
import { waitUntil } from '../testing/wait-until.ts';

/** Cost of one answer: 100 tokens at $10 and 50 at $20 per million. */
const answerCost = 0.002;
const columns = createColumns('north/one');

const createPricedModel = (id: string): ModelRecord => ({
  id,
  kind: 'chat',
  abilities: {},
  raw: { input_cost_per_token: 0.00001, output_cost_per_token: 0.00002 },
});

function sendPricedAnswer(answer: ScriptedResponse): void {
  answer.sendText('{"team":"billing"}');
  answer.sendFinishReason();
  answer.sendUsage(100, 50);
  answer.sendDone();
}

const setPrices = ({ gateways }: Bench, name?: string) =>
  gateways.setListedModels([createPricedModel('north/one')], name);

const getSpent = (trial: OpenTrial) => trial.state.getState().costs.total?.amounts['USD'] ?? 0;
const getPauseReason = (trial: OpenTrial) => {
  const { state } = trial.state.getState().trial;
  return state.name === 'paused' ? state.why : state.name;
};

describe('cost of a trial', () => {
  it('adds up the tokens of all tries at their price, also of those that left no answer', async () => {
    const tries = new Map<string, number>();
    const gate = createGate();
    const { bench, gateway } = await createTrialTab(async (answer, { body }) => {
      const ticket = getTicket(body);
      const attempt = (tries.get(ticket) ?? 0) + 1;
      tries.set(ticket, attempt);
      if (ticket === 'ticket 1' && attempt === 1) {
        answer.sendText('{"team"');
        answer.sendUsage(100, 50);
        answer.sendEvent({ error: { message: 'Overloaded', type: 'server_error' } });
        answer.response.end();
      } else if (ticket === 'ticket 2' && attempt === 1) {
        answer.sendText('{"team"');
        answer.sendUsage(100, 50);
        await gate.opened;
        answer.response.end();
      } else sendPricedAnswer(answer);
    });
    setPrices(bench);
    const trial = await createOpenTrial(bench, createCases(3), { columns });
    await trial.run();
    await waitUntil(() => trial.state.getState().cells.size === 2);
    await waitUntil(() => trial.state.getState().liveCells.values().next().value?.status === 'streaming');
    await trial.stop();
    gate.open();
    await waitForTrialState(trial, 'stopped');
    expect(getSpent(trial)).toBeCloseTo(3 * answerCost, 9);
    await trial.retry();
    await waitForTrialState(trial, 'finished');
    expect(gateway.posts).toHaveLength(5);
    expect(getSpent(trial)).toBeCloseTo(5 * answerCost, 9);
    await trial.whenSaved();
    const reopenedBench = await bench.reopen();
    setPrices(reopenedBench);
    const reopenedTrial = await openTrialInTab(reopenedBench);
    await waitUntil(() => Math.abs(getSpent(reopenedTrial) - 5 * answerCost) < 1e-9);
    expect(reopenedTrial.state.getState().costs.byColumn[0]?.pricedCount).toBe(5);
  });

  it('is in the exports, and an unknown price is not free', async () => {
    const { bench } = await createTrialTab(sendPricedAnswer);
    setPrices(bench);
    const trial = await createOpenTrial(bench, createCases(1), {
      columns: createColumns('north/one', 'south/two'),
    });
    await trial.run();
    await waitForTrialState(trial, 'finished');
    const { total, byColumn } = trial.state.getState().costs;
    expect(total).toMatchObject({ pricedCount: 1, unpricedCount: 1 });
    expect(byColumn[1]).toMatchObject({ amounts: {}, unpricedCount: 1 });
    const [head = '', ...rows] = (await trial.exportCsv()).pieces;
    expect(head.trimEnd().endsWith('request_id,gateway,cost,currency')).toBe(true);
    const costsByModel = Object.fromEntries(
      rows.map((row) => [
        row.includes('north/one') ? 'priced' : 'unpriced',
        row.trimEnd().split(',').slice(-3),
      ]),
    );
    expect(costsByModel).toEqual({
      priced: ['default', String(answerCost), 'USD'],
      unpriced: ['default', '', ''],
    });
    const [header = ''] = (await trial.exportJsonLines(() => ({ words: [], method: '' }))).pieces;
    expect(JSON.parse(header)).toMatchObject({
      costs: {
        total: { amounts: { USD: answerCost }, unpriced: 1 },
        columns: [{ amounts: { USD: answerCost } }, { amounts: {}, unpriced: 1 }],
      },
    });
  });
});

describe('budget of a trial', () => {
  it.each([false, true])(
    'pauses before a request that would pass the budget leaves, and resumes once it is raised (channel: %s)',
    async (hasChannel) => {
      const { bench, gateway } = await createTrialTab(sendPricedAnswer, { hasChannel });
      setPrices(bench);
      const trial = await createOpenTrial(bench, createCases(14), {
        columns,
        budget: { amount: 0.021, currency: 'USD' },
      });
      await trial.run();
      await waitForTrialState(trial, 'paused');
      expect(getPauseReason(trial)).toBe('budget');
      // The next request is estimated at 100 tokens in and twice 50 tokens out.
      expect(trial.state.getState().trial.state).toMatchObject({ nextCost: expect.closeTo(0.003, 9) });
      expect(gateway.posts).toHaveLength(10);
      expect(getSpent(trial)).toBeCloseTo(0.02, 9);
      await trial.run();
      await waitForTrialState(trial, 'paused');
      expect(gateway.posts, 'resumed with the same budget').toHaveLength(10);
      trial.setBudget({ amount: 1, currency: 'USD' });
      await trial.run();
      await waitForTrialState(trial, 'finished');
      expect(getSpent(trial)).toBeCloseTo(14 * answerCost, 9);
    },
  );

  it('holds back requests while those in flight may use up the budget, without a pause', async () => {
    const gate = createGate();
    let requests = 0;
    const { bench, gateway } = await createTrialTab(
      async (answer) => {
        requests += 1;
        if (requests > 1) await gate.opened;
        sendPricedAnswer(answer);
      },
      { hasChannel: true },
    );
    setPrices(bench);
    const limitedColumns = columns.map((column) => ({
      ...column,
      setup: { ...column.setup, params: createTickedParams({ max_tokens: '50' }) },
    }));
    const trial = await createOpenTrial(bench, createCases(12), {
      columns: limitedColumns,
      budget: { amount: 0.0095, currency: 'USD' },
    });
    await trial.run();
    // After the first answer, three more requests of up to 50 tokens fit.
    await waitUntil(() => gateway.posts.length === 4);
    await waitForStoreState(trial.state, ({ liveCells }) => liveCells.size > 3);
    expect(getPauseReason(trial)).toBe('running');
    trial.setBudget({ amount: 0.0115, currency: 'USD' });
    await waitUntil(() => gateway.posts.length === 5);
    trial.setBudget({ amount: 0.021, currency: 'USD' });
    gate.open();
    await waitForTrialState(trial, 'paused');
    expect(getPauseReason(trial)).toBe('budget');
    expect(gateway.posts).toHaveLength(10);
    expect(getSpent(trial)).toBeCloseTo(0.02, 9);
  });

  it('waits for the first answer of a column, because its cost is the least certain', async () => {
    const gate = createGate();
    const { bench, gateway } = await createTrialTab(
      async (answer) => {
        await gate.opened;
        answer.sendText('{"team":"billing"}');
        answer.sendFinishReason();
        answer.sendUsage(100_000, 50_000);
        answer.sendDone();
      },
      { hasChannel: true },
    );
    setPrices(bench);
    const trial = await createOpenTrial(bench, createCases(12), {
      columns,
      budget: { amount: 2.5, currency: 'USD' },
    });
    await trial.run();
    await waitForStoreState(trial.state, ({ liveCells }) => liveCells.size > 3);
    await waitUntil(() => gateway.posts.length === 1);
    gate.open();
    await waitForTrialState(trial, 'paused');
    expect(gateway.posts).toHaveLength(1);
    expect(getSpent(trial)).toBeCloseTo(2, 9);
  });

  it('is shared by columns on two gateways, one of which rejects requests', async () => {
    const north = await startScriptedGateway();
    const south = await startScriptedGateway();
    north.setChatScript(sendPricedAnswer);
    let southRequests = 0;
    south.setChatScript((answer) => {
      southRequests += 1;
      if (southRequests % 2 === 0) sendPricedAnswer(answer);
      else
        answer.sendJson(
          429,
          { error: { message: 'Slow down', type: 'rate_limit_error' } },
          { 'retry-after': '0' },
        );
    });
    const bench = await createBench({
      path: '/',
      settings: {
        GATEWAYS: 'north,south',
        GATEWAY_NORTH_BASE_URL: north.url,
        GATEWAY_SOUTH_BASE_URL: south.url,
      },
    });
    setPrices(bench);
    setPrices(bench, 'south');
    const [a, b] = createColumns('north/one', 'north/one');
    if (!a || !b) throw new Error('Two columns are expected');
    const trial = await createOpenTrial(bench, createCases(20), {
      columns: [a, { ...b, setup: { ...b.setup, gateway: 'south' } }],
      budget: { amount: 0.021, currency: 'USD' },
    });
    await trial.run();
    await waitForTrialState(trial, 'paused');
    expect(getPauseReason(trial)).toBe('budget');
    const answers = north.posts.length + south.posts.filter((_, index) => index % 2 === 1).length;
    expect(answers).toBeLessThanOrEqual(10);
    expect(getSpent(trial)).toBeCloseTo(answers * answerCost, 9);
    await Promise.all([north.close(), south.close()]);
  });

  it('sends nothing more after it was lowered below the cost so far', async () => {
    const gate = createGate();
    let requests = 0;
    const { bench, gateway } = await createTrialTab(async (answer) => {
      requests += 1;
      if (requests > 4) await gate.opened;
      sendPricedAnswer(answer);
    });
    setPrices(bench);
    const trial = await createOpenTrial(bench, createCases(20), {
      columns,
      budget: { amount: 1, currency: 'USD' },
    });
    await trial.run();
    await waitUntil(() => gateway.posts.length === 7);
    trial.setBudget({ amount: 0.001, currency: 'USD' });
    gate.open();
    await waitForTrialState(trial, 'paused');
    expect(gateway.posts).toHaveLength(7);
    expect(getSpent(trial)).toBeCloseTo(7 * answerCost, 9);
  });

  it('blocks the run while a column has no price', async () => {
    const { bench, gateway } = await createTrialTab(sendPricedAnswer);
    const trial = await createOpenTrial(bench, createCases(2), {
      columns,
      budget: { amount: 1, currency: 'USD' },
    });
    expect(await trial.run()).toEqual({ kind: 'no price', columns: [0] });
    expect(gateway.posts).toHaveLength(0);
    setPrices(bench);
    expect(await trial.run()).toBeUndefined();
    await waitForTrialState(trial, 'finished');
  });
});
