import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { createTestBrowser } from '../../testing/browser.ts';
import { createTabChannel } from './tab-channel.ts';
import { createLocalSlots, createTabLocks, type RequestSlots, type RequestSource } from './tab-locks.ts';

/** Requests a slot and tracks whether it has been granted. */
function acquireSlot(slots: RequestSlots, signal = new AbortController().signal, source?: RequestSource) {
  const state: { release?: () => void; error?: unknown } = {};
  const settled = slots.acquire(signal, source).then(
    (release) => void (state.release = release),
    (error: unknown) => void (state.error = error),
  );
  return { state, settled };
}

/** Returns which of the requests have a slot. */
const areAcquired = (all: readonly ReturnType<typeof acquireSlot>[]) =>
  all.map(({ state }) => state.release !== undefined);

/** Waits until all pending tasks have run. */
const waitForImmediate = () => new Promise((resolve) => setImmediate(resolve));
/** Waits for several rounds of tasks. */
const waitForImmediates = async () => {
  for (let count = 0; count < 20; count += 1) await waitForImmediate();
};

describe('the slots of one tab', () => {
  it('grants four slots and the next one in order of arrival', async () => {
    const slots = createLocalSlots();
    const all = Array.from({ length: 6 }, () => acquireSlot(slots));
    await waitForImmediate();
    expect(areAcquired(all)).toEqual([true, true, true, true, false, false]);

    all[2]?.state.release?.();
    await waitForImmediate();
    expect(areAcquired(all)).toEqual([true, true, true, true, true, false]);
  });

  it('skips an aborted request without losing its slot', async () => {
    const slots = createLocalSlots();
    const acquired = Array.from({ length: 4 }, () => acquireSlot(slots));
    const controller = new AbortController();
    const [first, second] = [acquireSlot(slots, controller.signal), acquireSlot(slots)];
    controller.abort(new Error('enough'));
    await first.settled;
    expect(first.state.error).toEqual(new Error('enough'));

    acquired[0]?.state.release?.();
    await waitForImmediate();
    expect(second.state.release).toBeDefined();
  });

  it('rejects a request that is already aborted, and ignores an abort after the grant', async () => {
    const slots = createLocalSlots();
    const rejected = acquireSlot(slots, AbortSignal.abort('because'));
    await rejected.settled;
    expect(rejected.state.error).toBe('because');

    const controller = new AbortController();
    const acquired = [
      acquireSlot(slots, controller.signal),
      ...Array.from({ length: 3 }, () => acquireSlot(slots)),
    ];
    await Promise.all(acquired.map(({ settled }) => settled));
    controller.abort();
    const waiting = acquireSlot(slots);
    await waitForImmediate();
    expect(waiting.state.release).toBeUndefined();
    acquired[0]?.state.release?.();
    await waiting.settled;
    expect(waiting.state.release).toBeDefined();
  });

  it('rejects with an Error whatever the abort reason', async () => {
    const slots = createLocalSlots();
    for (let count = 0; count < 4; count += 1) void slots.acquire(new AbortController().signal);
    const controller = new AbortController();
    const waiting = acquireSlot(slots, controller.signal);
    controller.abort('a word');
    await waiting.settled;
    expect(waiting.state.error).toEqual(new Error('Stopped'));
  });
});

