import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { aBrowser } from '../../testing/browser.ts';
import { createTabChannel } from './tab-channel.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Opens tabs of one browser without locks. */
function tabs() {
  const browser = aBrowser({ hasLocks: false });
  return (id: string) => {
    const tab = browser.openTab({ origin: 'http://bench.test' });
    return { channel: createTabChannel(id, tab.page), tab };
  };
}

describe('tabs', () => {
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
