import { describe, expect, it } from 'vitest';

import { readLearnedAbilities } from '../conversation/setup/learned-abilities.ts';
import { createMemoryRecordStore } from '../storage/memory-record-store.ts';
import { createLearnedModels, getFirstTokenMs } from './learned-models.ts';
import { createRecorder } from './runs/recorder.ts';

function createTestLearnedModels(records = createMemoryRecordStore(), earlierPrefs = {}) {
  const recorder = createRecorder(records, () => performance.now());
  return {
    records,
    recorder,
    learned: createLearnedModels(
      records,
      recorder,
      () => earlierPrefs,
      () => ({ id: 'a1', host: 'gateway.example' }),
    ),
  };
}

const createSighting = (time: number) => ({ sessionId: 's', runId: `r${time}`, at: time });

describe('learned facts about models', () => {
  it('restores learned facts on the next visit, with one record per model', async () => {
    const { learned, records, recorder } = createTestLearnedModels();
    learned.update('north/one', { firstTokenMs: 120 });
    learned.update('north/one', { tools: { seen: createSighting(1) } });
    learned.update('__proto__', { firstTokenMs: 7 });
    learned.update('', { firstTokenMs: 9 });
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
    learned.update('a', { firstTokenMs: 40 });
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
    learned.update('a', { firstTokenMs: 40 });
    await learned.reload();
    learned.update('a', { json: { seen: createSighting(1) } });
    await recorder.flush();
    expect(await records.readRecord('learned', 'a')).toEqual({
      id: 'a',
      firstTokenMs: 40,
      json: { seen: createSighting(1) },
    });
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
        () => ({ id, host: 'h' }),
      );
    const learned = openLearnedModels();
    learned.update('m', { firstTokenMs: 5 });
    learned.setRefusedFields('m', { max_tokens: 'max_completion_tokens', top_k: null });
    await recorder.flush();
    const next = openLearnedModels();
    await next.reload();
    expect(next.getRefusedFields('m')).toEqual({ max_tokens: 'max_completion_tokens', top_k: null });
    expect(next.getRefusedFields('m')).toBe(next.getRefusedFields('m'));
    expect(next.getRefusedFields('other')).toEqual({});
    expect(getFirstTokenMs(next.state.getState(), 'm')).toBe(5);
    id = 'b2';
    expect(next.getRefusedFields('m')).toEqual({});
    next.setRefusedFields('m', { n: null });
    id = 'a1';
    next.setRefusedFields('m', {});
    expect(next.getRefusedFields('m')).toEqual({});
    id = 'b2';
    expect(next.getRefusedFields('m')).toEqual({ n: null });
  });

  it('reads rejected stream_options from the preferences of an earlier version', () => {
    const { learned } = createTestLearnedModels(undefined, {
      refusesUsage: ['gateway.example m', 'other m2'],
    });
    expect(learned.getRefusedFields('m')).toEqual({ stream_options: null });
    expect(learned.getRefusedFields('m2')).toEqual({});
    learned.setRefusedFields('m', {});
    expect(learned.getRefusedFields('m')).toEqual({});
  });

  it('skips unreadable rejected fields', () => {
    const { learned } = createTestLearnedModels();
    learned.state.setState({ m: { refusedFields: { a1: { n: null, top_k: 7, seed: 'x' } } }, m2: 'damaged' });
    expect(learned.getRefusedFields('m')).toEqual({ n: null, seed: 'x' });
    expect(learned.getRefusedFields('m2')).toEqual({});
  });
});
