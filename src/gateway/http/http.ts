import { demoHeader } from '../../lib/channel-frames.ts';
import { writeExactJson } from '../../lib/exact-json.ts';
import { isGatewayName } from '../../lib/gateway-variables.ts';
import type { ChannelClient } from '../channel/channel-client.ts';
import { GatewayError, type ErrorReport } from '../errors/errors.ts';
import { maxBodyBytes, maxErrorBytes } from './body-limits.ts';
import { createDeadline, type Deadline } from './deadline.ts';
import { getGatewayHeaders, isProxied, getGatewayStatus } from './headers.ts';

export interface HttpOptions {
  /** The page's own fetch, unless a test replaces it. */
  fetch?: typeof globalThis.fetch;
  /** If present, carries model requests in place of separate connections. */
  channel?: ChannelClient | undefined;
  /** Returns whether requests go to the demo gateway even if another one is configured. */
  isDemo?: () => boolean;
  /** Called for every response from a gateway; `gatewayName` is absent for the first one. */
  onResponse?: (headers: Headers, status: number, gatewayName?: string) => void;
  /** Base path of the proxy. */
  gatewayBasePath?: string;
  /** Base path of the playground server's own routes. */
  serverBasePath?: string;
  /** Monotonic ms. */
  monotonicNow: () => number;
  /** Epoch ms, used only for a retry date in a response without a Date header. */
  epochNow?: () => number;
  /** False if the browser reports no network; only called when a request could not be sent. */
  isOnline?: () => boolean;
  /** Maximum silence of a stream in ms (§6.6). */
  idleTimeoutMs?: number;
}

interface HttpRequest {
  area?: 'gateway' | 'playground';
  /** Name of the gateway; the first one of the server if absent. */
  gatewayName?: string | undefined;
  method: 'GET' | 'POST';
  path: string;
  /** A string is sent unchanged, whether JSON or not. */
  body?: object | string;
  accept?: string;
  requestId?: string;
  signal?: AbortSignal;
}

/** A whole response of any status. */
export interface HttpResponse {
  status: number;
  ok: boolean;
  headers: Record<string, string>;
  isProxied: boolean;
  text: string;
  /** Only the first part of the text was read. */
  isTruncated: boolean;
  /** Time from the request to the end of the response. */
  latencyMs: number;
  /** Epoch ms by the page's clock. */
  receivedAt?: number;
}

export interface Http {
  /**
   * Resolves with the headers whatever the status. Rejects with a GatewayError, or the signal's reason when aborted.
   */
  open: (request: HttpRequest & { signal: AbortSignal }) => Promise<Response>;
  /** Resolves with the whole response. Rejects with a GatewayError (also on a timeout), or the signal's reason. */
  read: (request: HttpRequest & { timeoutMs?: number }) => Promise<HttpResponse>;
  monotonicNow: () => number;
  idleTimeoutMs: number;
}

/** The only fetch call in the browser. Every response with a status is data; only network failures are errors. */
export function createHttp(options: HttpOptions): Http {
  const {
    gatewayBasePath = '/gateway',
    serverBasePath = '/playground',
    monotonicNow,
    idleTimeoutMs = 15 * 60_000,
  } = options;
  const { isOnline = () => true, isDemo = () => false, epochNow, channel } = options;
  const send = options.fetch ?? ((input, init) => globalThis.fetch(input, init));

  /** Returns undefined, without sending anything, if the request must use its own connection. */
  async function sendOverChannel(
    request: HttpRequest & { signal: AbortSignal },
    body: string | undefined,
  ): Promise<Response | undefined> {
    const { accept = 'application/json', requestId, signal } = request;
    // Without a network, the browser's own fetch fails and reports it.
    if (body === undefined || request.area === 'playground' || !channel || !isOnline()) return undefined;
    if (!(await channel.ensureConnected())) return undefined;
    const channelRequest = { path: getGatewayPath(request), accept, requestId, body, signal };
    return channel.send(isDemo() ? { ...channelRequest, isDemo: true } : channelRequest);
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
    // Serialised once, since this is slow for megabytes.
    const body = request.body && toBodyText(request.body);
    if (body !== undefined) {
      headers.set('content-type', 'application/json');
      init.body = body;
    }
    try {
      const path =
        request.area === 'playground'
          ? serverBasePath + request.path
          : gatewayBasePath + getGatewayPath(request);
      const response = (await sendOverChannel(request, body)) ?? (await send(path, init));
      if (isProxied(response.headers))
        options.onResponse?.(response.headers, getGatewayStatus(response), request.gatewayName);
      return response;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw new GatewayError(isOnline() ? buildProxyUnreachableReport(error) : buildOfflineReport(error));
    }
  }

  async function read({ timeoutMs = idleTimeoutMs, ...request }: HttpRequest & { timeoutMs?: number }) {
    const deadline = createDeadline(monotonicNow, request.signal);
    deadline.setTimeoutMs(timeoutMs, 'timeout');
    const sentAt = monotonicNow();
    try {
      const response = await open({ ...request, signal: deadline.signal });
      const { text, isTruncated } = await readText(response, deadline);
      const responseInfo = {
        status: getGatewayStatus(response),
        ok: response.ok,
        headers: getGatewayHeaders(response.headers),
        isProxied: isProxied(response.headers),
      };
      const latencyMs = monotonicNow() - sentAt;
      return {
        ...responseInfo,
        text,
        isTruncated,
        latencyMs,
        ...(epochNow ? { receivedAt: epochNow() } : {}),
      };
    } catch (error) {
      if (deadline.getEndReason() === 'aborted') throw request.signal?.reason;
      if (deadline.getEndReason() === 'timeout')
        throw new GatewayError(buildTimeoutReport(timeoutMs, 'No response received'));
      throw error instanceof GatewayError ? error : new GatewayError(buildConnectionLostReport(error));
    } finally {
      deadline.end('over');
    }
  }

  return { open, read, monotonicNow, idleTimeoutMs };
}

