import { describe, expect, it } from 'vitest';

import { createLocalSlots } from '../tabs/locks.ts';
import { createChannelSlots } from './request-slots.ts';

/** Lets everything that waits for nothing else happen. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the places of a channel', () => {
  it('are 64, 24 of them for cells of trials; without a channel they are those of the direct way', async () => {
    let state: 'open' | 'refused' = 'open';
    const channel = { state: () => state, ensureConnected: async () => state === 'open' };
    const slots = createChannelSlots(channel, createLocalSlots());
    expect([slots.most(), slots.most('cell')]).toEqual([64, 24]);
    const { signal } = new AbortController();
    let [cells, persons] = [0, 0];
    const leaving: (() => void)[] = [];
    for (let index = 0; index < 30; index += 1)
      void slots.take(signal, 'cell').then((leave) => {
        cells += 1;
        leaving.push(leave);
      });
    await turn();
    expect(cells).toBe(24);
    for (let index = 0; index < 60; index += 1) void slots.take(signal).then(() => (persons += 1));
    await turn();
    expect(persons).toBe(40);
    leaving[0]?.();
    await turn();
    // The one place goes to the person who came first; the cell waits behind.
    expect([cells, persons]).toEqual([24, 41]);
    leaving[1]?.();
    leaving[2]?.();
    await turn();
    expect(cells + persons).toBe(67);

    state = 'refused';
    expect([slots.most(), slots.most('cell')]).toEqual([4, 3]);
    let direct = 0;
    for (let index = 0; index < 6; index += 1) void slots.take(signal).then(() => (direct += 1));
    await turn();
    expect(direct).toBe(4);
  });

  it('are given back by a cell that has given up while it waited', async () => {
    const channel = { state: () => 'open' as const, ensureConnected: async () => true };
    const slots = createChannelSlots(channel, createLocalSlots());
    const { signal } = new AbortController();
    const leaving = await Promise.all(Array.from({ length: 64 }, () => slots.take(signal)));
    const stop = new AbortController();
    const given = Array.from({ length: 24 }, () => slots.take(stop.signal, 'cell'));
    stop.abort(new Error('stopped'));
    for (const each of given) await expect(each).rejects.toThrow('stopped');
    for (const leave of leaving) leave();
    await Promise.all(Array.from({ length: 24 }, () => slots.take(signal, 'cell')));
  });
});
