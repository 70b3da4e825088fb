/** What a channel asks of the playground behind it, and what it says where that fails. */
import { createServer } from 'node:http';

import { expect, it, onTestFinished } from 'vitest';

import { createChannel } from '../../gateway/channel/channel.ts';
import { channelSockets } from '../../testing/channel-sockets.ts';
import { until } from '../../testing/until.ts';
import { readConfig } from '../config.ts';
import { guardSettings } from '../guard/allowed-hosts.ts';
import { listen } from '../http-server.ts';
import { createPlayground, type Playground } from '../playground.ts';
import { createUpgradeListener } from './upgrade.ts';

/** The page's channel to a server whose playground handles requests so. */
async function aChannel(handle: Playground['handle']) {
  const config = readConfig(() => undefined, { port: 0 });
  const playground = createPlayground(config, '0.0.0');
  const log: string[] = [];
  let port = 0;
  const server = createServer();
  server.on(
    'upgrade',
    createUpgradeListener({
      guard: () => guardSettings(config, port),
      playground: async () => ({ ...playground, handle }),
      newId: () => 'new',
      log: (line) => void log.push(line),
    }),
  );
  port = await listen(server, '127.0.0.1', 0);
  const sockets = channelSockets(`http://127.0.0.1:${port}`);
  const channel = createChannel({ openSocket: sockets.open, now: () => performance.now() });
  onTestFinished(async () => {
    channel.leave();
    playground.channels.end();
    server.close();
    await playground.close();
  });
  const ask = async (signal = new AbortController().signal, requestId?: string) => {
    expect(await channel.isThere()).toBe(true);
    return channel.ask({
      path: '/v1/embeddings',
      accept: 'application/json',
      requestId,
      body: '{"model":"m"}',
      signal,
    });
  };
  return { log, ask, port };
}

it('a request comes as a POST of the same page would', async () => {
  const asked: Request[] = [];
  const bodies: string[] = [];
  const { ask, log, port } = await aChannel(async (request, context) => {
    asked.push(request);
    bodies.push(await request.text());
    expect(context.remoteAddress).toBe('127.0.0.1');
    return new Response('{}');
  });
  await (await ask()).text();
  await (await ask(undefined, 'mine')).text();
  const line = `POST http://127.0.0.1:${port}/gateway/v1/embeddings`;
  expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([line, line]);
  expect(Object.fromEntries(asked[0]?.headers ?? [])).toEqual({
    accept: 'application/json',
    'content-type': 'application/json',
    'content-length': '13',
    'x-request-id': 'new',
  });
  expect(bodies).toEqual(['{"model":"m"}', '{"model":"m"}']);
  await until(() => log.length === 2);
  expect(log[1]).toMatch(/^POST \/gateway\/v1\/embeddings 200 \d+ ms 2 bytes id mine channel$/);
});

it('an error of our own is told to the page in a sentence, and to the log in full', async () => {
  const { ask, log } = await aChannel(() => Promise.reject(new Error('a bug of ours')));
  const answer = await ask();
  expect(answer.status).toBe(502);
  const text = await answer.text();
  expect(text).toContain('The playground server could not handle this request.');
  expect(text).not.toContain('a bug of ours');
  await until(() => log.length === 2);
  expect(log[0]).toMatch(/^internal error: Error: a bug of ours\n/);
});

it('what nobody handles is not found', async () => {
  const { ask } = await aChannel(async () => undefined);
  const answer = await ask();
  expect(answer.status).toBe(404);
  expect(await answer.text()).toContain('not_found');
});

it('a visitor who leaves is not logged as an error', async () => {
  const stop = new AbortController();
  const { ask, log } = await aChannel(
    (request) =>
      new Promise((_, reject) => {
        request.signal.addEventListener('abort', () => reject(new Error('left')));
        stop.abort(new Error('stopped'));
      }),
  );
  await expect(ask(stop.signal)).rejects.toThrow('stopped');
  await until(() => log.length > 0);
  expect(log).toEqual([expect.stringMatching(/ channel client-abort$/)]);
});
