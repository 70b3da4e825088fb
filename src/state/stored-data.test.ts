import { describe, expect, it, onTestFinished } from 'vitest';

import { isLive } from '../conversation/reply/run.ts';
import type { Write } from '../storage/record-store.ts';
import { createBench } from '../testing/bench.ts';
import {
  createGate,
  createTestEnvironment,
  createTextChoices,
  createTestTurn,
  createUserPrompt,
} from '../testing/builders.ts';
import { createCases } from '../testing/open-trials.ts';
import { startTestServer } from '../testing/test-server.ts';
import { createTestTrial } from '../testing/trials.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { defaultPrefs } from './prefs-store.ts';
import { createPresetStore } from './preset-store.ts';
import { buildSessionWrites } from './sessions/autosave.ts';
import { createStoredData } from './stored-data.ts';

async function createFullBench(url = 'http://127.0.0.1:9') {
  const bench = await createBench({ url });
  const environment = createTestEnvironment();
  const { data } = createTestTurn(environment, 'One', createTextChoices('1'));
  const summary = { models: ['m'], prompts: 1 };
  await bench.records.write(buildSessionWrites({ ...data, session: { ...data.session, summary } }));
  const presets = createPresetStore(bench.records, bench.environment);
  await presets.save('Mine', { model: 'm' });
  const { actions, learnedModels, library, prefs, recorder, records, session } = bench;
  let eraseCount = 0;
  const eraseVectors = async () => void (eraseCount += 1);
  const storedData = createStoredData({
    actions,
    learnedModels,
    library,
    prefs,
    recorder,
    records: Object.assign(records, { mode: 'durable' as const }),
    presets,
    session,
    eraseVectors,
    stopTrials: bench.lazyTrials.stopAll,
  });
  return { bench, presets, storedData, getEraseCount: () => eraseCount };
}

describe('stored data', () => {
  it('counts sessions, presets, images and trials', async () => {
    const { bench, storedData } = await createFullBench();
    expect(await storedData.getCounts()).toEqual({ sessions: 1, presets: 1, images: 0, trials: 0 });
    await bench.records.write([
      { store: 'trials', put: createTestTrial(1) },
      // The heartbeat record does not count as a trial.
      { store: 'trials', put: { id: 'trial/alive', at: 1, runs: [] } },
    ]);
    expect(await storedData.getCounts()).toMatchObject({ trials: 1 });
  });

  it('deletes everything including preferences, returns the counts and starts a new session', async () => {
    const { bench, presets, storedData, getEraseCount } = await createFullBench();
    bench.prefs.setState({ theme: 'dark', favouriteModels: ['m'], firstTokens: { other: 5 } });
    bench.learnedModels.update({ model: 'm' }, { firstTokenMs: 5 });
    expect(await storedData.eraseEverything()).toEqual({ sessions: 1, presets: 1, images: 0, trials: 0 });
    expect(await storedData.getCounts()).toEqual({ sessions: 0, presets: 0, images: 0, trials: 0 });
    expect(getEraseCount()).toBe(1);
    expect(presets.state.getState().presets).toEqual([]);
    expect(bench.prefs.getState()).toMatchObject({ theme: defaultPrefs.theme, favouriteModels: [] });
    expect(bench.learnedModels.state.getState()).toEqual({});
    expect(await bench.records.listKeys('learned')).toEqual([]);
    expect(Object.values(bench.getOpenSession().turns)).toEqual([]);
  });

  it('removes record by record with strict writes, so that other tabs are notified', async () => {
    const { bench, storedData } = await createFullBench();
    const tape: Write = {
      store: 'tapes',
      put: { runId: '', firstSeq: 0, entries: [{ at: 1, data: 'x' }] },
    };
    const [runId = ''] = await bench.records.listKeys('runs');
    await bench.records.write([
      { ...tape, put: { ...tape.put, runId } },
      { store: 'trials', put: createTestTrial(1) },
      { store: 'cases', put: { trialId: 'trial', block: 0, cases: createCases(1) } },
    ]);
    const strictFlags: boolean[] = [];
    const { write } = bench.records;
    bench.records.write = (writes, options) => {
      strictFlags.push(options?.strict === true);
      return write(writes, options);
    };
    let remainingRecords: unknown[] = ['unread'];
    bench.records.clear = async () => {
      const stores = ['sessions', 'lanes', 'prompts', 'turns', 'runs', 'presets', 'trials'] as const;
      const keys = await Promise.all(stores.map((store) => bench.records.listKeys(store)));
      const cases = await bench.records.listByTrial('cases', 'trial');
      remainingRecords = [...keys.flat(), ...(await bench.records.readTape(runId)), ...cases];
    };
    await storedData.eraseEverything();
    expect(remainingRecords).toEqual([]);
    expect(strictFlags[0]).toBe(true);
  });

  it('stops live runs first, so that they store nothing afterwards', async () => {
    let isRequested = false;
    const gate = createGate();
    const gateway = await startTestServer(async () => {
      isRequested = true;
      await gate.opened;
      return new Response();
    });
    onTestFinished(gateway.close);
    const { bench, storedData } = await createFullBench(gateway.url);
    await bench.actions.createSession();
    void bench.actions.sendPrompt(createUserPrompt('Hi'));
    await waitUntil(() => isRequested);
    expect(Object.values(bench.getOpenSession().runs).some(isLive)).toBe(true);
    const { sessions } = await storedData.eraseEverything();
    expect(sessions).toBe(2);
    await bench.waitUntilSaved();
    expect(await bench.records.listKeys('runs')).toEqual([]);
    expect(await storedData.getCounts()).toMatchObject({ sessions: 0 });
    gate.open();
  });

  it('does not open the vector database in memory mode', async () => {
    const { bench, storedData, getEraseCount } = await createFullBench();
    Object.assign(bench.records, { mode: 'memory' });
    await storedData.eraseEverything();
    expect(getEraseCount()).toBe(0);
  });

  it('keeps the data and rejects if the store rejects the deletion', async () => {
    const { bench, storedData } = await createFullBench();
    bench.prefs.setState({ theme: 'dark' });
    bench.records.write = () => Promise.reject(new Error('Disk error'));
    await expect(storedData.eraseEverything()).rejects.toThrow('Disk error');
    expect(bench.prefs.getState().theme).toBe('dark');
  });
});
