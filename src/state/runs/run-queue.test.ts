import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createTestBrowser } from '../../testing/browser.ts';
import { createGate } from '../../testing/builders.ts';
import type { RequestSlots, RequestSource } from '../tabs/tab-locks.ts';
import { createRunQueue, describeUsedUpLimit } from './run-queue.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Creates a queue that records the runs admitted, in order, with their release functions. */
function createTestQueue(getLimit: () => number, slots?: RequestSlots) {
  const queue = createRunQueue({ now: () => Date.now(), getLimit, ...(slots ? { slots } : {}) });
  const entered: string[] = [];
  const releases = new Map<string, () => void>();
  const refused: string[] = [];
  const enter = (runId: string, signal = new AbortController().signal, source?: RequestSource) => {
    queue.acquire(runId, signal, source).then(
      (release) => {
        entered.push(runId);
        releases.set(runId, release);
      },
      () => refused.push(runId),
    );
  };
  const enterCell = (runId: string, signal?: AbortSignal) => enter(runId, signal, 'cell');
  return { queue, entered, refused, enter, enterCell, leave: (runId: string) => releases.get(runId)?.() };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

describe('the run queue', () => {
  it('admits four runs at a time and the next one in order when a slot is free', async () => {
    const { queue, entered, enter, leave } = createTestQueue(() => 0);
    for (const runId of ['a', 'b', 'c', 'd', 'e', 'f']) enter(runId);
    await settle();
    expect(entered).toEqual(['a', 'b', 'c', 'd']);
    expect(queue.state.getState()).toMatchObject({ inFlight: 4, waiting: ['e', 'f'] });
    expect(queue.state.getState().nextStartAt).toBeUndefined();
    leave('b');
    leave('b');
    await settle();
    expect(entered).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(queue.state.getState()).toMatchObject({ inFlight: 4, waiting: ['f'] });
    for (const runId of ['a', 'c', 'd', 'e']) leave(runId);
    await settle();
    leave('f');
    expect(queue.state.getState()).toMatchObject({ inFlight: 0, waiting: [] });
  });

  it('admits no more runs per minute than the limit, and reports when the next one starts', async () => {
    const { queue, entered, enter, leave } = createTestQueue(() => 3);
    const sentAt: number[] = [];
    const isStartAnnounced: boolean[] = [];
    const start = Date.now();
    for (let index = 0; index < 9; index += 1) enter(`r${index}`);
    for (let second = 0; second < 200; second += 1) {
      await vi.advanceTimersByTimeAsync(1000);
      while (sentAt.length < entered.length) {
        leave(entered[sentAt.length] ?? '');
        sentAt.push(Date.now() - start);
      }
      const { nextStartAt, waiting } = queue.state.getState();
      isStartAnnounced.push(waiting.length === 0 || (nextStartAt ?? 0) > Date.now() - 1000);
    }
    expect(isStartAnnounced).not.toContain(false);
    expect(entered).toHaveLength(9);
    for (let index = 3; index < 9; index += 1) {
      expect((sentAt[index] ?? 0) - (sentAt[index - 3] ?? 0)).toBeGreaterThanOrEqual(60_000);
    }
    expect(sentAt[8]).toBeLessThan(125_000);
  });

  it('reports no start time if the limit is reached but no run is waiting', async () => {
    const { queue, entered, enter } = createTestQueue(() => 1);
    enter('a');
    await settle();
    queue.recheck();
    expect(entered).toEqual(['a']);
    expect(queue.state.getState().nextStartAt).toBeUndefined();
    enter('b');
    await settle();
    expect(queue.state.getState().nextStartAt).toBeGreaterThan(Date.now());
  });

  it('applies no rate limit if the limit is 0', async () => {
    const { entered, enter, leave } = createTestQueue(() => 0);
    for (let index = 0; index < 100; index += 1) {
      enter(`r${index}`);
      await settle();
      leave(`r${index}`);
    }
    expect(entered).toHaveLength(100);
  });

  it('removes an aborted run from the slot queue and admits the others', async () => {
    const { queue, entered, refused, enter, leave } = createTestQueue(() => 0);
    const stop = new AbortController();
    for (const runId of ['a', 'b', 'c', 'd']) enter(runId);
    enter('e', stop.signal);
    enter('f');
    stop.abort();
    await settle();
    expect(refused).toEqual(['e']);
    expect(queue.state.getState()).toMatchObject({ inFlight: 4, waiting: ['f'] });
    leave('a');
    await settle();
    expect(entered.at(-1)).toBe('f');
  });

  it('removes an aborted run from the rate limit queue and admits the others', async () => {
    const { queue, entered, refused, enter, leave } = createTestQueue(() => 1);
    const [second, third] = [new AbortController(), new AbortController()];
    enter('first');
    enter('second', second.signal);
    enter('third', third.signal);
    enter('fourth');
    await settle();
    leave('first');
    second.abort();
    await settle();
    expect(refused).toEqual(['second']);
    expect(queue.state.getState().nextStartAt).toBeDefined();
    await vi.advanceTimersByTimeAsync(60_500);
    expect(entered).toEqual(['first', 'third']);
    third.abort();
    leave('third');
    leave('third');
    await settle();
    expect(queue.state.getState()).toMatchObject({ inFlight: 0, waiting: ['fourth'] });
    await vi.advanceTimersByTimeAsync(60_500);
    expect(entered).toEqual(['first', 'third', 'fourth']);
    expect(queue.state.getState()).toMatchObject({ waiting: [], nextStartAt: undefined });
  });

  it('rejects a run that is already aborted without losing a slot', async () => {
    const { queue, refused, enter } = createTestQueue(() => 0);
    const stopped = new AbortController();
    stopped.abort();
    enter('a', stopped.signal);
    await settle();
    expect(refused).toEqual(['a']);
    expect(queue.state.getState()).toMatchObject({ inFlight: 0, waiting: [], sentAt: [] });
  });

  it('ignores an abort after the run was admitted', async () => {
    const { queue, entered, enter } = createTestQueue(() => 0);
    const stop = new AbortController();
    enter('a', stop.signal);
    await settle();
    stop.abort();
    await settle();
    expect(entered).toEqual(['a']);
    expect(queue.state.getState().inFlight).toBe(1);
  });

  it('admits waiting runs when the limit is raised', async () => {
    let limit = 1;
    const { queue, entered, enter } = createTestQueue(() => limit);
    enter('a');
    enter('b');
    await settle();
    expect(entered).toEqual(['a']);
    limit = 2;
    queue.recheck();
    await settle();
    expect(entered).toEqual(['a', 'b']);
  });

  it('waits for several requests to expire after the limit was lowered', async () => {
    let limit = 3;
    const { queue, enter, leave } = createTestQueue(() => limit);
    const start = Date.now();
    for (const runId of ['a', 'b', 'c']) {
      enter(runId);
      await vi.advanceTimersByTimeAsync(10_000);
      leave(runId);
    }
    limit = 1;
    enter('d');
    await settle();
    expect(queue.state.getState().nextStartAt).toBeGreaterThanOrEqual(start + 20_000 + 60_000);
  });

  it('admits no run before the time requested by the server', async () => {
    const { queue, entered, enter } = createTestQueue(() => 0);
    queue.pauseUntil(Date.now() + 5000);
    enter('a');
    await vi.advanceTimersByTimeAsync(4900);
    expect(entered).toEqual([]);
    expect(queue.state.getState().nextStartAt).toBe(Date.now() + 100);
    await vi.advanceTimersByTimeAsync(200);
    expect(entered).toEqual(['a']);
  });

  it('counts requests from other tabs', async () => {
    const { queue, entered, enter } = createTestQueue(() => 2);
    queue.recordSent([Date.now() - 30_000, Date.now()]);
    enter('a');
    await vi.advanceTimersByTimeAsync(29_000);
    expect(entered).toEqual([]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(entered).toEqual(['a']);
  });

  it('keeps send times sorted, whatever order they are reported in', () => {
    const { queue } = createTestQueue(() => 2);
    const nowMs = Date.now();
    queue.recordSent([nowMs, nowMs - 10]);
    queue.recordSent([nowMs - 5, nowMs - 20]);
    expect(queue.state.getState().sentAt).toEqual([nowMs - 20, nowMs - 10, nowMs - 5, nowMs]);
  });

  it('counts a reported request once, and simultaneous ones separately', async () => {
    const { queue, enter } = createTestQueue(() => 4);
    for (const runId of ['a', 'b', 'c']) enter(runId);
    await vi.advanceTimersByTimeAsync(0);
    const { sentAt } = queue.state.getState();
    queue.recordSent(sentAt);
    expect(queue.state.getState().sentAt).toHaveLength(3);
    const afterReload = createRunQueue({ now: () => Date.now(), getLimit: () => 4 });
    afterReload.recordSent([...sentAt, Date.now() - 120_000]);
    expect(afterReload.state.getState().sentAt).toHaveLength(3);
  });

  it('shares one minute among all tabs, even after opening or reloading a tab', async () => {
    const browser = createTestBrowser();
    const openTabQueue = () => {
      const { storage } = browser.openTab({ origin: 'http://bench.test' }).page;
      return createRunQueue({ now: () => Date.now(), getLimit: () => 3, storage });
    };
    const { signal } = new AbortController();
    const [first, second] = [openTabQueue(), openTabQueue()];
    await Promise.all([first.acquire('a', signal), second.acquire('b', signal)]);
    const third = openTabQueue();
    expect(third.state.getState().sentAt).toHaveLength(2);
    await third.acquire('c', signal);
    await vi.advanceTimersByTimeAsync(1);
    for (const { state } of [first, second, third]) expect(state.getState().sentAt).toHaveLength(3);
    const entered = vi.fn<() => void>();
    void first.acquire('d', signal).then(entered);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(entered).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2000);
    expect(entered).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(openTabQueue().state.getState().sentAt).toEqual([]);
  });

  it('counts the requests of each gateway under its own key', async () => {
    const { storage } = createTestBrowser().openTab({ origin: 'http://bench.test' }).page;
    const openQueue = (gatewayName?: string) =>
      createRunQueue({
        now: () => Date.now(),
        getLimit: () => 3,
        storage,
        ...(gatewayName === undefined ? {} : { gatewayName }),
      });
    const { signal } = new AbortController();
    await openQueue('staging').acquire('a', signal);
    const countSent = () =>
      [undefined, 'staging', 'other'].map((name) => openQueue(name).state.getState().sentAt.length);
    expect(countSent()).toEqual([0, 1, 0]);
    await openQueue().acquire('b', signal);
    expect(countSent()).toEqual([1, 1, 0]);
    expect(storage.getItem('bench-sent-at')).not.toBeNull();
    expect(storage.getItem('bench-sent-at staging')).not.toBeNull();
  });

  it.each([
    ['the stored value is not a list', { getItem: () => '{"a', setItem: () => undefined }],
    [
      'the browser denies access to its storage',
      {
        getItem: () => {
          throw new DOMException('no', 'SecurityError');
        },
        setItem: () => {
          throw new DOMException('no', 'SecurityError');
        },
      },
    ],
  ])('counts only its own requests if %s', async (_, storage) => {
    const queue = createRunQueue({ now: () => Date.now(), getLimit: () => 2, storage });
    (await queue.acquire('a', new AbortController().signal))();
    expect(queue.state.getState().sentAt).toHaveLength(1);
  });

  it('describes how many requests were used', () => {
    expect([1, 50].map(describeUsedUpLimit)).toEqual([
      'Rate limit reached: 1 of 1 this minute.',
      'Rate limit reached: 50 of 50 this minute.',
    ]);
  });

  it('ignores a requested wait after the clock was set back', async () => {
    let shiftMs = 0;
    const queue = createRunQueue({ now: () => Date.now() + shiftMs, getLimit: () => 0 });
    queue.pauseUntil(Date.now() + 5000);
    shiftMs = -3_600_000;
    const entered = vi.fn<() => void>();
    void queue.acquire('a', new AbortController().signal).then(entered);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(entered).toHaveBeenCalledTimes(1);
  });

  it('continues immediately after the clock was set back by an hour', async () => {
    let shiftMs = 0;
    const queue = createRunQueue({ now: () => Date.now() + shiftMs, getLimit: () => 1 });
    (await queue.acquire('a', new AbortController().signal))();
    shiftMs = -3_600_000;
    const entered = vi.fn<() => void>();
    void queue.acquire('b', new AbortController().signal).then(entered);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(entered).toHaveBeenCalled();
  });
});

/** Two requests per minute, evenly spaced in the 60.5 s that count as a minute. */
const cellIntervalMs = 30_250;

describe('trial cells', () => {
  it('starts cells one by one, evenly spaced, and counts them towards the limit', async () => {
    const { queue, entered, enterCell, leave } = createTestQueue(() => 2);
    const start = Date.now();
    for (const runId of ['a', 'b', 'c']) enterCell(runId);
    await settle();
    expect(entered).toEqual(['a']);
    expect(queue.state.getState()).toMatchObject({ inFlight: 1, waiting: [], sentAt: [start] });
    await vi.advanceTimersByTimeAsync(cellIntervalMs - 1);
    expect(entered).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(1);
    expect(entered).toEqual(['a', 'b']);
    expect(queue.state.getState()).toMatchObject({ inFlight: 2, sentAt: [start, start + cellIntervalMs] });
    await vi.advanceTimersByTimeAsync(cellIntervalMs);
    expect(entered).toEqual(['a', 'b', 'c']);
    for (const runId of entered) leave(runId);
    expect(queue.state.getState().inFlight).toBe(0);
  });

  it('starts as many cells as there are slots if there is no limit', async () => {
    const { entered, enterCell, leave } = createTestQueue(() => 0);
    for (const runId of ['a', 'b', 'c', 'd']) enterCell(runId);
    await settle();
    expect(entered, 'one slot remains free for chat requests').toEqual(['a', 'b', 'c']);
    leave('a');
    await settle();
    expect(entered).toEqual(['a', 'b', 'c', 'd']);
  });

  it('delays cells after user requests, and while the rate limit is used up', async () => {
    const { entered, enter, enterCell } = createTestQueue(() => 2);
    enterCell('a');
    enterCell('b');
    await vi.advanceTimersByTimeAsync(10_000);
    enter('person');
    await settle();
    expect(entered).toEqual(['a', 'person']);
    await vi.advanceTimersByTimeAsync(2 * cellIntervalMs - 10_001);
    expect(entered).toEqual(['a', 'person']);
    await vi.advanceTimersByTimeAsync(1);
    expect(entered).toEqual(['a', 'person', 'b']);
  });

  it('spaces cells from requests sent just before', async () => {
    const { entered, enter, enterCell } = createTestQueue(() => 4);
    enter('one');
    enter('two');
    await settle();
    enterCell('a');
    await vi.advanceTimersByTimeAsync(cellIntervalMs - 10);
    expect(entered).toEqual(['one', 'two']);
    await vi.advanceTimersByTimeAsync(10);
    expect(entered).toEqual(['one', 'two', 'a']);
  });

  it('delays cells exactly as long as the server requested', async () => {
    const { queue, entered, enterCell } = createTestQueue(() => 0);
    queue.pauseUntil(Date.now() + 5000);
    enterCell('a');
    await vi.advanceTimersByTimeAsync(4999);
    expect(entered).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(entered).toEqual(['a']);
  });

  it('removes aborted cells from the queue and starts the next one instead', async () => {
    const { queue, entered, refused, enterCell } = createTestQueue(() => 2);
    const stop = new AbortController();
    enterCell('a');
    enterCell('b', stop.signal);
    enterCell('c');
    await settle();
    stop.abort(new Error('stopped'));
    await settle();
    expect([entered, refused]).toEqual([['a'], ['b']]);
    await vi.advanceTimersByTimeAsync(cellIntervalMs);
    expect(entered).toEqual(['a', 'c']);
    expect(queue.state.getState()).toMatchObject({ inFlight: 2, waiting: [] });
  });

  it('releases the slot of a cell that was aborted or may no longer start', async () => {
    const gate = createGate();
    let releaseCount = 0;
    const slots: RequestSlots = {
      getCapacity: () => 4,
      acquire: async (_signal, source) => {
        if (source === 'cell') await gate.opened;
        return () => (releaseCount += source === 'cell' ? 1 : 0);
      },
    };
    const { entered, refused, enter, enterCell } = createTestQueue(() => 2, slots);
    enterCell('a');
    await settle();
    enter('person');
    await settle();
    gate.open();
    await settle();
    expect([entered, releaseCount]).toEqual([['person'], 1]);
    await vi.advanceTimersByTimeAsync(cellIntervalMs);
    expect([entered, releaseCount]).toEqual([['person', 'a'], 1]);

    const late = createGate();
    slots.acquire = async () => {
      await late.opened;
      return () => (releaseCount += 1);
    };
    const stop = new AbortController();
    enterCell('b', stop.signal);
    await vi.advanceTimersByTimeAsync(10 * cellIntervalMs);
    stop.abort(new Error('stopped'));
    late.open();
    await settle();
    expect([entered, refused, releaseCount]).toEqual([['person', 'a'], ['b'], 2]);
  });

  it('spaces cell requests evenly across tabs', async () => {
    const browser = createTestBrowser();
    const openTabQueue = () => {
      const { storage } = browser.openTab({ origin: 'http://bench.test' }).page;
      return createRunQueue({ now: () => Date.now(), getLimit: () => 2, storage });
    };
    const [first, second] = [openTabQueue(), openTabQueue()];
    const { signal } = new AbortController();
    await first.acquire('a', signal, 'cell');
    const entered = vi.fn<() => void>();
    void second.acquire('b', signal, 'cell').then(entered);
    await vi.advanceTimersByTimeAsync(cellIntervalMs - 1);
    expect(entered).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(entered).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(first.state.getState().sentAt).toHaveLength(2);
  });
});
