import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { createMemoryRecordStore } from '../../storage/memory-record-store.ts';
import type { RecordStore, Write } from '../../storage/record-store.ts';
import { createGate, createTestSetup } from '../../testing/builders.ts';
import { createUnsavedCounter } from '../drafts/unsaved-counter.ts';
import { createRecorder, type Recorder } from './recorder.ts';

const createEntry = (data: string): TapeEntry => ({ at: 0, data });
const createDraftWrite = (sessionId: string, text: string): Write => ({
  store: 'drafts',
  put: { sessionId, text },
});

/** Creates a store that records its transactions and rejects them on request. */
function createTestStore() {
  const memory = createMemoryRecordStore();
  const transactions: { writes: readonly Write[]; strict: boolean }[] = [];
  let writeError: Error | undefined;
  const records: RecordStore = {
    ...memory,
    write: async (writes, options) => {
      transactions.push({ writes, strict: options?.strict ?? false });
      await Promise.resolve();
      if (writeError) throw writeError;
      await memory.write(writes, options);
    },
  };
  return { records, transactions, setWriteError: (error: Error | undefined) => (writeError = error) };
}

async function readTapeJson(records: RecordStore, runId: string): Promise<string> {
  return JSON.stringify(await records.readTape(runId));
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const clock = () => Date.now();

describe('the recorder', () => {
  it('writes records, tapes and dropped tapes automatically after a short delay', async () => {
    const { records, transactions } = createTestStore();
    const recorder = createRecorder(records, clock);
    const actions = [
      () => recorder.put('drafts s', createDraftWrite('s', 'one')),
      () => recorder.append('a', [createEntry('a0')]),
      () => recorder.dropTape('b'),
    ];
    for (const action of actions) {
      action();
      await vi.runAllTimersAsync();
    }
    expect(transactions.map(({ writes }) => writes)).toEqual([
      [createDraftWrite('s', 'one')],
      [{ store: 'tapes', put: { runId: 'a', firstSeq: 0, entries: [createEntry('a0')] } }],
      [{ store: 'tapes', remove: 'b' }],
    ]);
  });

  it('writes the tapes of all lanes and changed records in one transaction, with one segment per run', async () => {
    const { records, transactions } = createTestStore();
    const recorder = createRecorder(records, clock);
    recorder.append('a', [createEntry('a0'), createEntry('a1')]);
    recorder.append('b', [createEntry('b0')]);
    recorder.append('a', [createEntry('a2')]);
    recorder.put('drafts s', createDraftWrite('s', 'one'));
    recorder.put('drafts s', createDraftWrite('s', 'two'));
    await recorder.flush();
    expect(transactions).toEqual([
      {
        strict: false,
        writes: [
          createDraftWrite('s', 'two'),
          {
            store: 'tapes',
            put: {
              runId: 'a',
              firstSeq: 0,
              entries: [createEntry('a0'), createEntry('a1'), createEntry('a2')],
            },
          },
          { store: 'tapes', put: { runId: 'b', firstSeq: 0, entries: [createEntry('b0')] } },
        ],
      },
    ]);
  });

  it('continues after the last segment of a run', async () => {
    const { records, transactions } = createTestStore();
    const recorder = createRecorder(records, clock);
    for (const texts of [['0', '1'], ['2'], ['3', '4', '5']]) {
      recorder.append('a', texts.map(createEntry));
      await recorder.flush();
    }
    const firstSeqs = transactions.flatMap(({ writes }) =>
      writes.map((write) => ('put' in write && 'firstSeq' in write.put ? write.put.firstSeq : -1)),
    );
    expect(firstSeqs).toEqual([0, 2, 3]);
  });

  it('writes at most four times a second and flushes the rest automatically', async () => {
    const { records, transactions } = createTestStore();
    const recorder = createRecorder(records, clock);
    for (let index = 0; index < 100; index += 1) {
      recorder.append('a', [createEntry(String(index))]);
      recorder.append('b', [createEntry(String(index))]);
      await vi.advanceTimersByTimeAsync(20);
    }
    await vi.advanceTimersByTimeAsync(1000);
    expect(transactions.length).toBeGreaterThanOrEqual(7);
    expect(transactions.length).toBeLessThanOrEqual(10);
    const segments = await records.readTape('a');
    expect(JSON.stringify(segments).match(/"data"/g)).toHaveLength(100);
  });

  it('writes arriving data even if timers do not fire, as in a hidden tab', async () => {
    const { records, transactions } = createTestStore();
    let time = 0;
    const recorder = createRecorder(records, () => time);
    for (let index = 0; index < 10; index += 1) {
      time += 300;
      recorder.append('a', [createEntry(String(index))]);
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    }
    expect(transactions).toHaveLength(10);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(transactions).toHaveLength(10);
  });

  it('uses strict durability on request, even if a write was already scheduled', async () => {
    const { records, transactions } = createTestStore();
    const recorder = createRecorder(records, clock);
    recorder.put('drafts s', createDraftWrite('s', 'one'));
    await recorder.flush({ strict: true });
    recorder.put('drafts s', createDraftWrite('s', 'two'));
    await recorder.flush();
    expect(transactions.map(({ strict }) => strict)).toEqual([true, false]);
  });

  it('resolves a flush only when the data is stored', async () => {
    const { records } = createTestStore();
    const recorder = createRecorder(records, clock);
    recorder.append('a', [createEntry('x')]);
    await recorder.flush({ strict: true });
    expect(await readTapeJson(records, 'a')).toContain('"x"');
  });

  it('reports the name of an error without a message', async () => {
    const { records, setWriteError } = createTestStore();
    const recorder = createRecorder(records, clock);
    setWriteError(new DOMException('', 'QuotaExceededError'));
    recorder.append('a', [createEntry('0')]);
    await recorder.flush();
    expect(recorder.problem.getState().message).toBe('QuotaExceededError');
  });

  it('keeps failed writes, reports and retries them, and clears the problem afterwards', async () => {
    const { records, setWriteError } = createTestStore();
    const unsaved = createUnsavedCounter();
    const recorder = createRecorder(records, clock, unsaved);
    setWriteError(new Error('The disk is full.'));
    recorder.append('a', [createEntry('0'), createEntry('1')]);
    recorder.put('drafts s', createDraftWrite('s', 'typed'));
    await recorder.flush({ strict: true });
    expect(recorder.problem.getState().message).toBe('The disk is full.');
    expect(unsaved.state.getState().count).toBe(1);
    recorder.append('a', [createEntry('2')]);
    recorder.put('drafts s', createDraftWrite('s', 'typed later'));
    await vi.advanceTimersByTimeAsync(300);
    expect(await records.readTape('a')).toEqual([]);
    setWriteError(undefined);
    await vi.advanceTimersByTimeAsync(5000);
    expect(recorder.problem.getState().message).toBeUndefined();
    expect(unsaved.state.getState().count).toBe(0);
    expect(await records.readTape('a')).toEqual([
      { runId: 'a', firstSeq: 0, entries: [createEntry('0'), createEntry('1'), createEntry('2')] },
    ]);
    expect(await records.readRecord('drafts', 's')).toEqual({ sessionId: 's', text: 'typed later' });
  });

  it('keeps the order of a tape if entries arrive while a write fails', async () => {
    const memory = createMemoryRecordStore();
    let fail: (() => void) | undefined;
    const records: RecordStore = {
      ...memory,
      write: (writes, options) =>
        fail
          ? memory.write(writes, options)
          : new Promise((_, reject) => (fail = () => reject(new Error('lost')))),
    };
    const recorder = createRecorder(records, clock);
    recorder.append('a', [createEntry('0'), createEntry('1')]);
    await vi.advanceTimersByTimeAsync(0);
    recorder.append('a', [createEntry('2')]);
    recorder.put('drafts s', createDraftWrite('s', 'newer'));
    fail?.();
    await recorder.flush();
    expect(await records.readTape('a')).toEqual([
      { runId: 'a', firstSeq: 0, entries: [createEntry('0'), createEntry('1'), createEntry('2')] },
    ]);
    expect(await records.readRecord('drafts', 's')).toEqual({ sessionId: 's', text: 'newer' });
  });

  it('writes tip and setup of a lane that change while a write is pending or fails', async () => {
    const { records, setWriteError } = createTestStore();
    const recorder = createRecorder(records, clock);
    const lane = { id: 'l', sessionId: 's', setup: createTestSetup() };
    const setup = createTestSetup({ system: 'Typed' });
    recorder.put('lanes l', { store: 'lanes', put: lane });
    recorder.put('lanes l', { store: 'lanes', change: { id: 'l', tip: 'one' } });
    await recorder.flush();
    expect(await records.readRecord('lanes', 'l')).toEqual({ ...lane, tip: 'one' });
    setWriteError(new Error('Full'));
    recorder.put('lanes l', { store: 'lanes', change: { id: 'l', setup } });
    const failing = recorder.flush();
    await Promise.resolve();
    recorder.put('lanes l', { store: 'lanes', change: { id: 'l', tip: 'two' } });
    await failing;
    setWriteError(undefined);
    await recorder.flush();
    expect(await records.readRecord('lanes', 'l')).toEqual({ ...lane, setup, tip: 'two' });
    recorder.put('lanes l', { store: 'lanes', change: { id: 'l', tip: 'three' } });
    recorder.put('lanes l', { store: 'lanes', remove: 'l' });
    await recorder.flush();
    expect(await records.listKeys('lanes')).toEqual([]);
  });

  it('retries with the requested durability', async () => {
    const { records, setWriteError, transactions } = createTestStore();
    const recorder = createRecorder(records, clock);
    setWriteError(new Error('no'));
    recorder.put('drafts s', createDraftWrite('s', 'x'));
    await recorder.flush({ strict: true });
    setWriteError(undefined);
    await vi.advanceTimersByTimeAsync(5000);
    expect(transactions.length).toBeGreaterThan(1);
    expect(transactions.every(({ strict }) => strict)).toBe(true);
    expect(await records.readRecord('drafts', 's')).toBeDefined();
  });

  it('reports no problem while writes succeed', async () => {
    const { records } = createTestStore();
    const recorder = createRecorder(records, clock);
    const listener = vi.fn<() => void>();
    recorder.problem.subscribe(listener);
    recorder.put('drafts s', createDraftWrite('s', 'one'));
    await recorder.flush();
    recorder.append('r', [createEntry('a')]);
    await recorder.flush();
    expect(listener).not.toHaveBeenCalled();
  });

  it.each<[string, (recorder: Recorder) => void]>([
    ['a record', (recorder) => recorder.put('drafts t', createDraftWrite('t', 'later'))],
    ['a tape', (recorder) => recorder.append('b', [createEntry('later')])],
    ['a deletion of a tape', (recorder) => recorder.dropTape('b')],
  ])('counts the page as unsaved while %s that arrived during a write is pending', async (_what, addMore) => {
    const memory = createMemoryRecordStore();
    const gate = createGate();
    const unsaved = createUnsavedCounter();
    const write: RecordStore['write'] = async (...args) => {
      await gate.opened;
      await memory.write(...args);
    };
    const recorder = createRecorder({ ...memory, write }, clock, unsaved);
    recorder.put('drafts s', createDraftWrite('s', 'first'));
    const firstFlush = recorder.flush();
    await vi.advanceTimersByTimeAsync(0);
    addMore(recorder);
    gate.open();
    await firstFlush;
    expect(unsaved.state.getState().count).toBe(1);
    await recorder.flush();
    expect(unsaved.state.getState().count).toBe(0);
  });

  it('resolves a flush after three seconds if the write is slow, and reports the slow write until it is done', async () => {
    const memory = createMemoryRecordStore();
    const gate = createGate();
    const write: RecordStore['write'] = async (...args) => {
      await gate.opened;
      await memory.write(...args);
    };
    const recorder = createRecorder({ ...memory, write }, clock);
    const resolved: string[] = [];
    recorder.put('drafts s', createDraftWrite('s', 'slow'));
    void recorder.flush().then(() => resolved.push('first'));
    void recorder.flush().then(() => resolved.push('second'));
    await vi.advanceTimersByTimeAsync(2999);
    expect([resolved, recorder.problem.getState().isSlow]).toEqual([[], false]);
    await vi.advanceTimersByTimeAsync(1);
    expect([resolved, recorder.problem.getState().isSlow]).toEqual([['first', 'second'], true]);
    void recorder.flush().then(() => resolved.push('third'));
    await vi.advanceTimersByTimeAsync(0);
    expect(resolved).toContain('third');
    gate.open();
    await vi.advanceTimersByTimeAsync(0);
    expect(recorder.problem.getState()).toEqual({ message: undefined, isSlow: false });
    expect(await memory.readRecord('drafts', 's')).toEqual({ sessionId: 's', text: 'slow' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(recorder.problem.getState().isSlow).toBe(false);
  });

  it('writes nothing if nothing is pending', async () => {
    const { records, transactions } = createTestStore();
    await createRecorder(records, clock).flush({ strict: true });
    expect(transactions).toEqual([]);
  });

  it('discards the part of a tape being written when the tape is dropped', async () => {
    for (const outcome of ['stored', 'refused'] as const) {
      const { records, setWriteError } = createTestStore();
      const recorder = createRecorder(records, clock);
      setWriteError(outcome === 'refused' ? new Error('full') : undefined);
      recorder.append('a', [createEntry('first attempt')]);
      const writing = recorder.flush();
      await Promise.resolve();
      recorder.dropTape('a');
      recorder.append('a', [createEntry('second attempt')]);
      await writing;
      setWriteError(undefined);
      await recorder.flush();
      expect(await records.readTape('a')).toEqual([
        { runId: 'a', firstSeq: 0, entries: [createEntry('second attempt')] },
      ]);
    }
  });
});
