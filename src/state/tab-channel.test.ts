import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createTabChannel } from './tab-channel.ts';

type Listener = (event: { data: unknown }) => void;

/** All channels of one name, as tabs of one browser have them: nobody hears what they said themselves. */
const channels: { listeners: Listener[] }[] = [];

class FakeChannel {
  readonly listeners: Listener[] = [];
  constructor() {
    channels.push(this);
  }
  addEventListener(_: string, listener: Listener): void {
    this.listeners.push(listener);
  }
  postMessage(data: unknown): void {
    if (!channels.includes(this)) return;
    for (const other of channels)
      if (other !== this) for (const listener of other.listeners) listener({ data });
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  channels.length = 0;
  vi.stubGlobal('BroadcastChannel', FakeChannel);
  vi.stubGlobal('navigator', {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A tab and the times that it heard of. */
function aTab(id: string) {
  const channel = createTabChannel(id, () => Date.now());
  const heard: number[] = [];
  channel.onSent((at) => heard.push(...at));
  return { channel, heard };
}

describe('tabs', () => {
  it('hear of each request of the others once, also when a new tab asks what was sent before it opened', () => {
    const [a, b] = [aTab('a'), aTab('b')];
    const at = Date.now();
    a.channel.tellSent(at);
    a.channel.tellSent(at + 5);
    b.channel.tellSent(at + 9);
    const c = aTab('c');
    expect(a.heard).toEqual([at + 9]);
    expect(b.heard).toEqual([at, at + 5]);
    expect(c.heard.toSorted((one, other) => one - other)).toEqual([at, at + 5, at + 9]);
  });

  it('leave the others their places where there are no locks, and take those of a tab that went silent', async () => {
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
    channels.splice(0, 1);
    await vi.advanceTimersByTimeAsync(5000);
    expect(entered).toHaveBeenCalledTimes(3);
  });
});
