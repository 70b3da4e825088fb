import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { waitForStableNumber, waitUntil } from '../testing/wait-until.ts';
import { createHttpServer, listen } from './http-server.ts';
import { createNodeListener, type NodeAdapterOptions } from './node-adapter.ts';
import { startTestPlayground } from './testing/test-playground.ts';

let runningServer: Server | undefined;

afterEach(async () => {
  vi.useRealTimers();
  runningServer?.closeAllConnections();
  await new Promise((resolve) => runningServer?.close(resolve) ?? resolve(undefined));
  runningServer = undefined;
});

/** Starts a server that accepts any host name, for clients that authenticate with a key. */
async function startServer(
  handle: NodeAdapterOptions['handle'],
  next?: (end: (body: string) => void) => void,
): Promise<{
  sendRequest: (head: string, body?: string) => Promise<string>;
  open: (options?: { allowHalfOpen: boolean }) => Socket;
  log: string[];
}> {
  const log: string[] = [];
  const listener = createNodeListener({
    handle,
    createId: () => 'id-1',
    isLogged: (path) => path.startsWith('/logged'),
    log: (line) => log.push(line),
  });
  runningServer = createHttpServer((request, response) => {
    listener(request, response, next && (() => next((body) => response.end(body))));
  });
  const port = await listen(runningServer, '127.0.0.1', 0);
  const open = (options = { allowHalfOpen: false }) => connect({ port, host: '127.0.0.1', ...options });
  const sendRequest = async (head: string, body = '') => {
    const socket = open();
    socket.write(`${head}\r\nHost: any\r\nConnection: close\r\n\r\n${body}`);
    const responseText = await text(socket);
    return responseText;
  };
  return { sendRequest, open, log };
}

const getStatusLine = (responseText: string) => responseText.split('\r\n')[0];

describe('server without a guard', () => {
  it('rejects ambiguous request targets and answers all others', async () => {
    const paths: string[] = [];
    const { sendRequest } = await startServer(async (request) => {
      paths.push(new URL(request.url).pathname);
      return new Response('fine');
    });
    const refusal = await sendRequest('GET /a/../b HTTP/1.1');
    expect(getStatusLine(refusal)).toBe('HTTP/1.1 400 Bad Request');
    expect(refusal).toContain('The address contains a dot segment.');
    expect(getStatusLine(await sendRequest('GET /a HTTP/1.1'))).toBe('HTTP/1.1 200 OK');
    expect(paths).toEqual(['/a']);
  });

  it("passes the client's IP address to the handler and rejects impossible methods", async () => {
    const remoteAddresses: string[] = [];
    const { sendRequest, log } = await startServer(async (_request, { remoteAddress }) => {
      remoteAddresses.push(remoteAddress);
      return new Response();
    });
    await sendRequest('GET /a HTTP/1.1');
    expect(remoteAddresses).toEqual(['127.0.0.1']);
    expect(getStatusLine(await sendRequest('TRACE /a HTTP/1.1'))).toBe('HTTP/1.1 502 Bad Gateway');
    expect(log[0]).toMatch(/^internal error: TypeError/);
  });

  it('accepts an upload that sends Expect: 100-continue', async () => {
    const { sendRequest } = await startServer(async (request) => new Response(`got ${await request.text()}`));
    const responseText = await sendRequest(
      'POST /a HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2',
      'hi',
    );
    expect(responseText).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n[^]*got hi/);
    expect(await sendRequest('POST /a HTTP/1.1\r\nContent-Length: 2', 'hi')).toMatch(
      /^HTTP\/1\.1 200 OK\r\n/,
    );
  });
});

describe('unanswered request', () => {
  it('returns 404, or calls next() if there is one', async () => {
    const serverWithoutNext = await startServer(async () => undefined);
    const notFoundText = await serverWithoutNext.sendRequest('GET /a HTTP/1.1');
    expect(getStatusLine(notFoundText)).toBe('HTTP/1.1 404 Not Found');
    expect(notFoundText).toContain('Nothing found at this address.');
    runningServer?.close();
    const serverWithNext = await startServer(
      async () => undefined,
      (end) => end('of the next'),
    );
    expect(await serverWithNext.sendRequest('GET /a HTTP/1.1')).toContain('of the next');
  });

  it.each([
    ['an error', new Error('boom'), /^internal error: Error: boom\n\s+at /],
    ['a text', 'boom', /^internal error: boom$/],
  ])('answers 502 and logs the reason if the handler fails with %s', async (_what, failure, line) => {
    const { sendRequest, log } = await startServer(async (request) => {
      if (!request.url.endsWith('/unread')) await request.text();
      throw failure;
    });
    const responseText = await sendRequest('POST /a HTTP/1.1\r\nContent-Length: 2', 'hi');
    expect(getStatusLine(responseText)).toBe('HTTP/1.1 502 Bad Gateway');
    expect(await sendRequest('GET /a HTTP/1.1')).toContain(' 502 ');
    // Also sent while the client is still uploading; then the connection ends.
    expect(await sendRequest('POST /unread HTTP/1.1\r\nContent-Length: 9', 'hi')).toContain(' 502 ');
    expect(responseText).toContain('The Bench server could not handle this request.');
    expect(responseText).not.toContain('boom');
    expect(log[0]).toMatch(line);
  });
});

