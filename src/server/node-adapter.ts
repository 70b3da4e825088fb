import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { checkRequest } from './guard/guard.ts';
import type { GuardSettings, GuardDecision } from './guard/guard.ts';
import { getTargetPath, findTargetProblem } from './guard/request-target.ts';
import { getByteSource } from './proxy/byte-source.ts';
import type { ByteSource } from './proxy/byte-source.ts';
import { API_HEADERS, formatErrorBody, createErrorResponse } from './proxy/error-response.ts';
import type { ServerError } from './proxy/error-response.ts';
import { getOrCreateRequestId } from './proxy/request-id.ts';
import type { RouteHandler } from './web-handler.ts';

export interface NodeAdapterOptions {
  /** Accepted hosts; `undefined` for a server that accepts any name because its clients send a key. */
  getGuardSettings?: () => GuardSettings;
  handle: RouteHandler;
  createId: () => string;
  /** Logs one line per request, without content. */
  log: (line: string) => void;
  /** Returns true if successful requests for this path are logged. */
  isLogged: (path: string) => boolean;
  /** Maximum time without progress before a slow client is disconnected; 0: no limit. */
  stallTimeoutMs?: number | undefined;
}

export const STALL_TIMEOUT_MS = 600_000;

/** Connections that accept no more requests: data after a rejected request or a cut upload might be smuggled. */
const closingSockets = new WeakSet<Duplex>();

/** Handles requests that no other handler has answered; if there is none, the client gets a 404. */
export type Next = () => void;

/** Adapts a web-standard handler to node:http; the guard checks the raw request first. */
export function createNodeListener(
  options: NodeAdapterOptions,
): (request: IncomingMessage, response: ServerResponse, next?: Next) => void {
  return (request, response, next) => {
    if (closingSockets.has(request.socket)) return;
    const decision = getGuardDecision(request, options.getGuardSettings?.());
    const id = getOrCreateRequestId(getHeader(request, 'x-request-id'), options.createId);
    const exchange: Exchange = {
      request,
      response,
      id,
      startedAtMs: performance.now(),
      bytes: 0,
      lastByteAtMs: 0,
      isBroken: false,
      abortController: new AbortController(),
      stallTimeoutMs: options.stallTimeoutMs ?? STALL_TIMEOUT_MS,
    };
    if (decision.name === 'redirected') {
      void send(
        exchange,
        new Response(null, {
          status: 307,
          headers: { ...API_HEADERS, location: decision.location, 'content-length': '0' },
        }),
      );
      return;
    }
    watchClose(exchange, options);
    if (decision.name === 'refused') {
      closingSockets.add(request.socket);
      sendErrorResponse(exchange, {
        ...decision.error,
        headers: { ...decision.error.headers, connection: 'close' },
      });
      return;
    }
    if (request.headers.expect !== undefined) response.writeContinue();
    void handleExchange(options, exchange, decision.host, next);
  };
}

function getGuardDecision(request: IncomingMessage, settings: GuardSettings | undefined): GuardDecision {
  const { method = 'GET', url: target = '/', rawHeaders } = request;
  if (settings !== undefined) return checkRequest({ method, target, rawHeaders }, settings);
  const problem = findTargetProblem(target);
  if (problem === undefined) return { name: 'allowed', host: 'localhost', path: getTargetPath(target) };
  return { name: 'refused', error: { type: 'invalid_request', message: problem } };
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  id: string;
  startedAtMs: number;
  /** Number of body bytes sent so far. */
  bytes: number;
  /** Time of the last sent byte, by performance.now(). */
  lastByteAtMs: number;
  /** The connection to the gateway ended prematurely. */
  isBroken: boolean;
  abortController: AbortController;
  stallTimeoutMs: number;
}

async function handleExchange(
  options: NodeAdapterOptions,
  exchange: Exchange,
  host: string,
  next: Next | undefined,
): Promise<void> {
  // Held until the end: the signal of a garbage-collected request never fires.
  let request: Request | undefined;
  try {
    request = createWebRequest(exchange, host);
    const context = { remoteAddress: exchange.request.socket.remoteAddress ?? '' };
    const response = await options.handle(request, context);
    if (response !== undefined) await send(exchange, response);
    else if (next === undefined)
      sendErrorResponse(exchange, { type: 'not_found', message: 'Nothing found at this address.' });
    else next();
  } catch (error) {
    const isUploadCut = exchange.request.destroyed && !exchange.request.complete;
    if (request?.signal.aborted === true || isUploadCut || exchange.response.headersSent) {
      exchange.response.destroy();
      return;
    }
    options.log(formatErrorLine(error));
    const message = 'The Bench server could not handle this request.';
    sendErrorResponse(exchange, { type: 'gateway_unreachable', message });
  }
}

function createWebRequest({ request, id, abortController }: Exchange, host: string): Request {
  const headers = new Headers();
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? '';
    if (!CONNECTION_HEADERS.has(name.toLowerCase()))
      headers.append(name, request.rawHeaders[index + 1] ?? '');
  }
  headers.set('x-request-id', id);
  const { method = 'GET' } = request;
  const init: RequestInit & { duplex: 'half' } = {
    method,
    headers,
    signal: abortController.signal,
    body: hasBody(request) ? createBodyStream(request) : null,
    duplex: 'half',
  };
  return new Request(`http://${host}${request.url ?? '/'}`, init);
}

