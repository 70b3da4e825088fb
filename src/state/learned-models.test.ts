import { describe, expect, it } from 'vitest';

import type { ModelChoice } from '../conversation/session/types.ts';
import { readLearnedAbilities } from '../conversation/setup/learned-abilities.ts';
import { buildModelKey } from '../conversation/setup/model-key.ts';
import type { GatewayStatus } from '../gateway/http/status.ts';
import { createMemoryRecordStore } from '../storage/memory-record-store.ts';
import { createTestGatewayStatus } from '../testing/builders.ts';
import { createLearnedModels, getFirstTokenMs } from './learned-models.ts';
import { createRecorder } from './runs/recorder.ts';

/** Returns gateways of which only the first one has a status. */
const createTestGateways = (getFirst: () => Partial<GatewayStatus>) => ({
  getModelKey: ({ model, gateway }: ModelChoice) => buildModelKey(model, gateway),
  getStatus: () => createTestGatewayStatus(getFirst()),
});

function createTestLearnedModels(records = createMemoryRecordStore(), earlierPrefs = {}) {
  const recorder = createRecorder(records, () => performance.now());
  return {
    records,
    recorder,
    learned: createLearnedModels(
      records,
      recorder,
      () => earlierPrefs,
      createTestGateways(() => ({ id: 'a1', host: 'gateway.example' })),
    ),
  };
}

const createSighting = (time: number) => ({ sessionId: 's', runId: `r${time}`, at: time });

describe('learned facts about models', () => {
  it('restores learned facts on the next visit, with one record per model', async () => {
    const { learned, records, recorder } = createTestLearnedModels();
    learned.update({ model: 'north/one' }, { firstTokenMs: 120 });
    learned.update({ model: 'north/one' }, { tools: { seen: createSighting(1) } });
    learned.update({ model: '__proto__' }, { firstTokenMs: 7 });
    learned.update({ model: '' }, { firstTokenMs: 9 });
    await recorder.flush();
    const next = createTestLearnedModels(records).learned;
    expect(next.state.getState()).toEqual({});
    await next.reload();
    const stored = next.state.getState();
    expect(getFirstTokenMs(stored, 'north/one')).toBe(120);
    expect(readLearnedAbilities(stored, 'north/one')).toEqual({ tools: { seen: createSighting(1) } });
    expect(getFirstTokenMs(stored, '__proto__')).toBe(7);
    expect(await records.listKeys('learned')).toEqual(['__proto__', 'north/one']);
  });

  it('reads facts from the preferences of an earlier version until there is a record', async () => {
    const earlierPrefs = {
      learned: {
        a: { json: { seen: createSighting(1) } },
        b: { usage: { seen: createSighting(2) } },
        c: 'damaged',
      },
      firstTokens: { a: 50, c: 60 },
    };
    const { learned, records, recorder } = createTestLearnedModels(undefined, earlierPrefs);
    expect(readLearnedAbilities(learned.state.getState(), 'a')).toEqual({
      json: { seen: createSighting(1) },
    });
    expect(['a', 'b', 'c'].map((id) => getFirstTokenMs(learned.state.getState(), id))).toEqual([
      50,
      undefined,
      60,
    ]);
    learned.update({ model: 'a' }, { firstTokenMs: 40 });
    await recorder.flush();
    expect(await records.readRecord('learned', 'a')).toEqual({
      id: 'a',
      json: { seen: createSighting(1) },
      firstTokenMs: 40,
    });
    const next = createTestLearnedModels(records, earlierPrefs).learned;
    await next.reload();
    expect(getFirstTokenMs(next.state.getState(), 'a')).toBe(40);
    expect(readLearnedAbilities(next.state.getState(), 'b')).toEqual({ usage: { seen: createSighting(2) } });
  });

  it('keeps unsaved facts when records are read again', async () => {
    const { learned, records, recorder } = createTestLearnedModels();
    learned.update({ model: 'a' }, { firstTokenMs: 40 });
    await learned.reload();
    learned.update({ model: 'a' }, { json: { seen: createSighting(1) } });
    await recorder.flush();
    expect(await records.readRecord('learned', 'a')).toEqual({
      id: 'a',
      firstTokenMs: 40,
      json: { seen: createSighting(1) },
    });
  });
});

