import type { GatewayConfig } from '../gateway-settings.ts';
import type { RateLimit } from '../guard/rate-limit.ts';
import { createRedirectError } from '../guard/redirect-error.ts';
import { findRoute } from '../routes.ts';
import type { GatewayRoute } from '../routes.ts';
import type { RequestContext, WebHandler } from '../web-handler.ts';
import type { ApiPath } from './api-path.ts';
import { SourcedResponse, getByteSource } from './byte-source.ts';
import { decodeBody } from './decode-body.ts';
import { API_HEADERS, createErrorResponse } from './error-response.ts';
import type { ServerError } from './error-response.ts';
import { redactBody } from './redact-body.ts';
import type { Redaction } from './redaction.ts';
import { MAX_BODY_BYTES, readBody, createTooLargeError } from './request-body.ts';
import { getOrCreateRequestId } from './request-id.ts';
import { filterResponseHeaders, STATUS_HEADER } from './response-headers.ts';
import { UpstreamError } from './upstream-error.ts';

export interface ProxyOptions {
  /** The gateway, over HTTP or in this process. */
  upstream: WebHandler;
  /** Constant for the lifetime of the proxy. */
  gateway: Pick<GatewayConfig, 'origin' | 'host' | 'addressVariable' | 'apiKey' | 'extraHeaders'>;
  apiPath: ApiPath;
  redaction: Redaction;
  rateLimit: RateLimit;
  /** Variable that sets the rate limit, for messages. */
  limitVariable: string;
  /** Shared by the proxies of a server. */
  capacity: ProxyCapacity;
  createId: () => string;
}

/** Requests in progress and bytes of their bodies, over all gateways, with their limits. */
export interface ProxyCapacity {
  /** Also keeps each request alive during its response: the signal of a garbage-collected request never fires. */
  posts: Set<Request>;
  uploadBytes: number;
  maxStreams: number;
  maxUploadBytes: number;
}

/** Maximum POSTs in flight for the whole server. */
const MAX_STREAMS = 1200;
/** Maximum bytes of request bodies being read or forwarded, for the whole server. */
const MAX_UPLOAD_BYTES = 160 * 1024 * 1024;
/** Maximum size of a response that is not an event stream, even if decompressed from a bomb. */
const MAX_WHOLE_RESPONSE_BYTES = 32 * 1024 * 1024;
/** Maximum size of an error body, streamed or not; the page reads half of it. */
const MAX_ERROR_BYTES = 128 * 1024;

export function createProxyCapacity({
  maxStreams = MAX_STREAMS,
  maxUploadBytes = MAX_UPLOAD_BYTES,
}: Partial<Pick<ProxyCapacity, 'maxStreams' | 'maxUploadBytes'>> = {}): ProxyCapacity {
  return { posts: new Set(), uploadBytes: 0, maxStreams, maxUploadBytes };
}

/**
 * Creates the proxy: four routes to one fixed gateway, with the key added; status, body and stream are passed through
 * unchanged. Expects requests that have passed the guard.
 */
