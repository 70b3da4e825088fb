import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import { WebSocketServer } from 'ws';

import { channelProtocol, demoHeader, maxFrameBytes } from '../../lib/channel/frames.ts';
import { judgeUpgrade, type GuardSettings } from '../guard/guard.ts';
import { refuseConnection } from '../http-server.ts';
import { internalErrorLine, requestLine } from '../node-adapter.ts';
import type { Playground } from '../playground-handler.ts';
import type { OwnError } from '../proxy/error-response.ts';
import { errorResponse } from '../proxy/error-response.ts';
import { requestIdOf } from '../proxy/request-id.ts';
import type { Ask } from './server-channel.ts';

export interface UpgradeOptions {
  guard: () => GuardSettings;
  playground: () => Promise<Pick<Playground, 'channels' | 'handle' | 'visitorOf'>>;
  newId: () => string;
  /** One line a request, without content. */
  log: (line: string) => void;
}

/** What the longest frame of a page may be: a piece of a body, or the state of all of its runs. */
const MAX_FRAME_BYTES = maxFrameBytes + 1024;

/** The one upgrade there is: judged like a POST, then a channel. All others are refused. */
export function createUpgradeListener(
  options: UpgradeOptions,
): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
    handleProtocols: () => channelProtocol,
  });

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { method = '', url: target = '', rawHeaders } = request;
    const verdict = judgeUpgrade({ method, target, rawHeaders }, options.guard());
    if (verdict.name === 'refused') return refuseConnection(socket, verdict.error);
    if (verdict.name === 'redirected') return refuseConnection(socket, notFound);
    const playground = await options.playground();
    const { cookie } = request.headers;
    const origin = `http://${verdict.host}`;
    const visitor = playground.visitorOf(new Request(origin + target, { headers: { cookie: cookie ?? '' } }));
    if (visitor === undefined) return refuseConnection(socket, loginRequired);
    if (playground.channels.isFull()) return refuseConnection(socket, full);
    const remoteAddress = request.socket.remoteAddress ?? '';
    sockets.handleUpgrade(request, socket, head, (channelSocket) => {
      playground.channels.connect(channelSocket, {
        ...visitor,
        requestOf: (ask, body, signal) =>
          requestOf(ask, body, { signal, origin, cookie, newId: options.newId }),
        async handle(asked, sent) {
          try {
            const response = await playground.handle(asked, { remoteAddress, sent });
            return response ?? errorResponse(notFound);
          } catch (error) {
            if (asked.signal.aborted) throw error;
            options.log(internalErrorLine(error));
            return errorResponse(internal);
          }
        },
        ran: ({ request: asked, status, ms, bytes, outcome }) => {
          const id = asked.headers.get('x-request-id') ?? '';
          const path = new URL(asked.url).pathname;
          const what = outcome === 'whole' ? 'channel' : `channel ${outcome}`;
          options.log(requestLine({ method: asked.method, path, status, ms, bytes, id, outcome: what }));
        },
      });
    });
  }

  return (request, socket, head) => {
    socket.on('error', () => undefined);
    upgrade(request, socket, head).catch(() => socket.destroy());
  };
}

/** As a POST of the same page would arrive. */
function requestOf(
  ask: Ask,
  body: ReadableStream<Uint8Array>,
  {
    signal,
    origin,
    cookie,
    newId,
  }: { signal: AbortSignal; origin: string; cookie: string | undefined; newId: () => string },
): Request {
  const headers = new Headers({
    accept: ask.accept,
    'content-type': 'application/json',
    'content-length': String(ask.bytes),
    'x-request-id': requestIdOf(ask.requestId, newId),
  });
  if (cookie !== undefined) headers.set('cookie', cookie);
  if (ask.demo === true) headers.set(demoHeader, '1');
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, signal, duplex: 'half' };
  return new Request(`${origin}/gateway${ask.path}`, init);
}

const notFound: OwnError = { type: 'not_found', message: 'Nothing found at this address.' };
const loginRequired: OwnError = {
  type: 'login_required',
  message: 'This playground requires its password.',
};
const full: OwnError = { type: 'too_many_streams', message: 'Too many channels are open on this server.' };
const internal: OwnError = {
  type: 'gateway_unreachable',
  message: 'The playground server could not handle this request.',
};
