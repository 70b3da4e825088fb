import { describe, expect, it } from 'vitest';

import { createLocalSlots } from '../tabs/tab-locks.ts';
import { createChannelSlots } from './request-slots.ts';

/** Waits until all pending tasks have run. */
const waitForImmediate = () => new Promise((resolve) => setImmediate(resolve));

describe('slots of a channel', () => {
  it('provides 64 slots, 24 of them for cells, or the direct slots without a channel', async () => {
    let state: 'open' | 'refused' = 'open';
    const channel = { getState: () => state, ensureConnected: async () => state === 'open' };
    const slots = createChannelSlots(channel, createLocalSlots());
    expect([slots.getCapacity(), slots.getCapacity('cell')]).toEqual([64, 24]);
    const { signal } = new AbortController();
    let [cellCount, userCount] = [0, 0];
    const releases: (() => void)[] = [];
    for (let index = 0; index < 30; index += 1)
      void slots.acquire(signal, 'cell').then((release) => {
        cellCount += 1;
        releases.push(release);
      });
    await waitForImmediate();
    expect(cellCount).toBe(24);
    for (let index = 0; index < 60; index += 1) void slots.acquire(signal).then(() => (userCount += 1));
    await waitForImmediate();
    expect(userCount).toBe(40);
    releases[0]?.();
    await waitForImmediate();
    // The free slot goes to the user's first request; cells wait.
    expect([cellCount, userCount]).toEqual([24, 41]);
    releases[1]?.();
    releases[2]?.();
    await waitForImmediate();
    expect(cellCount + userCount).toBe(67);

    state = 'refused';
    expect([slots.getCapacity(), slots.getCapacity('cell')]).toEqual([4, 3]);
    let directCount = 0;
    for (let index = 0; index < 6; index += 1) void slots.acquire(signal).then(() => (directCount += 1));
    await waitForImmediate();
    expect(directCount).toBe(4);
  });

  it('releases the slot of a cell that was aborted while waiting', async () => {
    const channel = { getState: () => 'open' as const, ensureConnected: async () => true };
    const slots = createChannelSlots(channel, createLocalSlots());
    const { signal } = new AbortController();
    const releases = await Promise.all(Array.from({ length: 64 }, () => slots.acquire(signal)));
    const stop = new AbortController();
    const acquisitions = Array.from({ length: 24 }, () => slots.acquire(stop.signal, 'cell'));
    stop.abort(new Error('stopped'));
    for (const acquisition of acquisitions) await expect(acquisition).rejects.toThrow('stopped');
    for (const release of releases) release();
    await Promise.all(Array.from({ length: 24 }, () => slots.acquire(signal, 'cell')));
  });
});
