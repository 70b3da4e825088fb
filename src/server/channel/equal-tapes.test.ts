/** Compares tapes over the channel with tapes of direct requests: they must be equal except for times. */
import { isDeepStrictEqual } from 'node:util';
import { gzipSync } from 'node:zlib';

import { expect, it, onTestFinished } from 'vitest';

import { toBytes } from '../../gateway/__fixtures__/segments.ts';
import { streamRows } from '../../gateway/__fixtures__/stream-rows.ts';
import { createServerClient, type ServerClient } from '../../gateway/client.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { createRandomSource, mutations } from '../../testing/cases/mutations.ts';
import { createChannelSockets } from '../../testing/channel-sockets.ts';
import {
  startScriptedGateway,
  type ChatScript,
  type ScriptedResponse,
} from '../../testing/scripted-gateway.ts';
import { getCaseCount } from '../../testing/seeds.ts';
import { startTestPlayground } from '../testing/test-playground.ts';

/** The first stream is cut at every byte in every test run, all others only in the soak. */
const cutStreams = [
  toBytes(['data: {"choices":[{"index":0,"delta":{"content":"Grüße"}}]}\n\n', 'data: [DONE]\r\n\r\n']),
  ...streamRows.map(({ bytes }) => toBytes(bytes)),
];

/** Returns a stream with random faults, cut at a random position. */
function createFuzzedStream(seed: number): Uint8Array {
  const random = createRandomSource(seed);
  let bytes: Uint8Array = toBytes(streamRows[random.drawBelow(streamRows.length)]?.bytes ?? []);
  for (let steps = random.drawBelow(3); steps > 0; steps -= 1)
    bytes = random.pickOne(mutations)?.change(bytes, random) ?? bytes;
  return bytes.subarray(0, random.drawBelow(bytes.length + 1));
}

const formatHead = (status: string, ...lines: string[]) =>
  `HTTP/1.1 ${[status, ...lines, 'connection: close'].join('\r\n')}\r\n\r\n`;
const text = 'data: {"choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\n';
const reply = '{"choices":[{"index":0,"message":{"content":"Hello"},"finish_reason":"stop"}]}';
const error = '{"error":{"message":"not this way"}}';
const streamType = 'content-type: text/event-stream';
const jsonType = 'content-type: application/json';

/** Responses with an unusual head, length or end. */
const oddResponses: Record<string, { bytes: string | Uint8Array; end?: 'reset' | 'none' }> = {
  'whole reply': { bytes: formatHead('200 OK', jsonType) + reply },
  'whole reply shorter than its length': {
    bytes: formatHead('200 OK', jsonType, 'content-length: 999') + reply,
  },
  '401 with a password dialog': { bytes: formatHead('401 No', jsonType, 'www-authenticate: Basic') + error },
  '407, hidden by browsers': { bytes: formatHead('407 No', jsonType) + error },
  '421, repeated by browsers': { bytes: formatHead('421 No', jsonType) + error },
  '429 with limits': {
    bytes: formatHead('429 No', jsonType, 'retry-after: 7', 'x-ratelimit-reset: 6m0s') + error,
  },
  '204 without a body': { bytes: formatHead('204 Nothing') },
  redirect: { bytes: formatHead('302 Found', 'location: http://evil.example/') },
  cookies: { bytes: formatHead('200 OK', streamType, 'set-cookie: a=1', 'set-cookie: b=2') + text },
  'no content type': { bytes: formatHead('200 OK') + text },
  'chunk without a size': {
    bytes: `${formatHead('200 OK', streamType, 'transfer-encoding: chunked')}zz\r\n`,
  },
  'compressed without a content encoding': {
    bytes: Buffer.concat([Buffer.from(formatHead('200 OK', streamType)), gzipSync(text)]),
  },
  'not HTTP': { bytes: 'SSH-2.0-OpenSSH_9\r\n' },
  'reset before the headers': { bytes: '', end: 'reset' },
  'reset after the headers': { bytes: formatHead('200 OK', streamType), end: 'reset' },
  'silence before the headers': { bytes: '', end: 'none' },
  'silence after some text': { bytes: formatHead('200 OK', streamType) + text, end: 'none' },
};

/** Responds according to the name in the request's message. */
const answerByName: ChatScript = async (answer, { text: body }) => {
  const [, name = ''] = /"content":"([^"]*)"/.exec(body) ?? [];
  const oddResponse = oddResponses[name];
  if (oddResponse) {
    answer.writeBytes(oddResponse.bytes);
    if (oddResponse.end === undefined) answer.response.socket?.end();
    if (oddResponse.end === 'reset') setImmediate(() => answer.response.socket?.resetAndDestroy());
    return;
  }
  const [kind, ...numbers] = name.split(' ');
  const [index = 0, cutOffset = 0] = numbers.map(Number);
  if (kind === 'fuzzed') return sendBytes(answer, createFuzzedStream(index), index);
  return sendBytes(answer, cutStreams[index]?.subarray(0, cutOffset), cutOffset);
};