describe('facts about models of several gateways', () => {
  it('stores those of the first gateway under plain IDs, and those of another under its name', async () => {
    const { learned, records, recorder } = createTestLearnedModels();
    learned.update({ model: 'm' }, { firstTokenMs: 1 });
    learned.update({ model: 'm', gateway: 'staging' }, { firstTokenMs: 2 });
    learned.update({ model: '', gateway: 'staging' }, { firstTokenMs: 3 });
    await recorder.flush();
    expect(await records.listKeys('learned')).toEqual(['m', 'staging\tm']);
    const next = createTestLearnedModels(records).learned;
    await next.reload();
    const times = [{ model: 'm' }, { model: 'm', gateway: 'staging' }, { model: 'm', gateway: 'other' }].map(
      (choice) => getFirstTokenMs(next.state.getState(), next.getKey(choice)),
    );
    expect(times).toEqual([1, 2, undefined]);
  });

  it('remembers rejected fields of equal IDs separately', () => {
    const { learned } = createTestLearnedModels();
    learned.setRefusedFields({ model: 'm', gateway: 'staging' }, { n: null });
    expect(learned.getRefusedFields({ model: 'm' })).toEqual({});
    expect(learned.getRefusedFields({ model: 'm', gateway: 'staging' })).toEqual({ n: null });
  });
});

describe('rejected request fields', () => {
  it('remembers rejected fields by gateway and model until they are replaced', async () => {
    const records = createMemoryRecordStore();
    const recorder = createRecorder(records, () => performance.now());
    let id = 'a1';
    const openLearnedModels = () =>
      createLearnedModels(
        records,
        recorder,
        () => ({}),
        createTestGateways(() => ({ id, host: 'h' })),
      );
    const learned = openLearnedModels();
    learned.update({ model: 'm' }, { firstTokenMs: 5 });
    learned.setRefusedFields({ model: 'm' }, { max_tokens: 'max_completion_tokens', top_k: null });
    await recorder.flush();
    const next = openLearnedModels();
    await next.reload();
    expect(next.getRefusedFields({ model: 'm' })).toEqual({
      max_tokens: 'max_completion_tokens',
      top_k: null,
    });
    expect(next.getRefusedFields({ model: 'm' })).toBe(next.getRefusedFields({ model: 'm' }));
    expect(next.getRefusedFields({ model: 'other' })).toEqual({});
    expect(getFirstTokenMs(next.state.getState(), 'm')).toBe(5);
    id = 'b2';
    expect(next.getRefusedFields({ model: 'm' })).toEqual({});
    next.setRefusedFields({ model: 'm' }, { n: null });
    id = 'a1';
    next.setRefusedFields({ model: 'm' }, {});
    expect(next.getRefusedFields({ model: 'm' })).toEqual({});
    id = 'b2';
    expect(next.getRefusedFields({ model: 'm' })).toEqual({ n: null });
  });

  it('reads rejected stream_options from the preferences of an earlier version', () => {
    const { learned } = createTestLearnedModels(undefined, {
      refusesUsage: ['gateway.example m', 'other m2'],
    });
    expect(learned.getRefusedFields({ model: 'm' })).toEqual({ stream_options: null });
    expect(learned.getRefusedFields({ model: 'm2' })).toEqual({});
    learned.setRefusedFields({ model: 'm' }, {});
    expect(learned.getRefusedFields({ model: 'm' })).toEqual({});
  });

  it('skips unreadable rejected fields', () => {
    const { learned } = createTestLearnedModels();
    learned.state.setState({ m: { refusedFields: { a1: { n: null, top_k: 7, seed: 'x' } } }, m2: 'damaged' });
    expect(learned.getRefusedFields({ model: 'm' })).toEqual({ n: null, seed: 'x' });
    expect(learned.getRefusedFields({ model: 'm2' })).toEqual({});
  });
});
