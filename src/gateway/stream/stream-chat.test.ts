import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { waitUntil } from '../../testing/wait-until.ts';
import { collectOutcome } from '../__fixtures__/outcome.ts';
import {
  encodeHttpChunk,
  chunkedHead,
  closeDelimitedHead,
  lastChunk,
  startRawServer,
  type RawServer,
} from '../__fixtures__/raw-server.ts';
import { createHttp } from '../http/http.ts';
import type { ChatRequest } from '../wire.ts';
import { createCompletionDetector } from './completion-detector.ts';
import { streamChat } from './stream-chat.ts';
import { createTapeReader } from './stream-events.ts';
import type { TapeEntry } from './tape.ts';

const body: ChatRequest = { model: 'm/1', messages: [{ role: 'user', content: 'Hi' }], stream: true };
const encodeText = (text: string) => `data: {"choices":[{"index":0,"delta":{"content":"${text}"}}]}\n\n`;
const stopEvent = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';
const doneEvent = 'data: [DONE]\n\n';
const usageEvent = 'data: {"choices":[],"usage":{"total_tokens":5}}\n\n';

const servers: { close: () => Promise<void> | void }[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const server of servers.splice(0)) await server.close();
});

async function startGatewayServer(respond: Parameters<typeof startRawServer>[0]): Promise<RawServer> {
  const server = await startRawServer(respond);
  servers.push(server);
  return server;
}

interface ChatTestOptions {
  signal?: AbortSignal;
  isComplete?: () => boolean;
  idleTimeoutMs?: number;
  fetch?: typeof fetch;
  maxBytes?: number;
  onEntry?: (entry: TapeEntry) => void;
}

const createTestHttp = (url: string, options: Pick<ChatTestOptions, 'idleTimeoutMs' | 'fetch'> = {}) =>
  createHttp({ gatewayBasePath: url, monotonicNow: () => Date.now(), ...options });

async function readPackets(url: string, options: ChatTestOptions = {}): Promise<TapeEntry[][]> {
  const packets: TapeEntry[][] = [];
  const { signal, isComplete, idleTimeoutMs, fetch, maxBytes } = options;
  const http = createTestHttp(url, {
    ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
    ...(fetch ? { fetch } : {}),
  });
  const chatOptions = {
    requestId: 'r-1',
    ...(signal ? { signal } : {}),
    ...(isComplete ? { isComplete } : {}),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  };
  for await (const entries of streamChat(http, body, chatOptions)) {
    packets.push(entries);
    for (const entry of entries) options.onEntry?.(entry);
  }
  return packets;
}

/** Returns the outcome of a tape and how it ended. */
function summarizeTape(packets: TapeEntry[][]) {
  const tape = packets.flat();
  const readEntry = createTapeReader();
  const events = tape.flatMap((entry) => readEntry(entry));
  const ends = tape.filter((entry) => 'end' in entry);
  expect(ends).toHaveLength(1);
  const last = tape.at(-1);
  if (!last || !('end' in last)) throw new Error('The tape must have an end');
  return { ...collectOutcome(events), end: last.end, endKind: last.error?.kind, tape };
}

async function runChat(respond: Parameters<typeof startRawServer>[0], options?: ChatTestOptions) {
  const server = await startGatewayServer(respond);
  return { ...summarizeTape(await readPackets(server.url, options)), server };
}

/** Returns a fetch that reports each wait for more of the body, and the number of bytes consumed before it. */
function createWatchedFetch(onWait: (consumedBytes: number) => void): typeof fetch {
  return async (input, init) => {
    const { body: responseBody, status, headers } = await fetch(input, init);
    const reader = responseBody?.getReader();
    let consumedBytes = 0;
    const watchedBody = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          onWait(consumedBytes);
          const packet = await reader?.read();
          if (!packet || packet.done) {
            controller.close();
          } else {
            consumedBytes += packet.value.length;
            controller.enqueue(packet.value);
          }
        },
        cancel: (reason) => reader?.cancel(reason),
      },
      { highWaterMark: 0 },
    );
    return new Response(watchedBody, { status, headers });
  };
}