describe('the slots for cells', () => {
  const { signal } = new AbortController();
  const acquireCellSlot = (slots: RequestSlots, ownSignal = signal) => acquireSlot(slots, ownSignal, 'cell');

  it('grants the last slot of a tab only to user requests, which take precedence over cells', async () => {
    const slots = createLocalSlots();
    expect([slots.getCapacity(), slots.getCapacity('cell')]).toEqual([4, 3]);
    const controller = new AbortController();
    const cells = [
      acquireCellSlot(slots),
      acquireCellSlot(slots),
      acquireCellSlot(slots),
      acquireCellSlot(slots, controller.signal),
      acquireCellSlot(slots),
    ];
    const users = [acquireSlot(slots), acquireSlot(slots)];
    await waitForImmediates();
    expect([areAcquired(cells), areAcquired(users)]).toEqual([
      [true, true, true, false, false],
      [true, false],
    ]);
    cells[0]?.state.release?.();
    await waitForImmediates();
    expect([areAcquired(cells).slice(3), areAcquired(users)]).toEqual([
      [false, false],
      [true, true],
    ]);
    controller.abort(new Error('enough'));
    users[0]?.state.release?.();
    await waitForImmediates();
    expect(areAcquired(cells).slice(3), 'the last slot remains free').toEqual([false, false]);
    users[1]?.state.release?.();
    await waitForImmediates();
    expect(areAcquired(cells).slice(3)).toEqual([false, true]);
    expect(cells[3]?.state.error).toEqual(new Error('enough'));
  });

  it('grants three slots to cells across all tabs, immediately in the same tab and after polling in other tabs', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { firstTabSlots, secondTabSlots } = openTwoTabs();
    expect([firstTabSlots.getCapacity(), firstTabSlots.getCapacity('cell')]).toEqual([4, 3]);
    const cells = [firstTabSlots, secondTabSlots, firstTabSlots, secondTabSlots].map((slots) =>
      acquireCellSlot(slots),
    );
    await waitForImmediates();
    const user = acquireSlot(firstTabSlots);
    await waitForImmediates();
    expect([areAcquired(cells), areAcquired([user])]).toEqual([[true, true, true, false], [true]]);
    cells[0]?.state.release?.();
    await waitForImmediates();
    expect(areAcquired(cells)[3]).toBe(false);
    await vi.advanceTimersByTimeAsync(250);
    await waitForImmediates();
    expect(areAcquired(cells)[3]).toBe(true);
    const next = acquireCellSlot(secondTabSlots);
    await waitForImmediates();
    expect(areAcquired([next])).toEqual([false]);
    cells[1]?.state.release?.();
    await waitForImmediates();
    expect(areAcquired([next])).toEqual([true]);
  });

  it('releases the slot of an aborted cell, whether or not the cell was waiting', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { firstTabSlots } = openTwoTabs();
    const stopped = new AbortController();
    const early = acquireCellSlot(firstTabSlots, stopped.signal);
    stopped.abort(new Error('early'));
    await vi.advanceTimersByTimeAsync(250);
    await early.settled;
    expect(early.state.error).toEqual(new Error('early'));
    const acquired = [
      acquireCellSlot(firstTabSlots),
      acquireCellSlot(firstTabSlots),
      acquireCellSlot(firstTabSlots),
    ];
    await waitForImmediates();
    expect(areAcquired(acquired)).toEqual([true, true, true]);

    const late = new AbortController();
    const waiting = acquireCellSlot(firstTabSlots, late.signal);
    await waitForImmediates();
    late.abort(new Error('late'));
    await waiting.settled;
    expect(waiting.state.error).toEqual(new Error('late'));
    acquired[0]?.state.release?.();
    const next = acquireCellSlot(firstTabSlots);
    await waitForImmediates();
    expect(areAcquired([next])).toEqual([true]);
  });
});

function openTwoTabs() {
  const browser = createTestBrowser();
  const tabs = [0, 1].map(() => browser.openTab({ origin: 'http://127.0.0.1' }));
  const [firstTabSlots, secondTabSlots] = tabs.map(
    ({ page }) => createTabLocks(page, createTabChannel(page.openChannel), () => undefined).slots,
  );
  if (!firstTabSlots || !secondTabSlots) throw new Error('Two tabs are expected');
  return { firstTabSlots, secondTabSlots, kill: () => tabs[0]?.kill() };
}

