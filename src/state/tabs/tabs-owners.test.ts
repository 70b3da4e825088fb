import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { TabLink, TabMessage } from './tabs-link.ts';
import { heartbeatOwners } from './tabs-owners.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Tabs that hear each other at once. */
function tabs(count: number) {
  const listeners: ((message: TabMessage) => void)[][] = Array.from({ length: count }, () => []);
  const isGone = new Set<number>();
  return {
    link: (index: number): TabLink => ({
      send: (message) => {
        if (isGone.has(index)) return;
        for (const [other, listening] of listeners.entries()) {
          if (other !== index && !isGone.has(other)) for (const listen of listening) listen(message);
        }
      },
      onHeard: (listen) => void listeners[index]?.push(listen),
      close: () => void isGone.add(index),
    }),
    end: (index: number) => isGone.add(index),
  };
}

describe('where there are no Web Locks', () => {
  it('a run is held by the tab that says it streams it', async () => {
    const all = tabs(2);
    heartbeatOwners(all.link(0), Date.now, () => ['a', 'b']);
    const other = heartbeatOwners(all.link(1), Date.now, () => []);
    const held = other.held(['a', 'c']);
    await vi.advanceTimersByTimeAsync(300);
    expect(await held).toEqual(new Set(['a']));
  });

  it('a run is released within five seconds of the death of its tab, and not before', async () => {
    const all = tabs(2);
    heartbeatOwners(all.link(0), Date.now, () => ['a']);
    const other = heartbeatOwners(all.link(1), Date.now, () => []);
    const released = vi.fn<() => void>();
    void other.released('a').then(released);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(released).not.toHaveBeenCalled();
    all.end(0);
    await vi.advanceTimersByTimeAsync(5000);
    expect(released).toHaveBeenCalledTimes(1);
  });

  it('what is written to its tape counts as life, also while timers are throttled', async () => {
    const all = tabs(2);
    const silent = all.link(0);
    const other = heartbeatOwners(all.link(1), Date.now, () => []);
    const released = vi.fn<() => void>();
    void other.released('a').then(released);
    for (let second = 0; second < 20; second += 2) {
      silent.send({ changes: [{ store: 'tapes', key: 'a' }] });
      await vi.advanceTimersByTimeAsync(2000);
    }
    expect(released).not.toHaveBeenCalled();
  });
});
