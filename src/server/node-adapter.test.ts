import type { Server } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

import { afterEach, describe, expect, it } from 'vitest';

import { createHttpServer, listen } from './http-server.ts';
import { createNodeListener, type NodeAdapterOptions } from './node-adapter.ts';
import { servedPlayground } from './testing/served-playground.ts';

let running: Server | undefined;

afterEach(async () => {
  running?.closeAllConnections();
  await new Promise((resolve) => running?.close(resolve) ?? resolve(undefined));
  running = undefined;
});

/** A server that answers under any name, as one does whose visitors show a key. */
async function served(
  handle: NodeAdapterOptions['handle'],
  next?: (end: (words: string) => void) => void,
): Promise<{ answerTo: (head: string, body?: string) => Promise<string>; log: string[] }> {
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
  const answerTo = async (head: string, body = '') => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`${head}\r\nHost: any\r\nConnection: close\r\n\r\n${body}`);
    const answer = await text(socket);
    return answer;
  };
  return { answerTo, log };
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
    const { answerTo, log } = await served(async () => {
      throw failure;
    });
    const answer = await answerTo('GET /a HTTP/1.1');
    expect(statusLine(answer)).toBe('HTTP/1.1 502 Bad Gateway');
    expect(answer).toContain('The playground server could not handle this request.');
    expect(answer).not.toContain('boom');
    expect(log[0]).toMatch(line);
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
    for (const path of ['/quiet', '/failed', '/logged?of=4'])
      await answerTo(`GET ${path} HTTP/1.1\r\nX-Request-ID: mine`);
    expect(log).toEqual([
      expect.stringMatching(/^GET \/failed 400 \d+ ms 4 bytes id mine$/),
      expect.stringMatching(/^GET \/logged 399 \d+ ms 4 bytes id mine$/),
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