/** Sends a stream in two packets and breaks the connection for every third seed. */
async function sendBytes(
  answer: ScriptedResponse,
  bytes: Uint8Array = new Uint8Array(),
  seed = 0,
): Promise<void> {
  const middle = seed % (bytes.length + 1);
  answer.openStream();
  for (const part of [bytes.subarray(0, middle), bytes.subarray(middle)])
    if (part.length > 0) await new Promise<void>((resolve) => answer.response.write(part, () => resolve()));
  if (seed % 3 === 0) answer.response.socket?.end();
  else answer.response.end();
}

interface GatewayPair {
  direct: ServerClient;
  channel: ServerClient;
}

/** Creates both transports to the same server, with one channel for all requests. */
function createGateways(origin: string): GatewayPair {
  const monotonicNow = () => performance.now();
  const send: typeof globalThis.fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('origin', origin);
    headers.set('sec-fetch-site', 'same-origin');
    return fetch(typeof input === 'string' ? new URL(input, origin) : input, { ...init, headers });
  };
  return {
    direct: createServerClient({ fetch: send, monotonicNow }),
    channel: createServerClient({ fetch: send, monotonicNow, openSocket: createChannelSockets(origin).open }),
  };
}

async function recordTape(gateway: ServerClient, name: string): Promise<unknown[]> {
  const body = {
    model: 'north/one',
    messages: [{ role: 'user' as const, content: name }],
    stream: !name.startsWith('whole'),
  };
  const tape: TapeEntry[] = [];
  for await (const entries of gateway.streamChat(body, { requestId: 'the-same' })) tape.push(...entries);
  return tape.map(withoutTimes);
}

const connectionHeaders = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding']);

/** Removes properties of the connection: times, the headers that contain them, and failure messages. */
function withoutTimes({ at: _at, serverAt: _serverAt, ...entry }: TapeEntry): unknown {
  if ('headers' in entry)
    return {
      ...entry,
      headers: Object.fromEntries(
        Object.entries(entry.headers).filter(([name]) => !connectionHeaders.has(name)),
      ),
    };
  if (!('end' in entry) || entry.error === undefined) return entry;
  const { raw: _raw, ...error } = entry.error;
  return { ...entry, error };
}

it.each<[what: string, names: string[], settings?: Record<string, string>]>([
  [
    'responses with an unusual head, length or end',
    Object.keys(oddResponses),
    { GATEWAY_HEADERS_TIMEOUT_MS: '1500', GATEWAY_IDLE_TIMEOUT_MS: '1500' },
  ],
  [
    'streams with random faults, split at a random position',
    Array.from({ length: getCaseCount(60) }, (_, index) => `fuzzed ${index + 1}`),
  ],
  [
    'streams split at every byte',
    cutStreams
      .slice(0, getCaseCount(1))
      .flatMap(({ length }, stream) =>
        Array.from({ length: length + 1 }, (_, offset) => `cut ${stream} ${offset}`),
      ),
  ],
])(
  'records the same tape over the channel and a direct request for %s',
  async (_what, names, settings = {}) => {
    const gateway = await startScriptedGateway();
    gateway.setChatScript(answerByName);
    const server = await startTestPlayground({
      GATEWAY_BASE_URL: gateway.url,
      GATEWAY_RPM: '0',
      ...settings,
    });
    const gateways = createGateways(server.origin);
    onTestFinished(async () => {
      gateways.channel.channel?.closeAll();
      await server.close();
      await gateway.close();
    });
    expect(await findDifferences(gateways, names)).toEqual([]);
    expect(gateways.channel.channel?.getState()).toBe('open');
  },
);

/** Returns the answers whose tapes differ. Several requests run concurrently, since a cut stream takes a while. */
async function findDifferences(gateways: GatewayPair, names: readonly string[]): Promise<unknown[]> {
  const mismatches: unknown[] = [];
  const queue = names.values();
  const work = async () => {
    for (const name of queue) {
      const [direct, channel] = await Promise.all([
        recordTape(gateways.direct, name),
        recordTape(gateways.channel, name),
      ]);
      if (!isDeepStrictEqual(direct, channel)) mismatches.push({ name, direct, channel });
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  return mismatches;
}