describe('the slots of all tabs', () => {
  it('grants four slots across all tabs, one per request', async () => {
    const { firstTabSlots, secondTabSlots } = openTwoTabs();
    const all = [
      firstTabSlots,
      firstTabSlots,
      secondTabSlots,
      secondTabSlots,
      firstTabSlots,
      secondTabSlots,
    ].map((slots) => acquireSlot(slots));
    await waitForImmediate();
    expect(areAcquired(all)).toEqual([true, true, true, true, false, false]);

    all[0]?.state.release?.();
    await waitForImmediate();
    expect(all.filter(({ state }) => state.release !== undefined)).toHaveLength(5);
  });

  it('frees the slots of a closed tab', async () => {
    const { firstTabSlots, secondTabSlots, kill } = openTwoTabs();
    const acquired = Array.from({ length: 4 }, () => acquireSlot(firstTabSlots));
    await Promise.all(acquired.map(({ settled }) => settled));
    const waiting = acquireSlot(secondTabSlots);
    await waitForImmediate();
    expect(waiting.state.release).toBeUndefined();
    kill();
    await waiting.settled;
    expect(waiting.state.release).toBeDefined();
  });

  it('skips an aborted request without losing its slot, even across tabs', async () => {
    const { firstTabSlots, secondTabSlots } = openTwoTabs();
    const acquired = Array.from({ length: 4 }, () => acquireSlot(firstTabSlots));
    await Promise.all(acquired.map(({ settled }) => settled));
    const controller = new AbortController();
    const [first, second] = [acquireSlot(secondTabSlots, controller.signal), acquireSlot(secondTabSlots)];
    await waitForImmediate();
    controller.abort(new Error('enough'));
    await first.settled;
    expect(first.state.error).toEqual(new Error('enough'));

    acquired[0]?.state.release?.();
    await second.settled;
    expect(second.state.release).toBeDefined();

    const rejected = acquireSlot(firstTabSlots, AbortSignal.abort(new Error('before')));
    await rejected.settled;
    expect(rejected.state.error).toEqual(new Error('before'));
  });
});

describe('tabs without Web Locks', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function createTabOpener() {
    const browser = createTestBrowser({ hasLocks: false });
    return () => {
      const tab = browser.openTab({ origin: 'http://bench.test' });
      const tabChannel = createTabChannel(tab.page.openChannel);
      const onUnshared = vi.fn<() => void>();
      return { tab, tabChannel, onUnshared, locks: createTabLocks(tab.page, tabChannel, onUnshared) };
    };
  }

  it('reports a run as claimed until its tab releases it', async () => {
    const openTab = createTabOpener();
    const [firstTab, secondTab] = [openTab(), openTab()];
    const release = firstTab.locks.claimRun('a');
    firstTab.locks.claimRun('b');
    const readClaimedRuns = async () => {
      const claimed = secondTab.locks.owners.findClaimedRuns(['a', 'c']);
      await vi.advanceTimersByTimeAsync(300);
      return claimed;
    };
    expect(await readClaimedRuns()).toEqual(new Set(['a']));
    release();
    await vi.advanceTimersByTimeAsync(3500);
    expect(await readClaimedRuns()).toEqual(new Set());
  });

  it('releases a run within five seconds after its tab was closed', async () => {
    const openTab = createTabOpener();
    const [firstTab, secondTab] = [openTab(), openTab()];
    firstTab.locks.claimRun('a');
    const released = vi.fn<() => void>();
    void secondTab.locks.owners.whenReleased('a').then(released);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(released).not.toHaveBeenCalled();
    firstTab.tab.kill();
    await vi.advanceTimersByTimeAsync(5000);
    expect(released).toHaveBeenCalledTimes(1);
  });

  it('counts writes to the tape as heartbeats while timers are throttled', async () => {
    const openTab = createTabOpener();
    const [silent, secondTab] = [openTab(), openTab()];
    const released = vi.fn<() => void>();
    void secondTab.locks.owners.whenReleased('a').then(released);
    for (let second = 0; second < 20; second += 2) {
      silent.tabChannel.send({ changes: [{ store: 'tapes', key: 'a' }] });
      await vi.advanceTimersByTimeAsync(2000);
    }
    expect(released).not.toHaveBeenCalled();
  });

  it('reports once per tab that the limit is not shared, and never for a single tab', async () => {
    const openTab = createTabOpener();
    const firstTab = openTab();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(firstTab.onUnshared).not.toHaveBeenCalled();
    const secondTab = openTab();
    firstTab.locks.claimRun('a');
    await vi.advanceTimersByTimeAsync(10_000);
    for (const { onUnshared } of [firstTab, secondTab]) expect(onUnshared).toHaveBeenCalledTimes(1);
    const acquisitions = Array.from({ length: 4 }, () =>
      firstTab.locks.slots.acquire(new AbortController().signal),
    );
    await Promise.all([...acquisitions, secondTab.locks.slots.acquire(new AbortController().signal)]);
  });
});
