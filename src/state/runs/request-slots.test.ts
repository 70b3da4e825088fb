import { describe, expect, it } from 'vitest';

import { aBrowser } from '../../testing/browser.ts';
import { createLocalSlots, createLockSlots, type RequestSlots } from './request-slots.ts';

/** Takes a place, and tells whether it has it yet. */
function taking(slots: RequestSlots, signal = new AbortController().signal) {
  const state: { release?: () => void; error?: unknown } = {};
  const settled = slots.take(signal).then(
    (release) => void (state.release = release),
    (error: unknown) => void (state.error = error),
  );
  return { state, settled };
}

/** Lets everything that waits for nothing else happen. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

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
    expect(slots.held()).toBe(4);

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
    expect(slots.held()).toBe(4);
  });

  it('are fewer by those that other tabs hold, until these give them back', async () => {
    let elsewhere = 3;
    const slots = createLocalSlots(() => elsewhere);
    const [one, other] = [taking(slots), taking(slots)];
    await turn();
    expect([one.state.release !== undefined, other.state.release !== undefined]).toEqual([true, false]);
    elsewhere = 2;
    slots.recheck();
    await turn();
    expect(other.state.release).toBeDefined();
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
    expect(slots.held()).toBe(4);
  });

  it('are not taken by who had given up before, and kept by who gives up after', async () => {
    const slots = createLocalSlots();
    const gone = taking(slots, AbortSignal.abort('because'));
    await gone.settled;
    expect([gone.state.error, slots.held()]).toEqual(['because', 0]);

    const leaving = new AbortController();
    const held = taking(slots, leaving.signal);
    await held.settled;
    leaving.abort();
    expect(slots.held()).toBe(1);
    held.state.release?.();
    expect(slots.held()).toBe(0);
  });

  it('are given up with an error, whatever the reason', async () => {
    const slots = createLocalSlots(() => 4);
    const leaving = new AbortController();
    const waiting = taking(slots, leaving.signal);
    leaving.abort('a word');
    await waiting.settled;
    expect(waiting.state.error).toEqual(new Error('Stopped'));
  });
});

describe('the places of all tabs', () => {
  function twoTabs() {
    const browser = aBrowser();
    const tabs = [0, 1].map(() => browser.openTab({ origin: 'http://127.0.0.1' }));
    const slots = tabs.map(({ page }) => {
      if (page.locks === undefined) throw new Error('The page has no locks');
      return createLockSlots(page.locks);
    });
    const [one, other] = slots;
    if (!one || !other) throw new Error('There are not two tabs');
    return { one, other, kill: () => tabs[0]?.kill() };
  }

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
