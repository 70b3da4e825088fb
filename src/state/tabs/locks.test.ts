import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { aBrowser } from '../../testing/browser.ts';
import { createLocalSlots, createTabLocks, type RequestSlots, type Sender } from './locks.ts';
import { createTabLink } from './tab-channel.ts';

/** Takes a place, and tells whether it has it yet. */
function taking(slots: RequestSlots, signal = new AbortController().signal, sender?: Sender) {
  const state: { release?: () => void; error?: unknown } = {};
  const settled = slots.take(signal, sender).then(
    (release) => void (state.release = release),
    (error: unknown) => void (state.error = error),
  );
  return { state, settled };
}

/** Lets everything that waits for nothing else happen. */
const turn = () => new Promise((resolve) => setImmediate(resolve));
/** The same where one thing leads to the next. */
const turns = async () => {
  for (let count = 0; count < 20; count += 1) await turn();
};

describe('the places of one tab', () => {
  it('are four, and the first who waits has the next', async () => {
    const slots = createLocalSlots();
    const all = Array.from({ length: 6 }, () => taking(slots));
    await turn();
    expect(all.map(({ state }) => state.release !== undefined)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);

    all[2]?.state.release?.();
    await turn();
    expect(all.map(({ state }) => state.release !== undefined)).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it('are not waited for by who has given up, and not lost by it', async () => {
    const slots = createLocalSlots();
    const held = Array.from({ length: 4 }, () => taking(slots));
    const leaving = new AbortController();
    const [first, second] = [taking(slots, leaving.signal), taking(slots)];
    leaving.abort(new Error('enough'));
    await first.settled;
    expect(first.state.error).toEqual(new Error('enough'));

    held[0]?.state.release?.();
    await turn();
    expect(second.state.release).toBeDefined();
  });

  it('are not taken by who had given up before, and kept by who gives up after', async () => {
    const slots = createLocalSlots();
    const gone = taking(slots, AbortSignal.abort('because'));
    await gone.settled;
    expect(gone.state.error).toBe('because');

    const leaving = new AbortController();
    const held = [taking(slots, leaving.signal), ...Array.from({ length: 3 }, () => taking(slots))];
    await Promise.all(held.map(({ settled }) => settled));
    leaving.abort();
    const waiting = taking(slots);
    await turn();
    expect(waiting.state.release).toBeUndefined();
    held[0]?.state.release?.();
    await waiting.settled;
    expect(waiting.state.release).toBeDefined();
  });

  it('are given up with an error, whatever the reason', async () => {
    const slots = createLocalSlots();
    for (let taken = 0; taken < 4; taken += 1) void slots.take(new AbortController().signal);
    const leaving = new AbortController();
    const waiting = taking(slots, leaving.signal);
    leaving.abort('a word');
    await waiting.settled;
    expect(waiting.state.error).toEqual(new Error('Stopped'));
  });
});

/** Which of them have a place. */
const haveOne = (all: readonly ReturnType<typeof taking>[]) =>
  all.map(({ state }) => state.release !== undefined);

describe('the places that cells take', () => {
  const { signal } = new AbortController();
  const cell = (slots: RequestSlots, own = signal) => taking(slots, own, 'cell');

  it('are never the last one of a tab, and a person who waits comes before them', async () => {
    const slots = createLocalSlots();
    expect([slots.most(), slots.most('cell')]).toEqual([4, 3]);
    const leaving = new AbortController();
    const cells = [cell(slots), cell(slots), cell(slots), cell(slots, leaving.signal), cell(slots)];
    const persons = [taking(slots), taking(slots)];
    await turns();
    expect([haveOne(cells), haveOne(persons)]).toEqual([
      [true, true, true, false, false],
      [true, false],
    ]);
    cells[0]?.state.release?.();
    await turns();
    expect([haveOne(cells).slice(3), haveOne(persons)]).toEqual([
      [false, false],
      [true, true],
    ]);
    leaving.abort(new Error('enough'));
    persons[0]?.state.release?.();
    await turns();
    expect(haveOne(cells).slice(3), 'the last place is left free').toEqual([false, false]);
    persons[1]?.state.release?.();
    await turns();
    expect(haveOne(cells).slice(3)).toEqual([false, true]);
    expect(cells[3]?.state.error).toEqual(new Error('enough'));
  });

  it('are three over all tabs: a cell finds the place of its own tab at once, and that of another a moment later', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { one, other } = twoTabs();
    expect([one.most(), one.most('cell')]).toEqual([4, 3]);
    const cells = [one, other, one, other].map((slots) => cell(slots));
    await turns();
    const person = taking(one);
    await turns();
    expect([haveOne(cells), haveOne([person])]).toEqual([[true, true, true, false], [true]]);
    cells[0]?.state.release?.();
    await turns();
    expect(haveOne(cells)[3]).toBe(false);
    await vi.advanceTimersByTimeAsync(250);
    await turns();
    expect(haveOne(cells)[3]).toBe(true);
    const next = cell(other);
    await turns();
    expect(haveOne([next])).toEqual([false]);
    cells[1]?.state.release?.();
    await turns();
    expect(haveOne([next])).toEqual([true]);
  });

  it('are given back by a cell that was stopped, whether it waited or not', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { one } = twoTabs();
    const stopped = new AbortController();
    const early = cell(one, stopped.signal);
    stopped.abort(new Error('early'));
    await vi.advanceTimersByTimeAsync(250);
    await early.settled;
    expect(early.state.error).toEqual(new Error('early'));
    const held = [cell(one), cell(one), cell(one)];
    await turns();
    expect(haveOne(held)).toEqual([true, true, true]);

    const late = new AbortController();
    const waiting = cell(one, late.signal);
    await turns();
    late.abort(new Error('late'));
    await waiting.settled;
    expect(waiting.state.error).toEqual(new Error('late'));
    held[0]?.state.release?.();
    const next = cell(one);
    await turns();
    expect(haveOne([next])).toEqual([true]);
  });
});

