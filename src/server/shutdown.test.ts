/** Signals stop accepting, let running answers finish for a while and exit with 0; a second signal ends immediately. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { countTimers, waitUntil } from '../testing/wait-until.ts';
import { createShutdownHandler } from './shutdown.ts';

const graceMs = 10_007;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Starts a server with one answer in flight and begins its shutdown. */
async function startShutdownDuringResponse() {
  let nowMs = 5000;
  const codes: number[] = [];
  let resolveExit = (): void => undefined;
  const exit = new Promise<void>((resolve) => {
    resolveExit = resolve;
  });
  const { server, response, socket } = await startRespondingServer();
  const stop = createShutdownHandler({
    server,
    graceMs,
    now: () => nowMs,
    exit: (code) => {
      codes.push(code);
      resolveExit();
    },
  });
  return { server, response, socket, stop, codes, exit, advanceTime: (ms: number) => (nowMs += ms) };
}

async function startServer(): Promise<{ server: Server; port: number }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return { server, port: address.port };
}

async function startRespondingServer(): Promise<{
  server: Server;
  response: ServerResponse;
  socket: Socket;
}> {
  const { server, port } = await startServer();
  const socket = connect(port, '127.0.0.1');
  const response = await new Promise<ServerResponse>((resolve) => {
    server.once('request', (_request, serverResponse) => resolve(serverResponse));
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  });
  response.write('first');
  await new Promise((resolve) => socket.once('data', resolve));
  return { server, response, socket };
}

const waitForClose = (socket: Socket) =>
  new Promise<void>((resolve) => socket.once('close', () => resolve()));

/** Counts only the timers of this server, since other test files in this worker may have some. */
async function expectNoMoreChecks(server: Server): Promise<void> {
  const spies = [vi.spyOn(server, 'closeIdleConnections'), vi.spyOn(server, 'closeAllConnections')];
  await vi.advanceTimersByTimeAsync(2 * graceMs);
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
}

describe('first signal', () => {
  it('stops accepting connections, lets the answer finish, closes its connection and exits with 0', async () => {
    const { server, response, socket, stop, codes, exit } = await startShutdownDuringResponse();
    const closed = waitForClose(socket);
    stop('SIGTERM');
    expect([server.listening, codes, socket.destroyed]).toEqual([false, [], false]);

    await new Promise<void>((resolve) => response.end('last', resolve));
    // The connection may be reused, so only the next idle check closes it.
    await vi.advanceTimersByTimeAsync(50);
    await Promise.all([closed, exit]);
    expect(codes).toEqual([0]);
    await expectNoMoreChecks(server);
  });

  it('closes connections that a browser opened in advance', async () => {
    const { server, port } = await startServer();
    const countGraceTimers = countTimers((ms) => ms === graceMs);
    const exitCodePromise = new Promise<number>((resolve) => {
      const stop = createShutdownHandler({ server, graceMs, now: () => 0, exit: resolve });
      server.once('connection', () => stop('SIGINT'));
    });
    const closed = waitForClose(connect(port, '127.0.0.1'));
    await waitUntil(() => countGraceTimers() === 1);
    await vi.advanceTimersByTimeAsync(50);
    await closed;
    expect(await exitCodePromise).toBe(0);
  });

  it('keeps a connection opened in advance once it carries a request', async () => {
    const { server, port } = await startServer();
    const exitCodePromise = new Promise<number>((resolve) => {
      const stop = createShutdownHandler({ server, graceMs, now: () => 0, exit: resolve });
      server.once('request', (_request, response) => {
        response.write('first');
        stop('SIGTERM');
        void vi.advanceTimersByTimeAsync(200).then(() => response.end(' and last'));
      });
    });
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await text(socket)).toMatch(/first[^]* and last/);
    expect(await exitCodePromise).toBe(0);
  });

  it('drains channels and ends them after the grace period', async () => {
    const { server, port } = await startServer();
    const calls: string[] = [];
    let upgradedSocket: Duplex | undefined;
    const channels = {
      drain: () => void calls.push('drain'),
      end: () => {
        calls.push('end');
        upgradedSocket?.destroy();
      },
    };
    const exitCodePromise = new Promise<number>((resolve) => {
      const stop = createShutdownHandler({ server, channels, graceMs, now: () => 0, exit: resolve });
      server.once('upgrade', (_request, socket) => {
        upgradedSocket = socket;
        stop('SIGTERM');
      });
    });
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    await waitUntil(() => upgradedSocket !== undefined);
    await vi.advanceTimersByTimeAsync(graceMs - 1);
    expect([calls, upgradedSocket?.destroyed]).toEqual([['drain'], false]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await exitCodePromise).toBe(0);
    expect(calls).toEqual(['drain', 'end']);
  });

  it('cuts answers that are still running after the grace period and exits with 0', async () => {
    const { server, socket, stop, codes, exit } = await startShutdownDuringResponse();
    const closed = waitForClose(socket);
    stop('SIGINT');
    await vi.advanceTimersByTimeAsync(graceMs - 1);
    expect([codes, socket.destroyed]).toEqual([[], false]);

    await vi.advanceTimersByTimeAsync(1);
    await Promise.all([closed, exit]);
    expect(codes).toEqual([0]);
    await expectNoMoreChecks(server);
  });
});

describe('second signal', () => {
  it.each([
    ['SIGTERM', 'SIGTERM', 0, [143]],
    ['SIGTERM', 'SIGINT', 0, [130]],
    ['SIGINT', 'SIGTERM', 0, [143]],
    ['SIGINT', 'SIGINT', 200, [130]],
    // The terminal and npm both forward one press of Ctrl+C.
    ['SIGINT', 'SIGINT', 199, []],
  ] as const)(
    'ends immediately or detects the same key press: %s, then %s after %i ms',
    async (firstSignal, secondSignal, ms, expected) => {
      const { server, stop, codes, advanceTime } = await startShutdownDuringResponse();
      stop(firstSignal);
      advanceTime(ms);
      stop(secondSignal);
      expect(codes).toEqual(expected);
      server.closeAllConnections();
    },
  );
});
