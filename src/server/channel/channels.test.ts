/** Which connections are kept, for how long, and what is left of one that is closed. */
import { once } from 'node:events';
import { createServer } from 'node:http';

import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket, WebSocketServer, type ClientOptions } from 'ws';

import { timersLeft, until } from '../../testing/wait-until.ts';
import { createChannels, type ChannelVisitor } from './channels.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** All channels of a server, whose visitors come over real sockets. */
async function served(visitor: Partial<ChannelVisitor> = {}) {
  const channels = createChannels({ stalledMs: 0 });
  const http = createServer();
  const sockets = new WebSocketServer({ server: http });
  const arrivals = new Map<string | undefined, (socket: WebSocket) => void>();
  sockets.on('connection', (socket, { url }) => {
    arrivals.get(url)?.(socket);
    channels.connect(socket, {
      owner: 'one',
      endsAt: undefined,
      requestOf: () => new Request('http://never.test'),
      handle: async () => new Response(),
      ran: () => undefined,
      ...visitor,
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    channels.end();
    http.close();
  });
  const address = http.address();
  const port = typeof address === 'object' ? address?.port : undefined;

  async function connect(options: ClientOptions = {}) {
    const path = `/${arrivals.size}`;
    const arrived = new Promise<WebSocket>((resolve) => arrivals.set(path, resolve));
    const page = new WebSocket(`ws://127.0.0.1:${port}${path}`, options);
    const opened = once(page, 'open');
    const closed = new Promise<number>((resolve) => page.once('close', resolve));
    let pings = 0;
    page.on('ping', () => (pings += 1));
    const there = await arrived;
    await opened;
    const leftHere = once(there, 'close');
    const isHeard = async () => {
      page.ping();
      await once(page, 'pong');
    };
    return { page, closed, leftHere, pings: () => pings, isHeard };
  }
  return { channels, connect };
}

const first = '{"runs":[]}';

it('a session that ends closes its channel', async () => {
  const { connect } = await served({ endsAt: Date.now() + 10_000 });
  const { page, closed, isHeard } = await connect();
  page.send(first);
  await isHeard();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await closed).toBe(4000);
});

it('a connection that answers neither of two pings is ended, one that answers is kept', async () => {
  const { connect } = await served();
  const there = await connect();
  const gone = await connect({ autoPong: false });
  for (const { page, isHeard } of [there, gone]) {
    page.send(first);
    await isHeard();
  }
  await vi.advanceTimersByTimeAsync(15_000);
  await until(() => there.pings() === 1 && gone.pings() === 1);
  await there.isHeard();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await gone.closed).toBe(1006);
  await there.isHeard();
  expect(there.page.readyState).toBe(WebSocket.OPEN);
});

it('a connection that says nothing for ten seconds is ended', async () => {
  const { connect } = await served();
  const { closed, isHeard } = await connect();
  await vi.advanceTimersByTimeAsync(9999);
  await isHeard();
  await vi.advanceTimersByTimeAsync(1);
  expect(await closed).toBe(1006);
});

it('nothing is waited for any more once a connection is closed', async () => {
  const { connect } = await served({ endsAt: Date.now() + 86_400_000 });
  const sessions = timersLeft((ms) => ms > 80_000_000 && ms <= 86_400_000);
  const patience = timersLeft((ms) => ms === 10_000);
  const { page, closed, leftHere, isHeard } = await connect();
  page.send(first);
  await isHeard();
  expect([sessions(), patience()]).toEqual([1, 0]);
  page.close(1000);
  await Promise.all([closed, leftHere]);
  expect([sessions(), patience()]).toEqual([0, 0]);
});

it('a first frame in bytes opens nothing, whatever they say', async () => {
  const { connect } = await served();
  const { page, closed } = await connect();
  page.send(Buffer.from(first));
  expect(await closed).toBe(4000);
});

it('while the server stops there is no room, what is open ends, and what has not yet begun never does', async () => {
  const { channels, connect } = await served();
  const idle = await connect();
  idle.page.send(first);
  await idle.isHeard();
  const late = await connect();
  expect(channels.isFull()).toBe(false);
  channels.drain();
  expect(channels.isFull()).toBe(true);
  expect(await idle.closed).toBe(4000);
  late.page.send(first);
  expect(await late.closed).toBe(4000);
});

it('there is room for 1,024 channels, also of pages that are gone for a moment, and for no more', async () => {
  const { channels, connect } = await served();
  const visit = async () => {
    const { page, isHeard, leftHere } = await connect();
    page.send(first);
    await isHeard();
    page.terminate();
    await leftHere;
  };
  for (let count = 0; count < 1023; count += 33) await Promise.all(Array.from({ length: 33 }, visit));
  expect(channels.isFull()).toBe(false);
  await visit();
  expect(channels.isFull()).toBe(true);
});
