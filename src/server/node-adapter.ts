import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { judge } from './guard/guard.ts';
import type { GuardSettings, Verdict } from './guard/guard.ts';
import { pathOf, targetFault } from './guard/request-target.ts';
import { sourceOf } from './proxy/byte-source.ts';
import type { ByteSource } from './proxy/byte-source.ts';
import { API_HEADERS, errorBody, errorResponse } from './proxy/error-response.ts';
import type { OwnError } from './proxy/error-response.ts';
import { requestIdOf } from './proxy/request-id.ts';
import type { VisitorHandler } from './web-handler.ts';

export interface NodeAdapterOptions {
  /** Whom to answer; undefined for a server that answers under any name, as its visitors show a key. */
  guard?: () => GuardSettings;
  handle: VisitorHandler;
  newId: () => string;
  /** One line a request, without content. */
  log: (line: string) => void;
  /** Which paths are worth a line when all went well. */
  isLogged: (path: string) => boolean;
  /** How long a visitor may take nothing of an answer before it is given up; 0: for ever. */
  stalledMs?: number | undefined;
}

export const STALLED_MS = 600_000;

/** Connections whose request is their last: what follows a refused one, or an upload that was cut short, might be smuggled. */
const closing = new WeakSet<Duplex>();

/** Answers what nobody else did; without it that is a 404. */
export type Next = () => void;

/** node:http on one side, a web-standard handler on the other; the guard sees the raw request first. */
export function createNodeListener(
  options: NodeAdapterOptions,
): (request: IncomingMessage, response: ServerResponse, next?: Next) => void {
  return (request, response, next) => {
    if (closing.has(request.socket)) return;
    const verdict = verdictOn(request, options.guard?.());
    const id = requestIdOf(headerOf(request, 'x-request-id'), options.newId);
    const exchange: Exchange = {
      request,
      response,
      id,
      startedAt: performance.now(),
      bytes: 0,
      lastByteAt: 0,
      broken: false,
      stop: new AbortController(),
      stalledMs: options.stalledMs ?? STALLED_MS,
    };
    if (verdict.name === 'redirected') {
      void send(
        exchange,
        new Response(null, {
          status: 307,
          headers: { ...API_HEADERS, location: verdict.location, 'content-length': '0' },
        }),
      );
      return;
    }
    watch(exchange, options);
    if (verdict.name === 'refused') {
      closing.add(request.socket);
      refuse(exchange, { ...verdict.error, headers: { ...verdict.error.headers, connection: 'close' } });
      return;
    }
    if (request.headers.expect !== undefined) response.writeContinue();
    void answer(options, exchange, verdict.host, next);
  };
}

function verdictOn(request: IncomingMessage, settings: GuardSettings | undefined): Verdict {
  const { method = 'GET', url: target = '/', rawHeaders } = request;
  if (settings !== undefined) return judge({ method, target, rawHeaders }, settings);
  const fault = targetFault(target);
  if (fault === undefined) return { name: 'allowed', host: 'localhost', path: pathOf(target) };
  return { name: 'refused', error: { type: 'invalid_request', message: fault } };
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  id: string;
  startedAt: number;
  /** Of the body, as sent. */
  bytes: number;
  /** When the newest of them came, by performance.now(). */
  lastByteAt: number;
  /** The gateway's side ended before its time. */
  broken: boolean;
  stop: AbortController;
  stalledMs: number;
}

async function answer(
  options: NodeAdapterOptions,
  exchange: Exchange,
  host: string,
  next: Next | undefined,
): Promise<void> {
  // Held until the end: a request's signal goes silent once the request itself is collected.
  let request: Request | undefined;
  try {
    request = webRequest(exchange, host);
    const visitor = { remoteAddress: exchange.request.socket.remoteAddress ?? '' };
    const response = await options.handle(request, visitor);
    if (response !== undefined) await send(exchange, response);
    else if (next === undefined)
      refuse(exchange, { type: 'not_found', message: 'Nothing found at this address.' });
    else next();
  } catch (error) {
    const isCut = exchange.request.destroyed && !exchange.request.complete;
    if (request?.signal.aborted === true || isCut || exchange.response.headersSent) {
      exchange.response.destroy();
      return;
    }
    options.log(internalErrorLine(error));
    const message = 'The playground server could not handle this request.';
    refuse(exchange, { type: 'gateway_unreachable', message });
  }
}

function webRequest({ request, id, stop }: Exchange, host: string): Request {
  const headers = new Headers();
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? '';
    if (!OF_ONE_CONNECTION.has(name.toLowerCase())) headers.append(name, request.rawHeaders[index + 1] ?? '');
  }
  headers.set('x-request-id', id);
  const { method = 'GET' } = request;
  const init: RequestInit & { duplex: 'half' } = {
    method,
    headers,
    signal: stop.signal,
    body: hasBody(request) ? bodyOf(request) : null,
    duplex: 'half',
  };
  return new Request(`http://${host}${request.url ?? '/'}`, init);
}

