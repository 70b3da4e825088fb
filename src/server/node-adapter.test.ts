import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { settled, until } from '../testing/wait-until.ts';
import { createHttpServer, listen } from './http-server.ts';
import { createNodeListener, type NodeAdapterOptions } from './node-adapter.ts';
import { servedPlayground } from './testing/test-playground.ts';

let running: Server | undefined;

afterEach(async () => {
  vi.useRealTimers();
  running?.closeAllConnections();
  await new Promise((resolve) => running?.close(resolve) ?? resolve(undefined));
  running = undefined;
});

/** A server that answers under any name, as one does whose visitors show a key. */
async function served(
  handle: NodeAdapterOptions['handle'],
  next?: (end: (words: string) => void) => void,
): Promise<{
  answerTo: (head: string, body?: string) => Promise<string>;
  open: (options?: { allowHalfOpen: boolean }) => Socket;
  log: string[];
}> {
  const log: string[] = [];
  const listener = createNodeListener({
    handle,
    newId: () => 'id-1',
    isLogged: (path) => path.startsWith('/logged'),
    log: (line) => log.push(line),
  });
  running = createHttpServer((request, response) => {
    listener(request, response, next && (() => next((words) => response.end(words))));
  });
  const port = await listen(running, '127.0.0.1', 0);
  const open = (options = { allowHalfOpen: false }) => connect({ port, host: '127.0.0.1', ...options });
  const answerTo = async (head: string, body = '') => {
    const socket = open();
    socket.write(`${head}\r\nHost: any\r\nConnection: close\r\n\r\n${body}`);
    const answer = await text(socket);
    return answer;
  };
  return { answerTo, open, log };
}

const statusLine = (answer: string) => answer.split('\r\n')[0];

describe('a server without a guard', () => {
  it('refuses an address that programs read differently, and answers all others', async () => {
    const paths: string[] = [];
    const { answerTo } = await served(async (request) => {
      paths.push(new URL(request.url).pathname);
      return new Response('fine');
    });
    const refusal = await answerTo('GET /a/../b HTTP/1.1');
    expect(statusLine(refusal)).toBe('HTTP/1.1 400 Bad Request');
    expect(refusal).toContain('The address contains a dot segment.');
    expect(statusLine(await answerTo('GET /a HTTP/1.1'))).toBe('HTTP/1.1 200 OK');
    expect(paths).toEqual(['/a']);
  });

  it('tells who asks, and fails at a method that no request can have', async () => {
    const visitors: string[] = [];
    const { answerTo, log } = await served(async (_request, { remoteAddress }) => {
      visitors.push(remoteAddress);
      return new Response();
    });
    await answerTo('GET /a HTTP/1.1');
    expect(visitors).toEqual(['127.0.0.1']);
    expect(statusLine(await answerTo('TRACE /a HTTP/1.1'))).toBe('HTTP/1.1 502 Bad Gateway');
    expect(log[0]).toMatch(/^internal error: TypeError/);
  });

  it('lets an upload come that asks first', async () => {
    const { answerTo } = await served(async (request) => new Response(`got ${await request.text()}`));
    const answer = await answerTo('POST /a HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2', 'hi');
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n[^]*got hi/);
    expect(await answerTo('POST /a HTTP/1.1\r\nContent-Length: 2', 'hi')).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });
});

describe('what nobody answers', () => {
  it('is not found, or left to whoever is next', async () => {
    const alone = await served(async () => undefined);
    const missing = await alone.answerTo('GET /a HTTP/1.1');
    expect(statusLine(missing)).toBe('HTTP/1.1 404 Not Found');
    expect(missing).toContain('Nothing found at this address.');
    running?.close();
    const before = await served(
      async () => undefined,
      (end) => end('of the next'),
    );
    expect(await before.answerTo('GET /a HTTP/1.1')).toContain('of the next');
  });

  it.each([
    ['an error', new Error('boom'), /^internal error: Error: boom\n\s+at /],
    ['a text', 'boom', /^internal error: boom$/],
  ])('since the handler failed with %s is 502, and the log says why', async (_what, failure, line) => {
    const { answerTo, log } = await served(async (request) => {
      if (!request.url.endsWith('/unread')) await request.text();
      throw failure;
    });
    const answer = await answerTo('POST /a HTTP/1.1\r\nContent-Length: 2', 'hi');
    expect(statusLine(answer)).toBe('HTTP/1.1 502 Bad Gateway');
    expect(await answerTo('GET /a HTTP/1.1')).toContain(' 502 ');
    // Also to whom the rest is still to come from; then the connection ends.
    expect(await answerTo('POST /unread HTTP/1.1\r\nContent-Length: 9', 'hi')).toContain(' 502 ');
    expect(answer).toContain('The playground server could not handle this request.');
    expect(answer).not.toContain('boom');
    expect(log[0]).toMatch(line);
  });
});

