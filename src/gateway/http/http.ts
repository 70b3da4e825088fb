import { demoHeader } from '../../lib/channel/frames.ts';
import { writeExactJson } from '../../lib/exact-json.ts';
import type { Channel } from '../channel/channel-client.ts';
import { GatewayError, type ErrorReport } from '../errors/errors.ts';
import { maxBodyBytes, maxErrorBytes } from './body-limits.ts';
import { createPatience, type Patience } from './deadline.ts';
import { headersOf, isProxied, statusOf } from './headers.ts';

export interface HttpOptions {
  /** The page's own fetch unless tests put another in its place. */
  fetch?: typeof globalThis.fetch;
  /** Carries requests to the gateway's models where it is there, in place of one connection for each. */
  channel?: Channel | undefined;
  /** Whether requests go to the demo gateway, whatever gateway is configured. */
  isDemo?: () => boolean;
  /** Told of every answer that came through from the gateway. */
  heard?: (headers: Headers, status: number) => void;
  /** Where the proxy answers. */
  base?: string;
  /** Where the playground's own server answers. */
  playgroundBase?: string;
  /** Monotonic milliseconds. */
  now: () => number;
  /** Epoch milliseconds: only for a date to wait for, of an answer that names no clock of its own. */
  clock?: () => number;
  /** False where the browser knows that it has no network; only asked when a request could not be sent. */
  isOnline?: () => boolean;
  /** §6.6: how long a stream may be silent, in milliseconds. */
  idleTimeoutMs?: number;
}

interface HttpRequest {
  area?: 'gateway' | 'playground';
  method: 'GET' | 'POST';
  path: string;
  /** A text is sent as it is, JSON or not. */
  body?: object | string;
  accept?: string;
  requestId?: string;
  signal?: AbortSignal;
}

/** A whole answer, whatever its status. */
export interface Answer {
  status: number;
  ok: boolean;
  headers: Record<string, string>;
  proxied: boolean;
  text: string;
  /** Only the first part of the text was read. */
  cut: boolean;
  /** From our request to the end of the answer. */
  latencyMs: number;
  /** Epoch milliseconds by our own clock. */
  cameAt?: number;
}

export interface Http {
  /** Resolves with the headers whatever the status. Rejects with a GatewayError, or the signal's reason when aborted. */
  open: (request: HttpRequest & { signal: AbortSignal }) => Promise<Response>;
  /** The whole answer. Rejects with a GatewayError (also when `timeoutMs` ran out), or the signal's reason. */
  read: (request: HttpRequest & { timeoutMs?: number }) => Promise<Answer>;
  now: () => number;
  idleTimeoutMs: number;
}