export function createProxy(
  options: ProxyOptions,
): (request: Request, context?: Pick<RequestContext, 'onSent'>) => Promise<Response> {
  const { capacity } = options;
  const { posts, maxStreams } = capacity;

  return async (request, context) => {
    const url = new URL(request.url);
    const route = findRoute(url.pathname + url.search)?.route;
    if (route === undefined)
      return createErrorResponse({ type: 'not_found', message: 'Nothing found at this address.' });
    if (request.method !== route.method) {
      const headers = { allow: route.method };
      return createErrorResponse({
        type: 'method_not_allowed',
        message: `This address accepts ${route.method} only.`,
        headers,
      });
    }
    const id = getOrCreateRequestId(request.headers.get('x-request-id'), options.createId);
    const reject = (error: ServerError) =>
      createErrorResponse({ ...error, headers: { 'x-request-id': id, ...error.headers } });
    if (route.method === 'GET')
      return forward(options, {
        request,
        route,
        id,
        onUploadEnd: () => undefined,
        onDone: () => undefined,
        reject,
      });

    if (posts.size >= maxStreams) {
      const message = `${maxStreams} requests are already running on this server. Try again in a moment.`;
      return reject({ type: 'too_many_streams', message, headers: { 'retry-after': '2' } });
    }
    posts.add(request);
    let requestBytes = 0;
    const reserveBytes = (bytes: number) => {
      requestBytes += bytes;
      capacity.uploadBytes += bytes;
      return capacity.uploadBytes <= capacity.maxUploadBytes;
    };
    const releaseUploadBytes = () => {
      capacity.uploadBytes -= requestBytes;
      requestBytes = 0;
    };
    const onDone = () => {
      releaseUploadBytes();
      posts.delete(request);
    };
    try {
      const body = await readBody(request, MAX_BODY_BYTES, reserveBytes);
      if (body === 'too large' || body === 'over capacity') {
        onDone();
        return reject(body === 'too large' ? createTooLargeError(MAX_BODY_BYTES) : createCapacityError());
      }
      const error = checkRateLimit(options);
      if (error !== undefined) {
        onDone();
        return reject(error);
      }
      return await forward(options, {
        request,
        route,
        id,
        body,
        onUploadEnd: releaseUploadBytes,
        onDone,
        reject,
        context,
      });
    } catch (error) {
      onDone();
      throw error;
    }
  };
}

interface ProxyRequest {
  request: Request;
  route: GatewayRoute;
  id: string;
  body?: Uint8Array<ArrayBuffer>;
  context?: Pick<RequestContext, 'onSent'> | undefined;
  /** Called when the gateway has received the body. */
  onUploadEnd: () => void;
  /** Called once, when no more data will arrive. */
  onDone: () => void;
  reject: (error: ServerError) => Response;
}

async function forward(options: ProxyOptions, proxyRequest: ProxyRequest): Promise<Response> {
  const { request, onDone } = proxyRequest;
  const abortController = new AbortController();
  const onAbort = () => {
    abortController.abort(request.signal.reason);
  };
  if (request.signal.aborted) onAbort();
  else request.signal.addEventListener('abort', onAbort, { once: true });
  const upstreamRequests: Request[] = [];
  const finish = () => {
    request.signal.removeEventListener('abort', onAbort);
    for (const upstreamRequest of upstreamRequests) liveRequests.delete(upstreamRequest);
    onDone();
  };
  const send = (path: string): Promise<Response> => {
    const upstreamRequest = buildUpstreamRequest(options, proxyRequest, path, abortController.signal);
    upstreamRequests.push(upstreamRequest);
    liveRequests.add(upstreamRequest);
    return options.upstream(upstreamRequest);
  };
  try {
    proxyRequest.context?.onSent?.();
    const { isList, isOnOrigin } = proxyRequest.route;
    const { apiPath } = options;
    const response = await (isList ? apiPath.sendToApi(send) : send(isOnOrigin ? '' : apiPath.getCurrent()));
    proxyRequest.onUploadEnd();
    const cancel = (reason: unknown) => {
      abortController.abort(reason);
      void response.body?.cancel(reason).catch(() => undefined);
    };
    const redirectError = createRedirectError(response, options.gateway);
    if (redirectError !== undefined) {
      cancel(new Error('a redirect'));
      throw new UpstreamError(redirectError);
    }
    return await createClientResponse(options, response, {
      abortController,
      finish,
      status: getVisibleStatus(request, response),
    });
  } catch (error) {
    finish();
    if (error instanceof UpstreamError)
      return proxyRequest.reject({ ...error.error, message: options.redaction.redactText(error.message) });
    throw error;
  }
}

/** The signal of a garbage-collected request never fires, and an in-process gateway holds only the signal. */
const liveRequests = new Set<Request>();