describe('a visitor who leaves', () => {
  /** Asks, leaves once the handler has been called, and gives all that was logged. */
  async function leaving(handle: NodeAdapterOptions['handle'], bytes: string): Promise<string[]> {
    let isAsked = false;
    const { open, log } = await served((request, visitor) => {
      isAsked = true;
      return handle(request, visitor);
    });
    const socket = open();
    socket.write(bytes);
    await until(() => isAsked);
    socket.destroy();
    await until(() => log.length > 0);
    // What else would be logged comes in these turns.
    await settled(() => log.length);
    return log;
  }
  const whenLeft = (request: Request) =>
    new Promise((resolve) => request.signal.addEventListener('abort', resolve));

  it.each<[string, NodeAdapterOptions['handle'], string]>([
    [
      'while the answer is made',
      async (request) => {
        await whenLeft(request);
        throw new Error('left');
      },
      'GET /logged HTTP/1.1\r\nHost: any\r\n\r\n',
    ],
    [
      'in the middle of an upload',
      async (request) => new Response(await request.text()),
      'POST /logged HTTP/1.1\r\nHost: any\r\nContent-Length: 9\r\n\r\nhi',
    ],
  ])('%s is in the log as that, and as no error', async (_when, handle, bytes) => {
    expect(await leaving(handle, bytes)).toEqual([expect.stringMatching(/^\w+ \/logged .* client-abort$/)]);
  });

  it('before the answer is there takes nothing of it: its source is let go', async () => {
    let isCancelled = false;
    const handle = async (request: Request) => {
      await whenLeft(request);
      return new Response(new ReadableStream({ cancel: () => void (isCancelled = true) }));
    };
    await leaving(handle, 'GET /logged HTTP/1.1\r\nHost: any\r\n\r\n');
    await expect.poll(() => isCancelled).toBe(true);
  });
});

it('an upload that goes on after its refusal is cut after three seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { open } = await served(async () => new Response('no', { status: 400 }));
  const socket = open({ allowHalfOpen: true });
  socket.on('error', () => undefined);
  socket.write('POST /a HTTP/1.1\r\nHost: any\r\nContent-Length: 999999999\r\n\r\nhi');
  const first = new Promise((resolve) => socket.once('data', resolve));
  const isAnswered = new Promise((resolve) => socket.once('end', resolve));
  expect(String(await first)).toMatch(/^HTTP\/1\.1 400 /);
  socket.resume();
  await isAnswered;
  await vi.advanceTimersByTimeAsync(2999);
  socket.write('more');
  await settled(() => socket.bytesWritten);
  expect(socket.writable).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  // That it is cut shows when more is written.
  await until(() => {
    socket.write('more');
    return socket.destroyed;
  });
});

describe('an answer', () => {
  it('to HEAD has its headers alone, and nobody reads its body', async () => {
    let isCancelled = false;
    const { answerTo, log } = await served(async () => {
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(Buffer.from('a body')),
        cancel: () => void (isCancelled = true),
      });
      return new Response(body, { headers: { 'content-length': '6' } });
    });
    const answer = await answerTo('HEAD /logged HTTP/1.1');
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\ncontent-length: 6\r\n[^]*\r\n\r\n$/);
    expect(isCancelled).toBe(true);
    expect(log).toEqual([expect.stringMatching(/^HEAD \/logged 200 \d+ ms 0 bytes id id-1$/)]);
  });

  it('has a line in the log where its path has one, and where it failed', async () => {
    const { answerTo, log } = await served(
      async ({ url }) => new Response('four', { status: url.endsWith('failed') ? 400 : 399 }),
    );
    const long = `/logged/${'x'.repeat(200)}`;
    for (const path of ['/quiet', '/failed', '/logged?of=4', long])
      await answerTo(`GET ${path} HTTP/1.1\r\nX-Request-ID: mine`);
    expect(log).toEqual([
      expect.stringMatching(/^GET \/failed 400 \d+ ms 4 bytes id mine$/),
      expect.stringMatching(/^GET \/logged 399 \d+ ms 4 bytes id mine$/),
      expect.stringMatching(`^GET ${long.slice(0, 128)} 399 `),
    ]);
  });

  it('under another name of this machine leads to the one that keeps the sessions', async () => {
    const playground = await servedPlayground();
    const answer = await playground.raw(
      `GET /s/1?x=2 HTTP/1.1\r\nHost: localhost:${playground.port}\r\nConnection: close\r\n\r\n`,
    );
    await playground.close();
    expect(answer).toMatch(/^HTTP\/1\.1 307 Temporary Redirect\r\n/);
    expect(answer).toContain(`\r\nlocation: http://127.0.0.1:${playground.port}/s/1?x=2\r\n`);
    expect(answer).toMatch(/\r\n\r\n$/);
  });
});