/** The browser's only fetch. Every answer with a status is data; only the network is an error. */
export function createHttp(options: HttpOptions): Http {
  const { base = '/gateway', playgroundBase = '/playground', now, idleTimeoutMs = 15 * 60_000 } = options;
  const { isOnline = () => true, isDemo = () => false, clock, channel } = options;
  const send = options.fetch ?? ((input, init) => globalThis.fetch(input, init));

  /** Undefined where it goes the direct way; then nothing was sent. */
  async function overChannel(
    request: HttpRequest & { signal: AbortSignal },
    body: string | undefined,
  ): Promise<Response | undefined> {
    const { path, accept = 'application/json', requestId, signal } = request;
    // A browser that has no network finds out by a request that fails, and says so.
    if (body === undefined || request.area === 'playground' || !channel || !isOnline()) return undefined;
    if (!(await channel.isThere())) return undefined;
    const ask = { path, accept, requestId, body, signal };
    return channel.ask(isDemo() ? { ...ask, demo: true } : ask);
  }

  async function open(request: HttpRequest & { signal: AbortSignal }): Promise<Response> {
    const headers = new Headers({
      accept: request.accept ?? 'application/json',
      'x-gateway-playground': '1',
    });
    if (request.area !== 'playground' && isDemo()) headers.set(demoHeader, '1');
    if (request.requestId !== undefined) headers.set('x-request-id', request.requestId);
    const { method, signal } = request;
    const init: RequestInit = { method, headers, signal, redirect: 'manual', cache: 'no-store' };
    // Written once: a megabyte of it takes a while.
    const body = request.body && textOf(request.body);
    if (body !== undefined) {
      headers.set('content-type', 'application/json');
      init.body = body;
    }
    try {
      const path = (request.area === 'playground' ? playgroundBase : base) + request.path;
      const response = (await overChannel(request, body)) ?? (await send(path, init));
      if (isProxied(response.headers)) options.heard?.(response.headers, statusOf(response));
      return response;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw new GatewayError(isOnline() ? proxyUnreachable(error) : offline(error));
    }
  }

  async function read({ timeoutMs = idleTimeoutMs, ...request }: HttpRequest & { timeoutMs?: number }) {
    const patience = createPatience(now, request.signal);
    patience.endIn(timeoutMs, 'timeout');
    const sentAt = now();
    try {
      const response = await open({ ...request, signal: patience.signal });
      const { text, cut } = await readText(response, patience);
      const facts = {
        status: statusOf(response),
        ok: response.ok,
        headers: headersOf(response.headers),
        proxied: isProxied(response.headers),
      };
      const latencyMs = now() - sentAt;
      return { ...facts, text, cut, latencyMs, ...(clock ? { cameAt: clock() } : {}) };
    } catch (error) {
      if (patience.ended() === 'aborted') throw request.signal?.reason;
      if (patience.ended() === 'timeout') throw new GatewayError(timedOut(timeoutMs, 'No answer received'));
      throw error instanceof GatewayError ? error : new GatewayError(connectionLost(error));
    } finally {
      patience.end('over');
    }
  }

  return { open, read, now, idleTimeoutMs };
}

function textOf(body: object | string): string {
  return typeof body === 'string' ? body : writeExactJson(body);
}

async function readText(response: Response, patience: Patience): Promise<{ text: string; cut: boolean }> {
  const reader = response.body?.getReader();
  if (!reader) return { text: '', cut: false };
  patience.signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined));
  const mostBytes = response.ok ? maxBodyBytes : maxErrorBytes;
  const utf8 = new TextDecoder();
  const parts: string[] = [];
  let room = mostBytes;
  for (;;) {
    const { done, value } = await reader.read();
    if (patience.ended()) throw patience.signal.reason;
    if (done) return { text: parts.join('') + utf8.decode(), cut: false };
    parts.push(utf8.decode(value.subarray(0, room), { stream: true }));
    if (value.length > room) return { text: parts.join(''), cut: true };
    room -= value.length;
  }
}

function causeText(cause: unknown): string {
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : 'No cause given.';
}

function proxyUnreachable(cause: unknown): ErrorReport {
  const message = 'The Bench server could not be reached. Check that it is running, then retry.';
  return { source: 'network', kind: 'proxy-unreachable', message, raw: causeText(cause) };
}

/** The browser's own word is only believed once a request has failed, since local gateways need no network. */
function offline(cause: unknown): ErrorReport {
  const message = 'This browser is offline. The request could not be sent.';
  return { source: 'network', kind: 'offline', message, raw: causeText(cause) };
}

/** The transport broke after the answer had begun. */
export function connectionLost(cause?: unknown): ErrorReport {
  const message = 'The connection broke before the answer was complete. What arrived is kept.';
  const report: ErrorReport = { source: 'network', kind: 'connection-lost', message };
  return cause === undefined ? report : { ...report, raw: causeText(cause) };
}

export function timedOut(timeoutMs: number, what: string): ErrorReport {
  const isLong = timeoutMs >= 120_000;
  const span = isLong
    ? `${Math.round(timeoutMs / 60_000)} minutes`
    : `${Number((timeoutMs / 1000).toPrecision(2))} s`;
  return { source: 'app', kind: 'timeout', message: `${what} for ${span}, so Bench closed the connection.` };
}