/**
 * Returns the same network functions for another gateway of the server. Throws a GatewayError for text that cannot be a
 * name, such as a path in an imported file, so that no file or link chooses an address.
 */
export function withGatewayName(http: Http, gatewayName: string): Http {
  if (!isGatewayName(gatewayName)) throw new GatewayError(buildUnknownGatewayReport(gatewayName));
  return {
    ...http,
    open: (request) => http.open({ ...request, gatewayName }),
    read: (request) => http.read({ ...request, gatewayName }),
  };
}

/** Returns the path below the base path of all gateways. */
function getGatewayPath({ gatewayName, path }: HttpRequest): string {
  return gatewayName === undefined ? path : `/${gatewayName}${path}`;
}

/** Report for a setup that names a gateway which the server does not have. */
export function buildUnknownGatewayReport(gatewayName: string): ErrorReport {
  const message = `This server has no gateway named ${gatewayName}. Nothing was sent. Choose a model of another gateway.`;
  return { source: 'app', kind: 'unknown-gateway', message };
}

function toBodyText(body: object | string): string {
  return typeof body === 'string' ? body : writeExactJson(body);
}

async function readText(
  response: Response,
  deadline: Deadline,
): Promise<{ text: string; isTruncated: boolean }> {
  const reader = response.body?.getReader();
  if (!reader) return { text: '', isTruncated: false };
  deadline.signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined));
  const maxBytes = response.ok ? maxBodyBytes : maxErrorBytes;
  const utf8 = new TextDecoder();
  const parts: string[] = [];
  let remainingBytes = maxBytes;
  for (;;) {
    const { done, value } = await reader.read();
    if (deadline.getEndReason()) throw deadline.signal.reason;
    if (done) return { text: parts.join('') + utf8.decode(), isTruncated: false };
    parts.push(utf8.decode(value.subarray(0, remainingBytes), { stream: true }));
    if (value.length > remainingBytes) return { text: parts.join(''), isTruncated: true };
    remainingBytes -= value.length;
  }
}

function describeCause(cause: unknown): string {
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : 'No cause reported.';
}

function buildProxyUnreachableReport(cause: unknown): ErrorReport {
  const message = 'Could not reach the Bench server. Check that it is running, then try again.';
  return { source: 'network', kind: 'proxy-unreachable', message, raw: describeCause(cause) };
}

/** The browser's offline state counts only after a failed request, since local gateways do not need a network. */
function buildOfflineReport(cause: unknown): ErrorReport {
  const message = 'This browser is offline. The request was not sent.';
  return { source: 'network', kind: 'offline', message, raw: describeCause(cause) };
}

/** Report for a connection that broke after the response had begun. */
export function buildConnectionLostReport(cause?: unknown): ErrorReport {
  const message = 'The connection was lost before the answer was complete. The received part was kept.';
  const report: ErrorReport = { source: 'network', kind: 'connection-lost', message };
  return cause === undefined ? report : { ...report, raw: describeCause(cause) };
}

export function buildTimeoutReport(timeoutMs: number, subject: string): ErrorReport {
  const isLong = timeoutMs >= 120_000;
  const duration = isLong
    ? `${Math.round(timeoutMs / 60_000)} minutes`
    : `${Number((timeoutMs / 1000).toPrecision(2))} s`;
  return {
    source: 'app',
    kind: 'timeout',
    message: `${subject} for ${duration}, so Bench closed the connection.`,
  };
}