/** Builds the request from parsed values alone: only the body and two headers come from the client. */
function buildUpstreamRequest(
  options: ProxyOptions,
  proxyRequest: ProxyRequest,
  path: string,
  signal: AbortSignal,
): Request {
  const { gateway } = options;
  const headers = new Headers(gateway.extraHeaders.map(([name, value]) => [name, value]));
  headers.set('accept', getAcceptHeader(proxyRequest.request.headers.get('accept')));
  headers.set('accept-encoding', 'identity');
  headers.set('x-request-id', proxyRequest.id);
  headers.set('user-agent', headers.get('user-agent') ?? 'bench');
  if (gateway.apiKey !== undefined) headers.set('authorization', `Bearer ${gateway.apiKey}`);
  if (proxyRequest.body !== undefined) headers.set('content-type', 'application/json');
  return new Request(gateway.origin + path + proxyRequest.route.upstreamPath, {
    method: proxyRequest.route.method,
    headers,
    signal,
    body: proxyRequest.body ?? null,
  });
}

function getAcceptHeader(accept: string | null): string {
  return accept !== null && /^[\x20-\x7e]{1,256}$/.test(accept) ? accept : '*/*';
}

/**
 * Statuses that browsers handle themselves: they resend after 408 and 421, which would repeat a chat, and report 407 as
 * a network failure.
 */
const BROWSER_HANDLED_STATUSES = new Set([407, 408, 421]);

/**
 * Returns the status to send. Only browsers send Sec-Fetch-Site; all other clients get the gateway's status unchanged.
 */
function getVisibleStatus(request: Request, { status }: Response): number {
  return BROWSER_HANDLED_STATUSES.has(status) && request.headers.has('sec-fetch-site') ? 502 : status;
}

async function createClientResponse(
  options: ProxyOptions,
  response: Response,
  { status, ...controls }: { status: number; abortController: AbortController; finish: () => void },
): Promise<Response> {
  const headers = new Headers(API_HEADERS);
  for (const [name, value] of filterResponseHeaders(response.headers, options.redaction.redactText))
    headers.set(name, value);
  if (status !== response.status) headers.set(STATUS_HEADER, String(response.status));
  const source = getByteSource(response);
  if (source === undefined) {
    controls.finish();
    return new Response(null, { status, headers });
  }
  const encoding = response.headers.get('content-encoding') ?? '';
  const body = await decodeBody(source, encoding);
  if (body === undefined) {
    const reason = new Error('unknown encoding');
    controls.abortController.abort(reason);
    source.cancel(reason);
    // Redacted before it is cut, since part of a secret could not be detected.
    const encodingName = options.redaction.redactText(encoding).slice(0, 32);
    const message = `The gateway at ${options.gateway.host} responded, but its response could not be read: it has status ${response.status} and uses the encoding "${encodingName}", which was not requested.`;
    throw new UpstreamError({ type: 'gateway_unreachable', message });
  }
  const isError = status >= 400;
  const isStream = /^\s*text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
  return new SourcedResponse(
    redactBody(body, {
      redactor: isError ? options.redaction.createErrorRedactor() : options.redaction.createAnswerRedactor(),
      maxBytes: isError ? MAX_ERROR_BYTES : isStream ? Number.POSITIVE_INFINITY : MAX_WHOLE_RESPONSE_BYTES,
      shouldTruncate: isError,
      ...controls,
    }),
    { status, headers },
  );
}

function createCapacityError(): ServerError {
  const message = 'This server is receiving too many large requests. Try again in a moment.';
  return { type: 'too_many_streams', message, headers: { 'retry-after': '2' } };
}

function checkRateLimit({ rateLimit, limitVariable }: ProxyOptions): ServerError | undefined {
  const grant = rateLimit();
  if (grant.granted) return undefined;
  const seconds = Math.ceil(grant.retryAfterMs / 1000);
  const message = `Rate limit reached (${limitVariable}). The next request can be sent in ${seconds} s.`;
  return {
    type: 'rate_limit_exceeded',
    message,
    headers: { 'retry-after': String(seconds), 'retry-after-ms': String(Math.ceil(grant.retryAfterMs)) },
  };
}
