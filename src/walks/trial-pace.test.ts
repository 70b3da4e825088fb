/** Trials on a clock of their own: pace, people first, and tabs that die at any moment (trials.md, 18.3). */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { seededRandom } from '../lib/random.ts';
import { readCellRun } from '../state/trials/trial-records.ts';
import { memoryRecordStore } from '../storage/memory-store.ts';
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
import { cellsToAsk } from '../trials/order.ts';

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
  records: memoryRecordStore(),
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
      running.push(trial.state.getState().progress.underWay);
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

describe('a tab that dies at any moment', () => {
  it('has lost no answer fifty times over, and the next asks nothing that has ended', async () => {
    const random = seededRandom('kills');
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
      for (const runId of await bench.records.runIdsOf('trial')) {
        const run = readCellRun(await bench.records.record('runs', runId), aTrial(0, { columns }));
        if (run?.phase.name === 'complete' && run.cell)
          ended.add(`${run.setup.model} ticket ${run.cell.caseId}`);
      }
      bench = await bench.reopened(options);
      trial = await openTrialIn(bench);
      await passUntil(() => trial.state.getState().asker.name !== 'counting down');
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
    const order = [...cellsToAsk(aTrial(120, { columns }), () => false)].map(
      ({ caseId, columnId }) => `${modelOf.get(columnId)} ticket ${caseId}`,
    );
    expect([...new Set(gateway.asked.map(nameOf))]).toEqual(order);
  });
});
