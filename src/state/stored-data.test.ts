import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { aBench } from '../testing/bench.ts';
import { anEnvironment, answered, aSession, say } from '../testing/builders.ts';
import { writesOfSession } from './autosave.ts';
import { firstPrefs } from './prefs-store.ts';
import { createPresets } from './presets.ts';
import { createStoredData } from './stored-data.ts';

beforeEach(() => {
  vi.stubGlobal('navigator', { onLine: true });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

async function aFullBench() {
  const bench = await aBench({ url: 'http://127.0.0.1:9' });
  const environment = anEnvironment();
  const { data } = say(aSession(environment), environment, 'One', answered('1'));
  const summary = { models: ['m'], prompts: 1 };
  await bench.records.write(writesOfSession({ ...data, session: { ...data.session, summary } }));
  const presets = createPresets(bench.records, bench.environment);
  await presets.save('Mine', { model: 'm' });
  const { actions, library, prefs, recorder, records, session } = bench;
  let erased = 0;
  const eraseVectors = async () => void (erased += 1);
  const stored = createStoredData({
    actions,
    library,
    prefs,
    recorder,
    records: Object.assign(records, { mode: 'durable' as const }),
    presets,
    session,
    eraseVectors,
  });
  return { bench, presets, stored, vectorsErased: () => erased };
}

describe('what is stored', () => {
  it('is counted', async () => {
    const { stored } = await aFullBench();
    expect(await stored.counts()).toEqual({ sessions: 1, presets: 1, images: 0 });
  });

  it('is erased with the preferences; what there was is told, and a new session begins', async () => {
    const { bench, presets, stored, vectorsErased } = await aFullBench();
    bench.prefs.setState({ theme: 'dark', favouriteModels: ['m'] });
    expect(await stored.eraseEverything()).toEqual({ sessions: 1, presets: 1, images: 0 });
    expect(await stored.counts()).toEqual({ sessions: 0, presets: 0, images: 0 });
    expect(vectorsErased()).toBe(1);
    expect(presets.state.getState().presets).toEqual([]);
    expect(bench.prefs.getState()).toMatchObject({ theme: firstPrefs.theme, favouriteModels: [] });
    expect(Object.values(bench.current().turns)).toEqual([]);
  });

  it('stays where the store refuses, and the refusal is passed on', async () => {
    const { bench, stored } = await aFullBench();
    bench.prefs.setState({ theme: 'dark' });
    bench.records.write = () => Promise.reject(new Error('The disk says no'));
    await expect(stored.eraseEverything()).rejects.toThrow('The disk says no');
    expect(bench.prefs.getState().theme).toBe('dark');
  });
});
