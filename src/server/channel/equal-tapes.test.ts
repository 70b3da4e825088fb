/** What a page keeps of an answer is the same over the channel and over the direct way, but for times. */
import { isDeepStrictEqual } from 'node:util';

import { afterAll, describe, expect, it } from 'vitest';

import { bytesOf } from '../../gateway/__fixtures__/segments.ts';
import { streamRows } from '../../gateway/__fixtures__/stream-rows.ts';
import { createGateway, type Gateway } from '../../gateway/client.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { chanceFrom, mutations } from '../../testing/cases/mutations.ts';
import { channelSockets } from '../../testing/channel-sockets.ts';
import { allFaultRows } from '../../testing/faults/all-rows.ts';
import type { FaultAnswer } from '../../testing/faults/fault-gateway.ts';
import { scaledPatience } from '../../testing/faults/transport-rows.ts';
import { aFaultRoad } from '../../testing/faults/walk-row.ts';
import { cases } from '../../testing/seeds.ts';

const road = aFaultRoad(allFaultRows, scaledPatience);
const fuzzRoad = aFaultRoad([]);
const cutRoad = aFaultRoad([]);
/** First the one of every run of the tests, then the recorded ones. */
const wholeStreams = [
  bytesOf(['data: {"choices":[{"index":0,"delta":{"content":"Grüße"}}]}\n\n', 'data: [DONE]\r\n\r\n']),
  ...streamRows.map(({ bytes }) => bytesOf(bytes)),
];

/** Recorded streams, gone wrong on their way and cut at a random place. */
function fuzzed(seed: number): Uint8Array {
  const chance = chanceFrom(seed);
  let bytes: Uint8Array = bytesOf(streamRows[chance.below(streamRows.length)]?.bytes ?? []);
  for (let steps = chance.below(3); steps > 0; steps -= 1)
    bytes = chance.oneOf(mutations)?.change(bytes, chance) ?? bytes;
  return bytes.subarray(0, chance.below(bytes.length + 1));
}

/** One answer of a gateway that ends with these bytes, in two packets, and breaks off or not. */
function answerOf(bytes: Uint8Array, seed: number): FaultAnswer {
  const hex = (part: Uint8Array) => ({ hex: Buffer.from(part).toString('hex') });
  const middle = seed % (bytes.length + 1);
  const body = [hex(bytes.subarray(0, middle)), hex(bytes.subarray(middle))];
  return { body, end: seed % 3 === 0 ? 'fin' : 'whole' };
}

interface Ways {
  direct: Gateway;
  channel: Gateway;
}
const known = new Map<string, Ways>();

/** Both ways to the same server, with one channel for all that is asked of it. */
function waysTo(origin: string): Ways {
  const found = known.get(origin);
  if (found) return found;
  const now = () => performance.now();
  const send: typeof globalThis.fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('origin', origin);
    headers.set('sec-fetch-site', 'same-origin');
    return fetch(typeof input === 'string' ? new URL(input, origin) : input, { ...init, headers });
  };
  const ways = {
    direct: createGateway({ fetch: send, now }),
    channel: createGateway({ fetch: send, now, openSocket: channelSockets(origin).open }),
  };
  known.set(origin, ways);
  return ways;
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

afterAll(() => {
  for (const { channel } of known.values()) channel.channel?.leave();
});

describe('the tape of each fault of the catalogue', () => {
  it.concurrent.each(allFaultRows.map((row) => [row.name, row] as const))('%s', async (name, { outcome }) => {
    const { direct, channel } = waysTo(road().server.origin);
    const stream = outcome.notes?.['not-streamed'] === undefined;
    const [one, other] = await Promise.all([tapeOf(direct, name, stream), tapeOf(channel, name, stream)]);
    expect(channel.channel?.state()).toBe('open');
    expect(other).toEqual(one);
  });
});

describe('the tape of a stream that went wrong on its way', () => {
  it.concurrent('and was cut at a random place', async () => {
    const { server, gateway } = fuzzRoad();
    gateway.answerWith((body) => {
      const seed = Number(/"content":"(\d+)"/.exec(body)?.[1]);
      return answerOf(fuzzed(seed), seed);
    });
    const seeds = Array.from({ length: cases(60) }, (_, index) => String(index + 1));
    expect(await differences(server.origin, seeds)).toEqual([]);
  });

  it.concurrent('and was cut at every byte', async () => {
    const { server, gateway } = cutRoad();
    const streams = wholeStreams.slice(0, cases(1));
    gateway.answerWith((body) => {
      const [, stream, at] = /"content":"(\d+) (\d+)"/.exec(body) ?? [];
      return answerOf(streams[Number(stream)]?.subarray(0, Number(at)) ?? new Uint8Array(), Number(at));
    });
    const names = streams.flatMap((bytes, stream) =>
      Array.from({ length: bytes.length + 1 }, (_, at) => `${stream} ${at}`),
    );
    expect(await differences(server.origin, names)).toEqual([]);
  });
});

/** Tapes that differ, by name. Asked some at a time: a stream that is cut short is waited for. */
async function differences(origin: string, names: readonly string[]): Promise<unknown[]> {
  const { direct, channel } = waysTo(origin);
  const different: unknown[] = [];
  const left = names.values();
  const work = async () => {
    for (const name of left) {
      const [one, other] = await Promise.all([tapeOf(direct, name, true), tapeOf(channel, name, true)]);
      if (!isDeepStrictEqual(one, other)) different.push({ name, direct: one, channel: other });
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  if (channel.channel?.state() !== 'open') different.push('The channel is not open.');
  return different;
}
