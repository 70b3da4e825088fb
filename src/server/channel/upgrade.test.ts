/** Requests that a channel passes to its playground, and the responses when they fail. */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';

import { createChannelClient, type ChannelRequest } from '../../gateway/channel/channel-client.ts';
import { createChannelSockets } from '../../testing/channel-sockets.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { readConfig } from '../config.ts';
import { createGuardSettings } from '../guard/allowed-hosts.ts';
import { listen } from '../http-server.ts';
import { createPlaygroundHandler, type PlaygroundHandler } from '../playground-handler.ts';
import { createUpgradeListener } from './upgrade.ts';

/** Opens a page's channel to a server with this request handler. */
async function createTestChannel(handle: PlaygroundHandler['handle'], isBroken = false) {
  const config = readConfig(() => undefined, { port: 0 });
  const playground = createPlaygroundHandler(config, '0.0.0');
  const patchedPlayground = { ...playground, handle };
  const log: string[] = [];
  let port = 0;
  const server = createServer();
  server.on(
    'upgrade',
    createUpgradeListener({
      getGuardSettings: () => createGuardSettings(config, port),
      getPlayground: isBroken ? () => Promise.reject(new Error('not built')) : async () => patchedPlayground,
      createId: () => 'new',
      log: (line) => void log.push(line),
    }),
  );
  port = await listen(server, '127.0.0.1', 0);
  const sockets = createChannelSockets(`http://127.0.0.1:${port}`);
  const channel = createChannelClient({ openSocket: sockets.open, now: () => performance.now() });
  onTestFinished(async () => {
    channel.closeAll();
    playground.channels.end();
    server.close();
    await playground.close();
  });
  const sendRequest = async (overrides: Partial<ChannelRequest> = {}) => {
    expect(await channel.ensureConnected()).toBe(true);
    return channel.send({
      path: '/v1/embeddings',
      accept: 'application/json',
      requestId: undefined,
      body: '{"model":"m"}',
      signal: new AbortController().signal,
      ...overrides,
    });
  };
  return { log, sendRequest, port, channels: playground.channels };
}

it('creates the same request as a POST from the page', async () => {
  const requests: Request[] = [];
  const bodies: string[] = [];
  const { sendRequest, log, port } = await createTestChannel(async (request, context) => {
    requests.push(request);
    bodies.push(await request.text());
    expect(context.remoteAddress).toBe('127.0.0.1');
    return new Response('{}');
  });
  await (await sendRequest()).text();
  await (await sendRequest({ requestId: 'mine' })).text();
  await (await sendRequest({ isDemo: true })).text();
  const line = `POST http://127.0.0.1:${port}/gateway/v1/embeddings`;
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([line, line, line]);
  expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
    accept: 'application/json',
    'content-type': 'application/json',
    'content-length': '13',
    'x-request-id': 'new',
  });
  expect(requests.map(({ headers }) => headers.get('x-gateway-demo'))).toEqual([null, null, '1']);
  expect(new Set(bodies)).toEqual(new Set(['{"model":"m"}']));
  await waitUntil(() => log.length === 3);
  expect(log[1]).toMatch(/^POST \/gateway\/v1\/embeddings 200 \d+ ms 2 bytes id mine channel$/);
});

it('reports an internal error to the page in one sentence and logs it in full', async () => {
  const { sendRequest, log } = await createTestChannel(() => Promise.reject(new Error('an internal bug')));
  const response = await sendRequest();
  expect(response.status).toBe(502);
  const text = await response.text();
  expect(text).toContain('The Bench server could not handle this request.');
  expect(text).not.toContain('an internal bug');
  await waitUntil(() => log.length === 2);
  expect(log[0]).toMatch(/^internal error: Error: an internal bug\n/);
});

it('answers a channel request with 404 if no handler responds', async () => {
  const { sendRequest } = await createTestChannel(async () => undefined);
  const response = await sendRequest();
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('not_found');
});

it('logs a disconnected client without an error', async () => {
  const stop = new AbortController();
  const { sendRequest, log } = await createTestChannel(
    (request) =>
      new Promise((_, reject) => {
        request.signal.addEventListener('abort', () => reject(new Error('left')));
        stop.abort(new Error('stopped'));
      }),
  );
  await expect(sendRequest({ signal: stop.signal })).rejects.toThrow('stopped');
  await waitUntil(() => log.length > 0);
  expect(log).toEqual([expect.stringMatching(/ channel client-abort$/)]);
});

describe('upgrade to a channel', () => {
  /** Returns the status and message of a rejected upgrade, or '' if the connection ends without a response. */
  async function fetchRejection(port: number): Promise<string> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/gateway/channel`, 'bench.1', {
      origin: `http://127.0.0.1:${port}`,
    });
    return new Promise((resolve) => {
      socket.on('error', () => resolve(''));
      socket.on('unexpected-response', (_request, response) => {
        void text(response).then((body) => resolve(`${response.statusCode} ${body}`));
      });
    });
  }

  it('rejects a channel with 503 while the server stops', async () => {
    const { channels, port } = await createTestChannel(async () => undefined);
    channels.drain();
    expect(await fetchRejection(port)).toMatch(/^503 .*Too many channels are open on this server\./);
  });

  it('closes the connection if the server cannot answer an upgrade request', async () => {
    const { port } = await createTestChannel(async () => undefined, true);
    expect(await fetchRejection(port)).toBe('');
  });
});
