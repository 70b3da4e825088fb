import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { aBrowser } from '../../testing/browser.ts';
import { createTabChannel } from './tab-channel.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Opens tabs of one browser without locks, each with the times that it heard of. */
function tabs() {
  const browser = aBrowser({ hasLocks: false });
  return (id: string) => {
    const tab = browser.openTab({ origin: 'http://bench.test' });
    const channel = createTabChannel(id, tab.page);
    const heard: number[] = [];
    channel.onSent((at) => heard.push(...at));
    return { channel, heard, tab };
  };
}

describe('tabs', () => {
  it('hear of each request of the others once, also when a new tab asks what was sent before it opened', async () => {
    const aTab = tabs();
    const [a, b] = [aTab('a'), aTab('b')];
    await vi.advanceTimersByTimeAsync(1);
    const at = Date.now();
    a.channel.tellSent(at);
    a.channel.tellSent(at + 5);
    b.channel.tellSent(at + 9);
    await vi.advanceTimersByTimeAsync(1);
    const c = aTab('c');
    await vi.advanceTimersByTimeAsync(1);
    expect(a.heard).toEqual([at + 9]);
    expect(b.heard).toEqual([at, at + 5]);
    expect(c.heard.toSorted((one, other) => one - other)).toEqual([at, at + 5, at + 9]);
  });

  it('tell a new tab only what was sent in this minute', async () => {
    const aTab = tabs();
    const a = aTab('a');
    const at = Date.now();
    a.channel.tellSent(at);
    a.channel.tellSent(at + 1);
    a.channel.tellSent(at + 60_500);
    await vi.advanceTimersByTimeAsync(1);
    const b = aTab('b');
    await vi.advanceTimersByTimeAsync(1);
    expect(b.heard).toEqual([at + 1, at + 60_500]);
  });

  it('leave the others their places where there are no locks, and take those of a tab that went silent', async () => {
    const aTab = tabs();
    const [a, b] = [aTab('a'), aTab('b')];
    const signal = new AbortController().signal;
    const leave = await Promise.all([1, 2, 3].map(() => a.channel.slots.take(signal)));
    await vi.advanceTimersByTimeAsync(1100);
    const entered = vi.fn<() => void>();
    for (let index = 0; index < 3; index += 1) void b.channel.slots.take(signal).then(entered);
    await vi.advanceTimersByTimeAsync(1100);
    expect(entered).toHaveBeenCalledTimes(1);
    leave[0]?.();
    await vi.advanceTimersByTimeAsync(2100);
    expect(entered).toHaveBeenCalledTimes(2);
    a.tab.kill();
    await vi.advanceTimersByTimeAsync(5000);
    expect(entered).toHaveBeenCalledTimes(3);
  });
});
