import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import { WebSocketServer } from 'ws';

import { channelProtocol, demoHeader, maxFrameBytes } from '../../lib/channel-frames.ts';
import { checkUpgrade, type GuardSettings } from '../guard/guard.ts';
import { rejectConnection } from '../http-server.ts';
import { formatErrorLine, formatRequestLine } from '../node-adapter.ts';
import type { PlaygroundHandler } from '../playground-handler.ts';
import type { ServerError } from '../proxy/error-response.ts';
import { createErrorResponse } from '../proxy/error-response.ts';
import { getOrCreateRequestId } from '../proxy/request-id.ts';
import type { RunRequestFrame } from './server-channel.ts';

export interface UpgradeOptions {
  getGuardSettings: () => GuardSettings;
  getPlayground: () => Promise<Pick<PlaygroundHandler, 'channels' | 'handle' | 'identifyOwner'>>;
  createId: () => string;
  /** Logs one line per request, without content. */
  log: (line: string) => void;
}

/** Maximum frame size: a piece of a body or the state of all runs. */
const MAX_FRAME_BYTES = maxFrameBytes + 1024;

/** Handles upgrade requests: those for the channel are checked in the same way as a POST, all others are rejected. */
export function createUpgradeListener(
  options: UpgradeOptions,
): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
  const webSocketServer = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
    handleProtocols: () => channelProtocol,
  });

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { method = '', url: target = '', rawHeaders } = request;
    const decision = checkUpgrade({ method, target, rawHeaders }, options.getGuardSettings());
    if (decision.name === 'refused') return rejectConnection(socket, decision.error);
    if (decision.name === 'redirected') return rejectConnection(socket, notFound);
    const playground = await options.getPlayground();
    const { cookie } = request.headers;
    const origin = `http://${decision.host}`;
    const peer = playground.identifyOwner(
      new Request(origin + target, { headers: { cookie: cookie ?? '' } }),
    );
    if (peer === undefined) return rejectConnection(socket, loginRequired);
    if (playground.channels.isFull()) return rejectConnection(socket, channelsFull);
    const remoteAddress = request.socket.remoteAddress ?? '';
    webSocketServer.handleUpgrade(request, socket, head, (channelSocket) => {
      playground.channels.connect(channelSocket, {
        ...peer,
        createRequest: (frame, body, signal) =>
          createChannelRequest(frame, body, { signal, origin, cookie, createId: options.createId }),
        async handle(channelRequest, onSent) {
          try {
            const response = await playground.handle(channelRequest, { remoteAddress, onSent });
            return response ?? createErrorResponse(notFound);
          } catch (error) {
            if (channelRequest.signal.aborted) throw error;
            options.log(formatErrorLine(error));
            return createErrorResponse(internalError);
          }
        },
        onRunEnd: ({ request: channelRequest, status, durationMs, bytes, outcome }) => {
          const id = channelRequest.headers.get('x-request-id') ?? '';
          const path = new URL(channelRequest.url).pathname;
          const outcomeLabel = outcome === 'whole' ? 'channel' : `channel ${outcome}`;
          options.log(
            formatRequestLine({
              method: channelRequest.method,
              path,
              status,
              durationMs,
              bytes,
              id,
              outcome: outcomeLabel,
            }),
          );
        },
      });
    });
  }

  return (request, socket, head) => {
    socket.on('error', () => undefined);
    upgrade(request, socket, head).catch(() => socket.destroy());
  };
}

/** Creates the same request as a POST from this page. */
function createChannelRequest(
  frame: RunRequestFrame,
  body: ReadableStream<Uint8Array>,
  {
    signal,
    origin,
    cookie,
    createId,
  }: { signal: AbortSignal; origin: string; cookie: string | undefined; createId: () => string },
): Request {
  const headers = new Headers({
    accept: frame.accept,
    'content-type': 'application/json',
    'content-length': String(frame.bytes),
    'x-request-id': getOrCreateRequestId(frame.requestId, createId),
  });
  if (cookie !== undefined) headers.set('cookie', cookie);
  if (frame.demo === true) headers.set(demoHeader, '1');
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, signal, duplex: 'half' };
  return new Request(`${origin}/gateway${frame.path}`, init);
}

const notFound: ServerError = { type: 'not_found', message: 'Nothing found at this address.' };
const loginRequired: ServerError = {
  type: 'login_required',
  message: 'Bench requires a password.',
};
const channelsFull: ServerError = {
  type: 'too_many_streams',
  message: 'Too many channels are open on this server.',
};
const internalError: ServerError = {
  type: 'gateway_unreachable',
  message: 'The Bench server could not handle this request.',
};
