import { describe, expect, it } from 'vitest';

import { readLearnedAbilities } from '../conversation/setup/learned-abilities.ts';
import { memoryRecordStore } from '../storage/memory-store.ts';
import { createLearnedModels, firstTokenMsOf } from './learned-models.ts';
import { createRecorder } from './runs/recorder.ts';

function learnedOver(records = memoryRecordStore(), earlier = {}) {
  const recorder = createRecorder(records, () => performance.now());
  return {
    records,
    recorder,
    learned: createLearnedModels(
      records,
      recorder,
      () => earlier,
      () => ({ id: 'a1', host: 'gateway.example' }),
    ),
  };
}

const at = (time: number) => ({ sessionId: 's', runId: `r${time}`, at: time });

describe('what runs have shown of models', () => {
  it('is there again at the next visit, a record a model with all its fields', async () => {
    const { learned, records, recorder } = learnedOver();
    learned.learn('north/one', { firstTokenMs: 120 });
    learned.learn('north/one', { tools: { seen: at(1) } });
    learned.learn('__proto__', { firstTokenMs: 7 });
    learned.learn('', { firstTokenMs: 9 });
    await recorder.flush();
    const next = learnedOver(records).learned;
    expect(next.state.getState()).toEqual({});
    await next.reload();
    const stored = next.state.getState();
    expect(firstTokenMsOf(stored, 'north/one')).toBe(120);
    expect(readLearnedAbilities(stored, 'north/one')).toEqual({ tools: { seen: at(1) } });
    expect(firstTokenMsOf(stored, '__proto__')).toBe(7);
    expect(await records.keys('learned')).toEqual(['__proto__', 'north/one']);
  });

  it('is read from the preferences where an earlier version kept it, until there is a record', async () => {
    const earlier = {
      learned: { a: { json: { seen: at(1) } }, b: { usage: { seen: at(2) } }, c: 'damaged' },
      firstTokens: { a: 50, c: 60 },
    };
    const { learned, records, recorder } = learnedOver(undefined, earlier);
    expect(readLearnedAbilities(learned.state.getState(), 'a')).toEqual({ json: { seen: at(1) } });
    expect(['a', 'b', 'c'].map((id) => firstTokenMsOf(learned.state.getState(), id))).toEqual([
      50,
      undefined,
      60,
    ]);
    learned.learn('a', { firstTokenMs: 40 });
    await recorder.flush();
    expect(await records.record('learned', 'a')).toEqual({
      id: 'a',
      json: { seen: at(1) },
      firstTokenMs: 40,
    });
    const next = learnedOver(records, earlier).learned;
    await next.reload();
    expect(firstTokenMsOf(next.state.getState(), 'a')).toBe(40);
    expect(readLearnedAbilities(next.state.getState(), 'b')).toEqual({ usage: { seen: at(2) } });
  });

  it('is not lost where it is read again before it was stored', async () => {
    const { learned, records, recorder } = learnedOver();
    learned.learn('a', { firstTokenMs: 40 });
    await learned.reload();
    learned.learn('a', { json: { seen: at(1) } });
    await recorder.flush();
    expect(await records.record('learned', 'a')).toEqual({
      id: 'a',
      firstTokenMs: 40,
      json: { seen: at(1) },
    });
  });
});

describe('fields that models refused', () => {
  it('remembers refused fields by gateway and model until they are replaced', async () => {
    const records = memoryRecordStore();
    const recorder = createRecorder(records, () => performance.now());
    let id = 'a1';
    const open = () =>
      createLearnedModels(
        records,
        recorder,
        () => ({}),
        () => ({ id, host: 'h' }),
      );
    const learned = open();
    learned.learn('m', { firstTokenMs: 5 });
    learned.setRefusedFields('m', { max_tokens: 'max_completion_tokens', top_k: null });
    await recorder.flush();
    const next = open();
    await next.reload();
    expect(next.refusedFields('m')).toEqual({ max_tokens: 'max_completion_tokens', top_k: null });
    expect(next.refusedFields('m')).toBe(next.refusedFields('m'));
    expect(next.refusedFields('other')).toEqual({});
    expect(firstTokenMsOf(next.state.getState(), 'm')).toBe(5);
    id = 'b2';
    expect(next.refusedFields('m')).toEqual({});
    next.setRefusedFields('m', { n: null });
    id = 'a1';
    next.setRefusedFields('m', {});
    expect(next.refusedFields('m')).toEqual({});
    id = 'b2';
    expect(next.refusedFields('m')).toEqual({ n: null });
  });

  it('reads refused usage from the preferences of an earlier version', () => {
    const { learned } = learnedOver(undefined, { refusesUsage: ['gateway.example m', 'other m2'] });
    expect(learned.refusedFields('m')).toEqual({ stream_options: null });
    expect(learned.refusedFields('m2')).toEqual({});
    learned.setRefusedFields('m', {});
    expect(learned.refusedFields('m')).toEqual({});
  });

  it('skips stored refused fields that cannot be read', () => {
    const { learned } = learnedOver();
    learned.state.setState({ m: { refusedFields: { a1: { n: null, top_k: 7, seed: 'x' } } }, m2: 'damaged' });
    expect(learned.refusedFields('m')).toEqual({ n: null, seed: 'x' });
    expect(learned.refusedFields('m2')).toEqual({});
  });
});