/**
 * Runs a gateway that is silent between the parts of its body and keeps the connection open at the end. The silence
 * takes no real time: the clock advances once everything sent has been consumed. `endedAt` is measured by that clock.
 */
async function runChatWithPauses(
  head: string,
  parts: readonly [pauseMs: number, text: string][],
  options: Omit<ChatTestOptions, 'fetch'> = {},
) {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  const encodePart = head === chunkedHead ? encodeHttpChunk : (text: string) => text;
  let write = (_bytes: string) => {};
  let [sentBytes, consumedBytes, hasEnded] = [0, -1, false];
  const resultPromise = runChat(
    (socket) => {
      write = (bytes) => socket.write(bytes);
      write(head);
    },
    { ...options, fetch: createWatchedFetch((bytes) => (consumedBytes = bytes)) },
  ).finally(() => (hasEnded = true));
  const hasConsumedAll = () => consumedBytes >= sentBytes || hasEnded;
  for (const [pauseMs, text] of parts) {
    await waitUntil(hasConsumedAll);
    await vi.advanceTimersByTimeAsync(pauseMs);
    write(encodePart(text));
    sentBytes += Buffer.byteLength(text);
  }
  await waitUntil(hasConsumedAll);
  await waitUntil(async () => {
    if (!hasEnded) await vi.advanceTimersToNextTimerAsync();
    return hasEnded;
  });
  const result = await resultPromise;
  return { ...result, endedAt: result.tape.at(-1)?.at };
}

