import { describe, expect, it } from 'vitest';

import { learnedOf } from '../conversation/setup/abilities.ts';
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
      () => 'gateway.example',
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
    expect(learnedOf(stored, 'north/one')).toEqual({ tools: { seen: at(1) } });
    expect(firstTokenMsOf(stored, '__proto__')).toBe(7);
    expect(await records.keys('learned')).toEqual(['__proto__', 'north/one']);
  });

  it('is read from the preferences where an earlier version kept it, until there is a record', async () => {
    const earlier = {
      learned: { a: { json: { seen: at(1) } }, b: { usage: { seen: at(2) } }, c: 'damaged' },
      firstTokens: { a: 50, c: 60 },
    };
    const { learned, records, recorder } = learnedOver(undefined, earlier);
    expect(learnedOf(learned.state.getState(), 'a')).toEqual({ json: { seen: at(1) } });
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
    expect(learnedOf(next.state.getState(), 'b')).toEqual({ usage: { seen: at(2) } });
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