const CONNECTION_HEADERS = new Set([
  'connection',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

function hasBody({ method = 'GET' }: IncomingMessage): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

function isStillArriving(request: IncomingMessage): boolean {
  return !request.complete && hasBody(request);
}

function createBodyStream(request: IncomingMessage): ReadableStream<Uint8Array> {
  // Kept open when reading stops, so that the error response can still be sent.
  const chunks: AsyncIterator<unknown, unknown> = request.iterator({ destroyOnReturn: false });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value instanceof Uint8Array ? value : Buffer.from(String(value)));
      },
      async cancel() {
        await chunks.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Writes an error response immediately, because later data on the connection may be broken. */
function sendErrorResponse(exchange: Exchange, error: ServerError): void {
  const { request, response } = exchange;
  if (response.destroyed) return;
  if (isStillArriving(request)) closeAfterwards(exchange);
  const { status, headers } = createErrorResponse(error);
  const body = Buffer.from(formatErrorBody(error));
  exchange.bytes = body.length;
  response.writeHead(status, [...headers].flat());
  // Node omits the body for HEAD.
  response.end(body);
}

/** Sends the response: headers immediately, then each piece as it arrives, no faster than the client reads. */
async function send(exchange: Exchange, response: Response): Promise<void> {
  const { request, response: serverResponse } = exchange;
  if (serverResponse.destroyed) {
    await response.body?.cancel().catch(() => undefined);
    return;
  }
  if (isStillArriving(request)) closeAfterwards(exchange);
  serverResponse.writeHead(response.status, [...response.headers].flat());
  const source = getByteSource(response);
  if (source === undefined || request.method === 'HEAD') {
    source?.cancel(new Error('Only the headers were requested.'));
    serverResponse.end();
    return;
  }
  // Otherwise the headers would wait for the first token.
  serverResponse.flushHeaders();
  await pump(source, exchange);
}

/**
 * Time in ms for a page to read the last bytes: a page that is notified of a broken connection loses what it has not
 * read.
 */
export const DRAIN_DELAY_MS = 400;

/**
 * Forwards each piece as it arrives and requests the next one when the client has consumed it, so nothing is buffered.
 * A loop is used in place of a Node stream, whose extra steps delay every event with 1,000 streams. If the gateway
 * breaks off, so does the response: a client must not mistake it for complete.
 */
async function pump(source: ByteSource, exchange: Exchange): Promise<void> {
  const { response } = exchange;
  let hasEnded = false;
  let resumeWriting: (() => void) | undefined;
  // Errors here mean that the client disconnected; 'close' handles it.
  response.on('error', () => undefined);
  response.on('drain', () => resumeWriting?.());
  response.on('timeout', () => response.destroy());
  response.once('close', () => {
    if (!hasEnded) source.cancel(new Error('The client disconnected.'));
    resumeWriting?.();
  });
  try {
    for (;;) {
      const bytes = await source.next();
      if (response.destroyed) return;
      if (bytes === undefined) break;
      exchange.bytes += bytes.byteLength;
      exchange.lastByteAtMs = performance.now();
      if (response.write(bytes)) continue;
      // A stalled client would occupy the gateway's answer and a slot forever; a slow client still makes progress.
      response.setTimeout(exchange.stallTimeoutMs);
      await new Promise<void>((resolve) => {
        resumeWriting = resolve;
      });
      response.setTimeout(0);
    }
    hasEnded = true;
    response.end();
  } catch (error) {
    hasEnded = true;
    source.cancel(error);
    if (response.destroyed) return;
    exchange.isBroken = true;
    response.write('', () => {
      const waitMs = DRAIN_DELAY_MS - (performance.now() - exchange.lastByteAtMs);
      setTimeout(() => response.destroy(), Math.max(0, waitMs));
    });
  }
}

const LINGER_MS = 3000;

/**
 * Ends a connection whose upload is still arriving, after briefly reading and dropping the rest. If Node closed it
 * immediately, further data would cause a reset, and the client would lose the response.
 */
function closeAfterwards({ request, response }: Exchange): void {
  const { socket } = request;
  closingSockets.add(socket);
  response.setHeader('connection', 'close');
  request.resume();
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

function watchClose(exchange: Exchange, { log, isLogged }: NodeAdapterOptions): void {
  const { request, response } = exchange;
  response.once('close', () => {
    const hasClientDisconnected = !response.writableFinished;
    if (hasClientDisconnected) exchange.abortController.abort(new Error('The client disconnected.'));
    const path = getTargetPath(request.url ?? '');
    if (response.statusCode < 400 && !isLogged(path)) return;
    const durationMs = performance.now() - exchange.startedAtMs;
    const outcome = exchange.isBroken ? 'gateway-cut' : hasClientDisconnected ? 'client-abort' : '';
    const { statusCode: status } = response;
    log(
      formatRequestLine({
        method: request.method ?? '-',
        path,
        status,
        durationMs,
        bytes: exchange.bytes,
        id: exchange.id,
        outcome,
      }),
    );
  });
}

/** Returns one log line, without content. */
export function formatRequestLine(line: {
  method: string;
  path: string;
  status: number;
  durationMs: number;
  bytes: number;
  id: string;
  outcome: string;
}): string {
  const { method, path, status, durationMs, bytes, id, outcome } = line;
  const summary = `${method} ${toLogPath(path)} ${status} ${Math.round(durationMs)} ms ${bytes} bytes id ${id}`;
  return outcome === '' ? summary : `${summary} ${outcome}`;
}

/** Describes an internal error with its stack. */
export function formatErrorLine(error: unknown): string {
  return `internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

/** Returns a path that is safe to write on one log line. */
function toLogPath(path: string): string {
  return path.replace(/[^\x21-\x7e]/g, '?').slice(0, 128);
}

function getHeader(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}