describe('streamChat', () => {
  it('sends the required headers and records request, status and events in order', async () => {
    const result = await runChat((socket) => {
      socket.write(
        chunkedHead +
          encodeHttpChunk(encodeText('Hel')) +
          encodeHttpChunk(encodeText('lo') + stopEvent + doneEvent) +
          lastChunk,
      );
    });
    expect(result).toMatchObject({ text: { 0: 'Hello' }, done: true, end: 'closed', endKind: undefined });
    expect(result.tape[0]).toEqual({ at: 0, request: body, requestId: 'r-1' });
    expect(result.tape[1]).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream' } });
    const [request = ''] = result.server.requests;
    expect(request).toMatch(/^POST \/v1\/chat\/completions HTTP/);
    expect(request).toMatch(/\r\nx-gateway-playground: 1\r\n/i);
    expect(request).toMatch(/\r\ncontent-type: application\/json\r\n/i);
    expect(request).toMatch(/\r\nx-request-id: r-1\r\n/i);
    expect(request).toMatch(/\r\naccept: text\/event-stream, application\/json\r\n/i);
    expect(request.endsWith(JSON.stringify(body))).toBe(true);
  });

  it('gives all entries of a network packet the same time', async () => {
    let time = 0;
    const http = createHttp({
      monotonicNow: () => (time += 10),
      fetch: async () => new Response(new Blob([encodeText('a') + encodeText('b') + doneEvent]).stream()),
    });
    const packets: TapeEntry[][] = [];
    for await (const entries of streamChat(http, body, { requestId: 'r' })) packets.push(entries);
    const times = packets.map((entries) => new Set(entries.map((entry) => entry.at)).size);
    expect(times).toEqual([1, 1, 1, 1]);
    const entryTimes = packets.flat().map((entry) => entry.at);
    expect(entryTimes).toEqual(entryTimes.toSorted((a, b) => a - b));
  });

  it('ends after a response without a body, and records the size of a rejected request', async () => {
    const readTape = async (status: number, headers: Record<string, string> = {}) => {
      const http = createHttp({
        monotonicNow: () => 0,
        fetch: async () => new Response(null, { status, headers }),
      });
      const tape: TapeEntry[] = [];
      for await (const entries of streamChat(http, body, { requestId: 'r' })) tape.push(...entries);
      return tape.slice(1);
    };
    const endEntries = [
      { at: 0, body: '' },
      { at: 0, end: 'closed' },
    ];
    expect(await readTape(204)).toStrictEqual([{ at: 0, status: 204, headers: {} }, ...endEntries]);
    expect(await readTape(413, { 'x-gateway-headers': '{}' })).toStrictEqual([
      { at: 0, status: 413, headers: {}, proxied: true, requestBytes: JSON.stringify(body).length },
      ...endEntries,
    ]);
  });

  it('reports the size limit in the end entry of an answer that exceeds it', async () => {
    const readEnd = async (maxBytes: number) => {
      const response = new Response(`data: ${'x'.repeat(maxBytes)}`);
      const http = createHttp({ monotonicNow: () => 0, fetch: async () => response });
      const tape: TapeEntry[] = [];
      for await (const entries of streamChat(http, body, { requestId: 'r', maxBytes })) tape.push(...entries);
      return tape.at(-1);
    };
    const createError = (limit: string) => ({
      source: 'app',
      kind: 'answer-too-large',
      message: `The answer exceeds the limit of ${limit}, so Bench closed the connection.`,
    });
    expect(await readEnd(2 ** 20)).toEqual({ at: 0, end: 'closed', error: createError('1 MB') });
    expect(await readEnd(2 ** 20 - 1)).toEqual({ at: 0, end: 'closed', error: createError('1048575 bytes') });
  });

  it('delivers an event before the next one has been sent', async () => {
    let write = (_text: string) => {};
    const receivedData: string[] = [];
    const result = await runChat(
      (socket) => {
        write = (text) => socket.write(text);
        write(chunkedHead + encodeHttpChunk(encodeText('a')));
      },
      {
        onEntry(entry) {
          if (!('data' in entry)) return;
          receivedData.push(entry.data);
          if (receivedData.length === 1) write(encodeHttpChunk(encodeText('b')));
          else if (receivedData.length === 2) write(encodeHttpChunk(stopEvent) + lastChunk);
        },
      },
    );
    expect(result).toMatchObject({ text: { 0: 'ab' }, ends: [[0, 'stop']], end: 'closed' });
  });

  it('reports a redirect without following it', async () => {
    const canary = await startGatewayServer((socket) => socket.end(closeDelimitedHead));
    const result = await runChat((socket) => {
      socket.end(`HTTP/1.1 307 X\r\nlocation: ${canary.url}/\r\ncontent-length: 0\r\n\r\n`);
    });
    expect(result.errors).toEqual([
      ['gateway', 'redirected', 'The gateway returned a redirect (307), which Bench does not follow.'],
    ]);
    expect(canary.requests).toEqual([]);
  });

  it.each([204, 205])('reports status %i without a body as an empty answer', async (status) => {
    const result = await runChat((socket) => socket.end(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`));
    expect(result.errors).toEqual([['gateway', 'no-answer', 'The gateway returned an empty answer.']]);
  });

  it('rejects an endless line at 16 MB, keeps the text before it and closes the connection', async () => {
    const result = await runChat((socket) => {
      socket.write(chunkedHead + encodeHttpChunk(encodeText('before')) + encodeHttpChunk('data: '));
      const piece = encodeHttpChunk('x'.repeat(1024 * 1024));
      let sentPieces = 0;
      const sendMore = () => {
        while (sentPieces < 64 && !socket.destroyed) {
          sentPieces += 1;
          if (!socket.write(piece)) return void socket.once('drain', sendMore);
        }
      };
      sendMore();
    });
    expect(result).toMatchObject({ text: { 0: 'before' }, end: 'closed', endKind: 'event-too-large' });
    expect(result.errors).toMatchObject([['app', 'event-too-large', expect.stringContaining('16 MB')]]);
    await result.server.waitForClose(0);
  });

  it('cuts an endless answer at the limit, closes the connection and does not report a failure', async () => {
    const maxBytes = 40 * encodeText('a').length;
    const result = await runChat(
      (socket) => {
        socket.write(chunkedHead + encodeHttpChunk(encodeText('a').repeat(20)));
        const sendMore = () => {
          if (!socket.destroyed)
            socket.write(encodeHttpChunk(encodeText('b').repeat(7)), () => setImmediate(sendMore));
        };
        sendMore();
      },
      { maxBytes },
    );
    await result.server.waitForClose(0);
    expect(result.text?.[0]).toBe('a'.repeat(20) + 'b'.repeat(20));
    expect(result).toMatchObject({ end: 'closed', endKind: 'answer-too-large' });
    expect(result).not.toHaveProperty('errors');
    const messages = result.tape.flatMap((entry) => ('end' in entry ? [entry.error?.message] : []));
    expect(messages).toEqual([expect.stringContaining('exceeds the limit of')]);
  });

  it('counts comments, empty events and one long event towards the limit', async () => {
    for (const noise of [': still here\n\n', 'data: {"choices":[]}\n\n', `data: ${'x'.repeat(4000)}`]) {
      const result = await runChat(
        (socket) => {
          socket.write(chunkedHead + encodeHttpChunk(encodeText('a')));
          const sendMore = () => {
            if (!socket.destroyed)
              socket.write(encodeHttpChunk(noise.repeat(100)), () => setImmediate(sendMore));
          };
          sendMore();
        },
        { maxBytes: 20_000 },
      );
      await result.server.waitForClose(0);
      expect(result.text?.[0]).toBe('a');
      expect(result).toMatchObject({ end: 'closed', endKind: 'answer-too-large' });
    }
  });

  it('keeps an answer of exactly the maximum size', async () => {
    const fullBody = encodeText('a') + stopEvent + doneEvent;
    const result = await runChat((socket) => socket.end(closeDelimitedHead + fullBody), {
      maxBytes: fullBody.length,
    });
    expect(result).toMatchObject({ text: { 0: 'a' }, done: true, end: 'closed', endKind: undefined });
  });

  it('reports an empty answer as a gateway error', async () => {
    const result = await runChat((socket) => socket.write(chunkedHead + lastChunk));
    expect(result).toMatchObject({
      errors: [['gateway', 'no-answer', 'The gateway returned an empty answer.']],
      end: 'closed',
    });
  });

  it('reads a compressed stream', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      response.end(gzipSync(encodeText('packed') + stopEvent + doneEvent));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push({
      close: () => {
        server.close();
        server.closeAllConnections();
      },
    });
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    expect(summarizeTape(await readPackets(`http://127.0.0.1:${port}`))).toMatchObject({
      text: { 0: 'packed' },
      done: true,
    });
  });

  it('keeps reading briefly after the done marker, then closes an open connection', async () => {
    const result = await runChatWithPauses(chunkedHead, [
      [0, encodeText('a') + stopEvent + doneEvent + encodeText('EXTRA')],
      [299, usageEvent],
    ]);
    expect(result).toMatchObject({
      text: { 0: 'a' },
      done: true,
      usage: [[undefined, undefined, 5]],
      end: 'closed',
      endKind: undefined,
      endedAt: 300,
    });
    expect(result.tape.some((entry) => 'data' in entry && entry.data.includes('EXTRA'))).toBe(true);
    await result.server.waitForClose(0);
  });

  it('keeps reading after a finish reason without a done marker until the other side closes', async () => {
    const result = await runChatWithPauses(chunkedHead, [
      [0, encodeText('a') + stopEvent],
      [600_000, usageEvent],
      [600_000, ''],
    ]);
    expect(result).toMatchObject({
      text: { 0: 'a' },
      usage: [[undefined, undefined, 5]],
      end: 'closed',
      endedAt: 1_200_000,
    });
  });

  it('waits for usage after all finish reasons, then closes an open connection', async () => {
    const { add, isComplete } = createCompletionDetector(1);
    const readEntry = createTapeReader();
    const parts: [number, string][] = [
      [0, encodeText('a') + stopEvent],
      [1_999, usageEvent],
    ];
    const result = await runChatWithPauses(chunkedHead, parts, {
      isComplete,
      onEntry: (entry) => readEntry(entry).forEach(add),
    });
    expect(result).toMatchObject({
      text: { 0: 'a' },
      usage: [[undefined, undefined, 5]],
      end: 'closed',
      endKind: undefined,
      endedAt: 1_999 + 2_000,
    });
    await result.server.waitForClose(0);
  });

  it.each([
    [
      'a complete JSON response',
      'HTTP/1.1 200 OK',
      JSON.stringify({ choices: [{ message: { content: 'a' } }] }),
      2_000,
      {},
    ],
    [
      'an error',
      'HTTP/1.1 500 Oops',
      '{"error":{"message":"boom"}}',
      2_000,
      { errors: [['gateway', 'failed', 'boom']] },
    ],
    ['an incomplete error', 'HTTP/1.1 500 Oops', '{"error":{"message":"boo', 5_000, {}],
  ])('closes an open connection shortly after %s', async (_, line, json, endedAt, expected) => {
    const head = `${line}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n`;
    const result = await runChatWithPauses(head, [[100, json]]);
    expect(result).toMatchObject({
      end: 'closed',
      endKind: undefined,
      endedAt: 100 + endedAt,
      ...expected,
    });
    expect(result.tape.find((entry) => 'body' in entry)).toMatchObject({ body: json });
    await result.server.waitForClose(0);
  });

  it.each([
    ['the body breaks off', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"id"', 'lost'],
    [
      'the content length exceeds the body',
      'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id":"x","choi',
      'lost',
    ],
    [
      'a chunk size is not a number',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nf\r\n{"id":"x","choi\r\nzz\r\n',
      'lost',
    ],
    [
      'the connection closes cleanly in the middle of the JSON',
      'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"id":"x","choi',
      'closed',
    ],
  ])('reports a network error for a JSON response if %s', async (_how, bytes, end) => {
    const result = await runChat((socket) => socket.end(bytes));
    expect(result).toMatchObject({ errors: [['network', 'connection-lost', expect.any(String)]], end });
  });

  it('keeps the readable part of a whole response that was cut off', async () => {
    const text = '{"id":"x","choices":[{"index":0,"message":{"content":"Hello wor';
    const result = await runChat((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n${text}`),
    );
    expect(result).toMatchObject({ text: { 0: 'Hello wor' }, end: 'lost', endKind: 'connection-lost' });
    expect(result.tape.find((entry) => 'body' in entry)).toMatchObject({ body: text, cut: true });
  });

  it('reads the first 64 KiB of a huge error body and rejects the rest', async () => {
    const result = await runChat((socket) => {
      socket.write('HTTP/1.1 500 X\r\ncontent-length: 10000000\r\n\r\n');
      socket.write('x'.repeat(1_000_000));
    });
    const bodyEntry = result.tape.find((entry) => 'body' in entry);
    expect(bodyEntry).toMatchObject({ body: 'x'.repeat(64 * 1024), cut: true });
    expect(result.errors).toEqual([['gateway', 'failed', 'x'.repeat(4096)]]);
    await result.server.waitForClose(0);
  });

  it('ends without an answer if the port is closed', async () => {
    const server = await startRawServer(() => {});
    await server.close();
    const result = summarizeTape(await readPackets(server.url));
    expect(result).toMatchObject({ end: 'lost', endKind: 'proxy-unreachable' });
    expect(result.tape).toHaveLength(2);
  });

  it('times out after silence before the headers', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const result = await runChat(() => void vi.advanceTimersByTime(60), { idleTimeoutMs: 60 });
    expect(result).toMatchObject({ end: 'timeout', endKind: 'timeout' });
    await result.server.waitForClose(0);
  });

  it('times out after silence between packets; every packet, even a comment, restarts the timeout', async () => {
    const parts = [': still working\n\n', encodeText('a'), ': still working\n\n'];
    const result = await runChatWithPauses(
      chunkedHead,
      parts.map((text) => [59, text]),
      { idleTimeoutMs: 60 },
    );
    expect(result).toMatchObject({
      end: 'timeout',
      endKind: 'timeout',
      text: { 0: 'a' },
      endedAt: 3 * 59 + 60,
    });
    await result.server.waitForClose(0);
  });

  it.each([
    ['right after the headers', chunkedHead, undefined],
    [
      'inside an event',
      chunkedHead + encodeHttpChunk(encodeText('a')) + encodeHttpChunk('data: {"choi'),
      { 0: 'a' },
    ],
  ])('reports a reset %s as a lost connection', async (_where, bytes, text) => {
    let reset = () => {};
    const result = await runChat(
      (socket) => {
        reset = () => socket.resetAndDestroy();
        socket.write(bytes);
      },
      // A reset also discards data that has not been read yet.
      { onEntry: (entry) => ('data' in entry || ('status' in entry && !text)) && reset() },
    );
    expect(result).toMatchObject({ end: 'lost', endKind: 'connection-lost' });
    expect(result.text).toEqual(text);
  });

  it('reports an end without the last chunk as a lost connection', async () => {
    const result = await runChat((socket) => socket.end(chunkedHead + encodeHttpChunk(encodeText('a'))));
    expect(result).toMatchObject({ text: { 0: 'a' }, end: 'lost', endKind: 'connection-lost' });
  });

  it('records no end signal for a stream whose end only looks clean', async () => {
    const result = await runChat((socket) => socket.end(closeDelimitedHead + encodeText('a')));
    expect(result).toMatchObject({ text: { 0: 'a' }, end: 'closed', endKind: undefined });
    expect(result.ends).toBeUndefined();
    expect(result.done).toBeUndefined();
  });

  it('closes the connection on Stop before the headers', async () => {
    const controller = new AbortController();
    const result = await runChat(() => controller.abort(), { signal: controller.signal });
    expect(result).toMatchObject({ end: 'aborted', endKind: undefined });
    await result.server.waitForClose(0);
  });

  it('keeps the received text and closes the connection on Stop in the middle of an event', async () => {
    const controller = new AbortController();
    const result = await runChat(
      (socket) => socket.write(chunkedHead + encodeHttpChunk(encodeText('a') + 'data: {"choi')),
      {
        signal: controller.signal,
        onEntry: (entry) => 'data' in entry && controller.abort(),
      },
    );
    expect(result).toMatchObject({ text: { 0: 'a' }, end: 'aborted' });
    expect(result.tape.at(-2)).toMatchObject({ data: '{"choi', unterminated: true });
    await result.server.waitForClose(0);
  });

  it('ends once with the whole text if Stop comes together with the last chunk', async () => {
    const controller = new AbortController();
    const result = await runChat(
      (socket) => socket.write(chunkedHead + encodeHttpChunk(encodeText('a')) + encodeHttpChunk(stopEvent)),
      {
        signal: controller.signal,
        onEntry: (entry) => 'data' in entry && entry.data.includes('stop') && controller.abort(),
      },
    );
    expect(result).toMatchObject({ text: { 0: 'a' }, ends: [[0, 'stop']], end: 'aborted' });
  });

  it('sends no request if the signal was aborted before the start', async () => {
    const result = await runChat(() => {}, { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ end: 'aborted' });
    expect(result.server.requests).toEqual([]);
  });

  it('closes the connection when the consumer stops reading', async () => {
    const server = await startGatewayServer((socket) =>
      socket.write(chunkedHead + encodeHttpChunk(encodeText('a'))),
    );
    for await (const entries of streamChat(createTestHttp(server.url), body, { requestId: 'r' })) {
      if (entries.some((entry) => 'data' in entry)) break;
    }
    await expect(server.waitForClose(0)).resolves.toBeUndefined();
  });

  it('removes its abort listeners at the end', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    await runChat((socket) => socket.end(closeDelimitedHead + stopEvent), { signal });
    expect(listeners).toBe(0);
  });
});