function twoTabs() {
  const browser = aBrowser();
  const tabs = [0, 1].map(() => browser.openTab({ origin: 'http://127.0.0.1' }));
  const [one, other] = tabs.map(
    ({ page }) => createTabLocks(page, createTabLink(page.openChannel), () => undefined).slots,
  );
  if (!one || !other) throw new Error('There are not two tabs');
  return { one, other, kill: () => tabs[0]?.kill() };
}

describe('the places of all tabs', () => {
  it('are four together, and each request has one of them only', async () => {
    const { one, other } = twoTabs();
    const all = [one, one, other, other, one, other].map((slots) => taking(slots));
    await turn();
    expect(all.map(({ state }) => state.release !== undefined)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);

    all[0]?.state.release?.();
    await turn();
    expect(all.filter(({ state }) => state.release !== undefined)).toHaveLength(5);
  });

  it('are free again when the tab that held them dies', async () => {
    const { one, other, kill } = twoTabs();
    const held = Array.from({ length: 4 }, () => taking(one));
    await Promise.all(held.map(({ settled }) => settled));
    const waiting = taking(other);
    await turn();
    expect(waiting.state.release).toBeUndefined();
    kill();
    await waiting.settled;
    expect(waiting.state.release).toBeDefined();
  });

  it('are not waited for by who has given up, and not lost by it', async () => {
    const { one, other } = twoTabs();
    const held = Array.from({ length: 4 }, () => taking(one));
    await Promise.all(held.map(({ settled }) => settled));
    const leaving = new AbortController();
    const [first, second] = [taking(other, leaving.signal), taking(other)];
    await turn();
    leaving.abort(new Error('enough'));
    await first.settled;
    expect(first.state.error).toEqual(new Error('enough'));

    held[0]?.state.release?.();
    await second.settled;
    expect(second.state.release).toBeDefined();

    const gone = taking(one, AbortSignal.abort(new Error('before')));
    await gone.settled;
    expect(gone.state.error).toEqual(new Error('before'));
  });
});

describe('where there are no Web Locks', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function tabs() {
    const browser = aBrowser({ hasLocks: false });
    return () => {
      const tab = browser.openTab({ origin: 'http://bench.test' });
      const link = createTabLink(tab.page.openChannel);
      const onUnshared = vi.fn<() => void>();
      return { tab, link, onUnshared, locks: createTabLocks(tab.page, link, onUnshared) };
    };
  }

  it('a run is held by the tab that streams it, until that lets go of it', async () => {
    const aTab = tabs();
    const [one, other] = [aTab(), aTab()];
    const letGo = one.locks.hold('a');
    one.locks.hold('b');
    const heldNow = async () => {
      const held = other.locks.owners.held(['a', 'c']);
      await vi.advanceTimersByTimeAsync(300);
      return held;
    };
    expect(await heldNow()).toEqual(new Set(['a']));
    letGo();
    await vi.advanceTimersByTimeAsync(3500);
    expect(await heldNow()).toEqual(new Set());
  });

  it('a run is released within five seconds of the death of its tab, and not before', async () => {
    const aTab = tabs();
    const [one, other] = [aTab(), aTab()];
    one.locks.hold('a');
    const released = vi.fn<() => void>();
    void other.locks.owners.released('a').then(released);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(released).not.toHaveBeenCalled();
    one.tab.kill();
    await vi.advanceTimersByTimeAsync(5000);
    expect(released).toHaveBeenCalledTimes(1);
  });

  it('what is written to its tape counts as life, also while timers are throttled', async () => {
    const aTab = tabs();
    const [silent, other] = [aTab(), aTab()];
    const released = vi.fn<() => void>();
    void other.locks.owners.released('a').then(released);
    for (let second = 0; second < 20; second += 2) {
      silent.link.send({ changes: [{ store: 'tapes', key: 'a' }] });
      await vi.advanceTimersByTimeAsync(2000);
    }
    expect(released).not.toHaveBeenCalled();
  });

  it('both tabs hear once that they share no limit, and a tab that is alone hears nothing', async () => {
    const aTab = tabs();
    const one = aTab();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(one.onUnshared).not.toHaveBeenCalled();
    const other = aTab();
    one.locks.hold('a');
    await vi.advanceTimersByTimeAsync(10_000);
    for (const { onUnshared } of [one, other]) expect(onUnshared).toHaveBeenCalledTimes(1);
    const four = Array.from({ length: 4 }, () => one.locks.slots.take(new AbortController().signal));
    await Promise.all([...four, other.locks.slots.take(new AbortController().signal)]);
  });
});