describe('client that disconnects', () => {
  /** Sends a request and disconnects once the handler was called. Returns everything that was logged. */
  async function collectDisconnectLog(
    handle: NodeAdapterOptions['handle'],
    bytes: string,
  ): Promise<string[]> {
    let isHandlerCalled = false;
    const { open, log } = await startServer((request, context) => {
      isHandlerCalled = true;
      return handle(request, context);
    });
    const socket = open();
    socket.write(bytes);
    await waitUntil(() => isHandlerCalled);
    socket.destroy();
    await waitUntil(() => log.length > 0);
    // Allows time for further log lines.
    await waitForStableNumber(() => log.length);
    return log;
  }
  const waitForAbort = (request: Request) =>
    new Promise((resolve) => request.signal.addEventListener('abort', resolve));

  it.each<[string, NodeAdapterOptions['handle'], string]>([
    [
      'during the handler',
      async (request) => {
        await waitForAbort(request);
        throw new Error('disconnected');
      },
      'GET /logged HTTP/1.1\r\nHost: any\r\n\r\n',
    ],
    [
      'in the middle of an upload',
      async (request) => new Response(await request.text()),
      'POST /logged HTTP/1.1\r\nHost: any\r\nContent-Length: 9\r\n\r\nhi',
    ],
  ])('is logged as an aborted request and not as an error: %s', async (_when, handle, bytes) => {
    expect(await collectDisconnectLog(handle, bytes)).toEqual([
      expect.stringMatching(/^\w+ \/logged .* client-abort$/),
    ]);
  });

  it('cancels the source of a response that begins after the client has disconnected', async () => {
    let isCancelled = false;
    const handle = async (request: Request) => {
      await waitForAbort(request);
      return new Response(new ReadableStream({ cancel: () => void (isCancelled = true) }));
    };
    await collectDisconnectLog(handle, 'GET /logged HTTP/1.1\r\nHost: any\r\n\r\n');
    await expect.poll(() => isCancelled).toBe(true);
  });
});

it('cuts an upload that still continues three seconds after its rejection', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { open } = await startServer(async () => new Response('no', { status: 400 }));
  const socket = open({ allowHalfOpen: true });
  socket.on('error', () => undefined);
  socket.write('POST /a HTTP/1.1\r\nHost: any\r\nContent-Length: 999999999\r\n\r\nhi');
  const firstData = new Promise((resolve) => socket.once('data', resolve));
  const responseEnd = new Promise((resolve) => socket.once('end', resolve));
  expect(String(await firstData)).toMatch(/^HTTP\/1\.1 400 /);
  socket.resume();
  await responseEnd;
  await vi.advanceTimersByTimeAsync(2999);
  socket.write('more');
  await waitForStableNumber(() => socket.bytesWritten);
  expect(socket.writable).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  // The client detects the closed connection only when it writes more.
  await waitUntil(() => {
    socket.write('more');
    return socket.destroyed;
  });
});

describe('response of the server', () => {
  it('sends only headers for HEAD and does not read the response body', async () => {
    let isCancelled = false;
    const { sendRequest, log } = await startServer(async () => {
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(Buffer.from('a body')),
        cancel: () => void (isCancelled = true),
      });
      return new Response(body, { headers: { 'content-length': '6' } });
    });
    const responseText = await sendRequest('HEAD /logged HTTP/1.1');
    expect(responseText).toMatch(/^HTTP\/1\.1 200 OK\r\ncontent-length: 6\r\n[^]*\r\n\r\n$/);
    expect(isCancelled).toBe(true);
    expect(log).toEqual([expect.stringMatching(/^HEAD \/logged 200 \d+ ms 0 bytes id id-1$/)]);
  });

  it('logs a request if its path is logged or the request failed', async () => {
    const { sendRequest, log } = await startServer(
      async ({ url }) => new Response('four', { status: url.endsWith('failed') ? 400 : 399 }),
    );
    const longPath = `/logged/${'x'.repeat(200)}`;
    for (const path of ['/quiet', '/failed', '/logged?of=4', longPath])
      await sendRequest(`GET ${path} HTTP/1.1\r\nX-Request-ID: mine`);
    expect(log).toEqual([
      expect.stringMatching(/^GET \/failed 400 \d+ ms 4 bytes id mine$/),
      expect.stringMatching(/^GET \/logged 399 \d+ ms 4 bytes id mine$/),
      expect.stringMatching(`^GET ${longPath.slice(0, 128)} 399 `),
    ]);
  });

  it('redirects other names of this machine to the host where the sessions are stored', async () => {
    const playground = await startTestPlayground();
    const responseText = await playground.sendRaw(
      `GET /s/1?x=2 HTTP/1.1\r\nHost: localhost:${playground.port}\r\nConnection: close\r\n\r\n`,
    );
    await playground.close();
    expect(responseText).toMatch(/^HTTP\/1\.1 307 Temporary Redirect\r\n/);
    expect(responseText).toContain(`\r\nlocation: http://127.0.0.1:${playground.port}/s/1?x=2\r\n`);
    expect(responseText).toMatch(/\r\n\r\n$/);
  });
});
