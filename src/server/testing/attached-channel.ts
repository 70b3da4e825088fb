import { once } from 'node:events';
import { createServer } from 'node:http';

import { onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';

import { decodeBytesFrame } from '../../lib/channel/frames.ts';
import { until } from '../../testing/wait-until.ts';
import { createChannel, type ChannelParts, type PageRuns, type RanRun } from '../channel/server-channel.ts';

/** A channel over real sockets; unless the test says otherwise its gateway answers nothing until it is left. */
export async function aChannel(parts: Partial<Pick<ChannelParts, 'handle' | 'now' | 'stalledMs'>> = {}) {
  const ended: string[] = [];
  const ran: RanRun[] = [];
  const asked: Request[] = [];
  const channel = createChannel({
    name: 'n',
    owner: 'one',
    stalledMs: 0,
    now: () => performance.now(),
    requestOf: (_ask, body, signal) => {
      const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, signal, duplex: 'half' };
      const request = new Request('http://never.test/', init);
      asked.push(request);
      return request;
    },
    handle: (request) =>
      new Promise((_, reject) => {
        request.signal.addEventListener('abort', () => reject(new Error('left')));
      }),
    ran: (run) => void ran.push(run),
    ended: () => void ended.push('ended'),
    ...parts,
  });
  const http = createServer();
  const sockets = new WebSocketServer({ server: http });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    channel.end();
    for (const socket of sockets.clients) socket.terminate();
    http.close();
  });
  const address = http.address();
  const port = typeof address === 'object' ? address?.port : undefined;

  /** The page's end and the server's, which goes on with these runs. */
  async function connect(known: PageRuns = []) {
    const page = new WebSocket(`ws://127.0.0.1:${port}`);
    const heard: string[] = [];
    const pieces: NonNullable<ReturnType<typeof decodeBytesFrame>>[] = [];
    page.on('message', (data: Buffer, isBinary) => {
      heard.push(data.toString());
      const piece = isBinary ? decodeBytesFrame(data) : undefined;
      if (piece) pieces.push(piece);
    });
    const served = await new Promise<WebSocket>((resolve) => sockets.once('connection', resolve));
    if (page.readyState !== WebSocket.OPEN) await once(page, 'open');
    const isTaken = channel.attach(served, known);
    const closed = once(served, 'close');
    const say = (frame: object) => page.send(JSON.stringify(frame));
    const ask = async (run: number, bytes = 0) => {
      say({ run, path: '/v1/embeddings', accept: '*/*', bytes });
      await until(() => asked.length === run);
    };
    /** All that was said until now was heard, on both sides. */
    const saidAndHeard = async () => {
      page.ping();
      await once(page, 'pong');
    };
    return { page, heard, pieces, isTaken, closed, say, ask, saidAndHeard };
  }
  return { channel, connect, ended, ran, asked };
}
