/** Lifetime of channels: which are kept, for how long, and what remains of a closed one. */
import { once } from 'node:events';
import { createServer } from 'node:http';

import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket, WebSocketServer, type ClientOptions } from 'ws';

import { countTimers, waitUntil } from '../../testing/wait-until.ts';
import { createChannels, type ChannelPeer } from './channels.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Creates the channels of a server with clients on real sockets. */
async function startChannels(peer: Partial<ChannelPeer> = {}) {
  const channels = createChannels({ stallTimeoutMs: 0 });
  const httpServer = createServer();
  const webSocketServer = new WebSocketServer({ server: httpServer });
  const arrivalHandlers = new Map<string | undefined, (socket: WebSocket) => void>();
  webSocketServer.on('connection', (socket, { url }) => {
    arrivalHandlers.get(url)?.(socket);
    channels.connect(socket, {
      owner: 'one',
      endsAt: undefined,
      createRequest: () => new Request('http://never.test'),
      handle: async () => new Response(),
      onRunEnd: () => undefined,
      ...peer,
    });
  });
  await new Promise<void>((resolve) => httpServer.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    channels.end();
    httpServer.close();
  });
  const address = httpServer.address();
  const port = typeof address === 'object' ? address?.port : undefined;

  async function connect(options: ClientOptions = {}) {
    const path = `/${arrivalHandlers.size}`;
    const serverSocketArrival = new Promise<WebSocket>((resolve) => arrivalHandlers.set(path, resolve));
    const page = new WebSocket(`ws://127.0.0.1:${port}${path}`, options);
    const pageOpening = once(page, 'open');
    const closed = new Promise<number>((resolve) => page.once('close', resolve));
    let pingCount = 0;
    page.on('ping', () => (pingCount += 1));
    const serverSocket = await serverSocketArrival;
    await pageOpening;
    const serverClose = once(serverSocket, 'close');
    const waitForPong = async () => {
      page.ping();
      await once(page, 'pong');
    };
    return { page, closed, serverClose, getPingCount: () => pingCount, waitForPong };
  }
  return { channels, connect };
}

const firstFrame = '{"runs":[]}';

it('closes a channel when its login session ends', async () => {
  const { connect } = await startChannels({ endsAt: Date.now() + 10_000 });
  const { page, closed, waitForPong } = await connect();
  page.send(firstFrame);
  await waitForPong();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await closed).toBe(4000);
});

it('ends a connection that misses two pings in a row and keeps one that answers', async () => {
  const { connect } = await startChannels();
  const responsive = await connect();
  const unresponsive = await connect({ autoPong: false });
  for (const { page, waitForPong } of [responsive, unresponsive]) {
    page.send(firstFrame);
    await waitForPong();
  }
  await vi.advanceTimersByTimeAsync(15_000);
  await waitUntil(() => responsive.getPingCount() === 1 && unresponsive.getPingCount() === 1);
  await responsive.waitForPong();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await unresponsive.closed).toBe(1006);
  await responsive.waitForPong();
  expect(responsive.page.readyState).toBe(WebSocket.OPEN);
});

it('ends a connection that sends nothing for ten seconds', async () => {
  const { connect } = await startChannels();
  const { closed, waitForPong } = await connect();
  await vi.advanceTimersByTimeAsync(9999);
  await waitForPong();
  await vi.advanceTimersByTimeAsync(1);
  expect(await closed).toBe(1006);
});

it('clears its timers once a connection is closed', async () => {
  const { connect } = await startChannels({ endsAt: Date.now() + 86_400_000 });
  const countSessionTimers = countTimers((ms) => ms > 80_000_000 && ms <= 86_400_000);
  const countFirstFrameTimers = countTimers((ms) => ms === 10_000);
  const { page, closed, serverClose, waitForPong } = await connect();
  page.send(firstFrame);
  await waitForPong();
  expect([countSessionTimers(), countFirstFrameTimers()]).toEqual([1, 0]);
  page.close(1000);
  await Promise.all([closed, serverClose]);
  expect([countSessionTimers(), countFirstFrameTimers()]).toEqual([0, 0]);
});

it('rejects a binary frame as the first frame', async () => {
  const { connect } = await startChannels();
  const { page, closed } = await connect();
  page.send(Buffer.from(firstFrame));
  expect(await closed).toBe(4000);
});

it('ends idle channels and accepts no new channels while the server stops', async () => {
  const { channels, connect } = await startChannels();
  const idle = await connect();
  idle.page.send(firstFrame);
  await idle.waitForPong();
  const late = await connect();
  expect(channels.isFull()).toBe(false);
  channels.drain();
  expect(channels.isFull()).toBe(true);
  expect(await idle.closed).toBe(4000);
  late.page.send(firstFrame);
  expect(await late.closed).toBe(4000);
});

it('allows at most 1,024 channels, including those of disconnected pages', async () => {
  const { channels, connect } = await startChannels();
  const openAndDropConnection = async () => {
    const { page, waitForPong, serverClose } = await connect();
    page.send(firstFrame);
    await waitForPong();
    page.terminate();
    await serverClose;
  };
  for (let count = 0; count < 1023; count += 33)
    await Promise.all(Array.from({ length: 33 }, openAndDropConnection));
  expect(channels.isFull()).toBe(false);
  await openAndDropConnection();
  expect(channels.isFull()).toBe(true);
});
