import { once } from 'node:events';
import { createServer } from 'node:http';

import { onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';

import { decodeBytesFrame } from '../../lib/channel-frames.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import {
  createServerChannel,
  type ServerChannelDeps,
  type ClientRuns,
  type FinishedRun,
} from '../channel/server-channel.ts';

/** Creates a channel over real sockets; by default its gateway stays silent until disconnected. */
export async function createAttachedChannel(
  deps: Partial<Pick<ServerChannelDeps, 'handle' | 'now' | 'stallTimeoutMs'>> = {},
) {
  const endEvents: string[] = [];
  const finishedRuns: FinishedRun[] = [];
  const requests: Request[] = [];
  const channel = createServerChannel({
    name: 'n',
    owner: 'one',
    stallTimeoutMs: 0,
    now: () => performance.now(),
    createRequest: (_frame, body, signal) => {
      const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, signal, duplex: 'half' };
      const request = new Request('http://never.test/', init);
      requests.push(request);
      return request;
    },
    handle: (request) =>
      new Promise((_, reject) => {
        request.signal.addEventListener('abort', () => reject(new Error('left')));
      }),
    onRunEnd: (run) => void finishedRuns.push(run),
    onEnd: () => void endEvents.push('ended'),
    ...deps,
  });
  const httpServer = createServer();
  const webSocketServer = new WebSocketServer({ server: httpServer });
  await new Promise<void>((resolve) => httpServer.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    channel.end();
    for (const socket of webSocketServer.clients) socket.terminate();
    httpServer.close();
  });
  const address = httpServer.address();
  const port = typeof address === 'object' ? address?.port : undefined;

  /** Connects the page to the server, resuming these runs. */
  async function connect(clientRuns: ClientRuns = []) {
    const page = new WebSocket(`ws://127.0.0.1:${port}`);
    const receivedTexts: string[] = [];
    const bytesFrames: NonNullable<ReturnType<typeof decodeBytesFrame>>[] = [];
    page.on('message', (data: Buffer, isBinary) => {
      receivedTexts.push(data.toString());
      const bytesFrame = isBinary ? decodeBytesFrame(data) : undefined;
      if (bytesFrame) bytesFrames.push(bytesFrame);
    });
    const serverSocket = await new Promise<WebSocket>((resolve) =>
      webSocketServer.once('connection', resolve),
    );
    if (page.readyState !== WebSocket.OPEN) await once(page, 'open');
    const isAttached = channel.attach(serverSocket, clientRuns);
    const closed = once(serverSocket, 'close');
    const sendFrame = (frame: object) => page.send(JSON.stringify(frame));
    const sendRequest = async (run: number, bytes = 0) => {
      sendFrame({ run, path: '/v1/embeddings', accept: '*/*', bytes });
      await waitUntil(() => requests.length === run);
    };
    /** Resolves when everything sent so far has arrived on both sides. */
    const waitForRoundTrip = async () => {
      page.ping();
      await once(page, 'pong');
    };
    return { page, receivedTexts, bytesFrames, isAttached, closed, sendFrame, sendRequest, waitForRoundTrip };
  }
  return { channel, connect, endEvents, finishedRuns, requests };
}
