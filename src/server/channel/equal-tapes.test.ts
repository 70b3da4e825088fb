/** What a page keeps of an answer is the same over the channel and over the direct way, but for times. */
import { describe, expect, it } from 'vitest';

import { createGateway, type Gateway } from '../../gateway/client.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { channelSockets } from '../../testing/channel-sockets.ts';
import { allFaultRows } from '../../testing/faults/all-rows.ts';
import { scaledPatience } from '../../testing/faults/transport-rows.ts';
import { aFaultRoad } from '../../testing/faults/walk-row.ts';

const road = aFaultRoad(allFaultRows, scaledPatience);

/** Both ways to the same server. */
function waysTo(origin: string): { direct: Gateway; channel: Gateway } {
  const now = () => performance.now();
  const send: typeof globalThis.fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('origin', origin);
    headers.set('sec-fetch-site', 'same-origin');
    return fetch(new URL(String(input), origin), { ...init, headers });
  };
  return {
    direct: createGateway({ fetch: send, now }),
    channel: createGateway({ fetch: send, now, openSocket: channelSockets(origin).open }),
  };
}

async function tapeOf(gateway: Gateway, name: string, stream: boolean): Promise<unknown[]> {
  const body = { model: 'north/one', messages: [{ role: 'user' as const, content: name }], stream };
  const tape: TapeEntry[] = [];
  for await (const entries of gateway.streamChat(body, { requestId: 'the-same' })) tape.push(...entries);
  return tape.map(withoutTimes);
}

const ofTheConnection = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding']);

/** Without what is a connection's own: times, the headers that carry it, and how its break is worded. */
function withoutTimes({ at: _at, serverAt: _serverAt, ...entry }: TapeEntry): unknown {
  if ('headers' in entry)
    return {
      ...entry,
      headers: Object.fromEntries(
        Object.entries(entry.headers).filter(([name]) => !ofTheConnection.has(name)),
      ),
    };
  if (!('end' in entry) || entry.error === undefined) return entry;
  const { raw: _raw, ...error } = entry.error;
  return { ...entry, error };
}

describe('the tape of each fault of the catalogue', () => {
  it.concurrent.each(allFaultRows.map((row) => [row.name, row] as const))('%s', async (name, { outcome }) => {
    const { direct, channel } = waysTo(road().server.origin);
    const stream = outcome.notes?.['not-streamed'] === undefined;
    const [one, other] = await Promise.all([tapeOf(direct, name, stream), tapeOf(channel, name, stream)]);
    expect(channel.channel?.state()).toBe('open');
    channel.channel?.leave();
    expect(other).toEqual(one);
  });
});