const OF_ONE_CONNECTION = new Set([
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

function bodyOf(request: IncomingMessage): ReadableStream<Uint8Array> {
  // Not destroyed when we stop reading: the answer that says why still has to go out.
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

/** An error of ours, written at once: what follows on the connection may be broken already. */
function refuse(exchange: Exchange, error: OwnError): void {
  const { request, response: out } = exchange;
  if (out.destroyed) return;
  if (isStillArriving(request)) closeAfterwards(exchange);
  const { status, headers } = errorResponse(error);
  const body = Buffer.from(errorBody(error));
  exchange.bytes = body.length;
  out.writeHead(status, [...headers].flat());
  // Node leaves it out of an answer to HEAD.
  out.end(body);
}

/** Writes the response: headers at once, then each piece as it arrives, no faster than the visitor reads. */
async function send(exchange: Exchange, response: Response): Promise<void> {
  const { request, response: out } = exchange;
  if (out.destroyed) {
    await response.body?.cancel().catch(() => undefined);
    return;
  }
  if (isStillArriving(request)) closeAfterwards(exchange);
  out.writeHead(response.status, [...response.headers].flat());
  const source = sourceOf(response);
  if (source === undefined || request.method === 'HEAD') {
    source?.cancel(new Error('Only the headers are asked for.'));
    out.end();
    return;
  }
  // Else the headers would wait for the first token.
  out.flushHeaders();
  await pump(source, exchange);
}

/**
 * A page that hears of a broken connection loses what it has not yet read of the bytes before, so
 * the last ones get this long to be read before the connection is broken.
 */
export const READING_MS = 400;

/**
 * Hands each piece on as it arrives and asks for the next one when the visitor has taken it, so that nothing is kept here.
 * A loop of its own instead of a Node stream in between: with 1,000 streams every event waits for all others' steps.
 * Where the gateway breaks off, so does the answer: a visitor must not take what came for the whole.
 */
async function pump(source: ByteSource, exchange: Exchange): Promise<void> {
  const { response: out } = exchange;
  let ended = false;
  let taken: (() => void) | undefined;
  // What breaks here is a connection that the visitor left; 'close' says so.
  out.on('error', () => undefined);
  out.on('drain', () => taken?.());
  out.on('timeout', () => out.destroy());
  out.once('close', () => {
    if (!ended) source.cancel(new Error('The visitor left.'));
    taken?.();
  });
  try {
    for (;;) {
      const bytes = await source.next();
      if (out.destroyed) return;
      if (bytes === undefined) break;
      exchange.bytes += bytes.byteLength;
      exchange.lastByteAt = performance.now();
      if (out.write(bytes)) continue;
      // Whoever takes nothing would keep the gateway's answer and a place for it; what is slow still moves.
      out.setTimeout(exchange.stalledMs);
      await new Promise<void>((resolve) => {
        taken = resolve;
      });
      out.setTimeout(0);
    }
    ended = true;
    out.end();
  } catch (error) {
    ended = true;
    source.cancel(error);
    if (out.destroyed) return;
    exchange.broken = true;
    out.write('', () => {
      const waitMs = READING_MS - (performance.now() - exchange.lastByteAt);
      setTimeout(() => out.destroy(), Math.max(0, waitMs));
    });
  }
}

const LINGER_MS = 3000;

/**
 * Answers an upload that is still coming: the rest is read and dropped for a moment. Node would close at once, and what
 * arrives at a closed connection resets it: a visitor who is still writing then loses the answer.
 */
function closeAfterwards({ request, response }: Exchange): void {
  const { socket } = request;
  closing.add(socket);
  response.setHeader('connection', 'close');
  request.resume();
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

function watch(exchange: Exchange, { log, isLogged }: NodeAdapterOptions): void {
  const { request, response } = exchange;
  response.once('close', () => {
    const left = !response.writableFinished;
    if (left) exchange.stop.abort(new Error('The visitor left.'));
    const path = pathOf(request.url ?? '');
    if (response.statusCode < 400 && !isLogged(path)) return;
    const ms = performance.now() - exchange.startedAt;
    const outcome = exchange.broken ? 'gateway-cut' : left ? 'client-abort' : '';
    const { statusCode: status } = response;
    log(
      requestLine({
        method: request.method ?? '-',
        path,
        status,
        ms,
        bytes: exchange.bytes,
        id: exchange.id,
        outcome,
      }),
    );
  });
}

/** One line of the log, without content. */
export function requestLine(line: {
  method: string;
  path: string;
  status: number;
  ms: number;
  bytes: number;
  id: string;
  outcome: string;
}): string {
  const { method, path, status, ms, bytes, id, outcome } = line;
  const facts = `${method} ${loggable(path)} ${status} ${Math.round(ms)} ms ${bytes} bytes id ${id}`;
  return outcome === '' ? facts : `${facts} ${outcome}`;
}

/** What went wrong here, with the place where it did. */
export function internalErrorLine(error: unknown): string {
  return `internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

/** A path as it can stand in one line of a log. */
function loggable(path: string): string {
  return path.replace(/[^\x21-\x7e]/g, '?').slice(0, 128);
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}
