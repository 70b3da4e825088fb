import type { GatewayConfig } from '../config.ts';
import type { RateLimit } from '../guard/rate-limit.ts';
import { redirectRefusal } from '../guard/redirect-error.ts';
import { routeOf } from '../routes.ts';
import type { GatewayRoute } from '../routes.ts';
import type { Visitor, WebHandler } from '../web-handler.ts';
import type { ApiPath } from './api-path.ts';
import { SourcedResponse, sourceOf } from './byte-source.ts';
import { decodedBody } from './decode-body.ts';
import { API_HEADERS, errorResponse } from './error-response.ts';
import type { OwnError } from './error-response.ts';
import { cleanBody } from './redact-body.ts';
import type { Redaction } from './redaction.ts';
import { MAX_BODY_BYTES, readBody, tooLarge } from './request-body.ts';
import { requestIdOf } from './request-id.ts';
import { passedHeaders, STATUS_HEADER } from './response-headers.ts';
import { UpstreamError } from './upstream-error.ts';

export interface ProxyOptions {
  /** The gateway: over HTTP, or in this process. */
  upstream: WebHandler;
  /** Constant for the life of the proxy. */
  gateway: Pick<GatewayConfig, 'origin' | 'host' | 'apiKey' | 'extraHeaders'>;
  apiPath: ApiPath;
  redaction: Redaction;
  rateLimit: RateLimit;
  newId: () => string;
  maxStreams?: number;
  maxUploadBytes?: number;
}

/** POSTs under way at once, for the whole server. */
const MAX_STREAMS = 1200;
/** Bodies that are being read or passed on, for the whole server. */
const MAX_UPLOAD_BYTES = 256 * 1024 * 1024;
/** An answer that is not an event stream; what a compressed bomb may grow to. */
const MAX_WHOLE_ANSWER_BYTES = 32 * 1024 * 1024;
/** Maximum size of an error, streamed or not; the page reads half of it. */
const MAX_ERROR_BYTES = 128 * 1024;

/**
 * The proxy as a function: four routes, one fixed gateway, the key added, status, body and
 * stream passed through as they are. Expects requests that the guard let pass.
 */
export function createProxy(
  options: ProxyOptions,
): (request: Request, visitor?: Pick<Visitor, 'sent'>) => Promise<Response> {
  const { maxStreams = MAX_STREAMS, maxUploadBytes = MAX_UPLOAD_BYTES } = options;
  let uploadBytes = 0;
  // Also keeps each request object alive while its answer runs: its signal goes silent once it is collected.
  const posts = new Set<Request>();

  return async (request, visitor) => {
    const url = new URL(request.url);
    const route = routeOf(url.pathname + url.search);
    if (route === undefined)
      return errorResponse({ type: 'not_found', message: 'Nothing found at this address.' });
    if (request.method !== route.method) {
      const headers = { allow: route.method };
      return errorResponse({
        type: 'method_not_allowed',
        message: `This address accepts ${route.method} only.`,
        headers,
      });
    }
    const id = requestIdOf(request.headers.get('x-request-id'), options.newId);
    const refuse = (error: OwnError) =>
      errorResponse({ ...error, headers: { 'x-request-id': id, ...error.headers } });
    if (route.method === 'GET')
      return forward(options, { request, route, id, sent: () => undefined, done: () => undefined, refuse });

    if (posts.size >= maxStreams) {
      const message = `${maxStreams} requests are already running on this server. Try again in a moment.`;
      return refuse({ type: 'too_many_streams', message, headers: { 'retry-after': '2' } });
    }
    posts.add(request);
    let ownBytes = 0;
    const takes = (bytes: number) => {
      ownBytes += bytes;
      uploadBytes += bytes;
      return uploadBytes <= maxUploadBytes;
    };
    const sent = () => {
      uploadBytes -= ownBytes;
      ownBytes = 0;
    };
    const done = () => {
      sent();
      posts.delete(request);
    };
    try {
      const body = await readBody(request, MAX_BODY_BYTES, takes);
      if (body === 'too large' || body === 'no room') {
        done();
        return refuse(body === 'too large' ? tooLarge(MAX_BODY_BYTES) : noRoom());
      }
      const error = rateError(options.rateLimit);
      if (error !== undefined) {
        done();
        return refuse(error);
      }
      return await forward(options, { request, route, id, body, sent, done, refuse, visitor });
    } catch (error) {
      done();
      throw error;
    }
  };
}

interface Crossing {
  request: Request;
  route: GatewayRoute;
  id: string;
  body?: Uint8Array<ArrayBuffer>;
  visitor?: Pick<Visitor, 'sent'> | undefined;
  /** Called when the gateway has taken the body. */
  sent: () => void;
  /** Called once, when nothing more will come. */
  done: () => void;
  refuse: (error: OwnError) => Response;
}

async function forward(options: ProxyOptions, crossing: Crossing): Promise<Response> {
  const { request, done } = crossing;
  const stop = new AbortController();
  const onAbort = () => {
    stop.abort(request.signal.reason);
  };
  if (request.signal.aborted) onAbort();
  else request.signal.addEventListener('abort', onAbort, { once: true });
  const upstreamRequests: Request[] = [];
  const finish = () => {
    request.signal.removeEventListener('abort', onAbort);
    for (const each of upstreamRequests) live.delete(each);
    done();
  };
  const send = (path: string): Promise<Response> => {
    const upstreamRequest = rebuiltRequest(options, crossing, path, stop.signal);
    upstreamRequests.push(upstreamRequest);
    live.add(upstreamRequest);
    return options.upstream(upstreamRequest);
  };
  try {
    crossing.visitor?.sent?.();
    const { isList, isOnOrigin } = crossing.route;
    const { apiPath } = options;
    const response = await (isList ? apiPath.ask(send) : send(isOnOrigin ? '' : apiPath.current()));
    crossing.sent();
    const cancel = (reason: unknown) => {
      stop.abort(reason);
      void response.body?.cancel(reason).catch(() => undefined);
    };
    const refusal = redirectRefusal(response, options.gateway);
    if (refusal !== undefined) {
      cancel(new Error('a redirect'));
      throw new UpstreamError(refusal);
    }
    return await passedResponse(options, response, {
      stop,
      finish,
      status: visibleStatus(request, response),
    });
  } catch (error) {
    finish();
    if (error instanceof UpstreamError)
      return crossing.refuse({ ...error.error, message: options.redaction.ofText(error.message) });
    throw error;
  }
}

/** A request's signal is only as alive as the request, and the gateway in this process keeps only the signal. */
const live = new Set<Request>();

/** Built from parsed values alone: nothing of the visitor's but the body and two headers. */
function rebuiltRequest(
  options: ProxyOptions,
  crossing: Crossing,
  path: string,
  signal: AbortSignal,
): Request {
  const { gateway } = options;
  const headers = new Headers(gateway.extraHeaders.map(([name, value]) => [name, value]));
  headers.set('accept', acceptOf(crossing.request.headers.get('accept')));
  headers.set('accept-encoding', 'identity');
  headers.set('x-request-id', crossing.id);
  headers.set('user-agent', headers.get('user-agent') ?? 'bench');
  if (gateway.apiKey !== undefined) headers.set('authorization', `Bearer ${gateway.apiKey}`);
  if (crossing.body !== undefined) headers.set('content-type', 'application/json');
  return new Request(gateway.origin + path + crossing.route.upstreamPath, {
    method: crossing.route.method,
    headers,
    signal,
    body: crossing.body ?? null,
  });
}

function acceptOf(given: string | null): string {
  return given !== null && /^[\x20-\x7e]{1,256}$/.test(given) ? given : '*/*';
}

/**
 * Upon these a browser acts by itself: it sends the request again after 408 and 421, which would make one chat several,
 * and takes 407 for a failure of the network.
 */
const ACTED_UPON = new Set([407, 408, 421]);

/** Only browsers send Sec-Fetch-Site; all other clients see the gateway's status as it is. */
function visibleStatus(request: Request, { status }: Response): number {
  return ACTED_UPON.has(status) && request.headers.has('sec-fetch-site') ? 502 : status;
}

async function passedResponse(
  options: ProxyOptions,
  response: Response,
  { status, ...end }: { status: number; stop: AbortController; finish: () => void },
): Promise<Response> {
  const headers = new Headers(API_HEADERS);
  for (const [name, value] of passedHeaders(response.headers, options.redaction.ofText))
    headers.set(name, value);
  if (status !== response.status) headers.set(STATUS_HEADER, String(response.status));
  const source = sourceOf(response);
  if (source === undefined) {
    end.finish();
    return new Response(null, { status, headers });
  }
  const encoding = response.headers.get('content-encoding') ?? '';
  const body = await decodedBody(source, encoding);
  if (body === undefined) {
    const reason = new Error('unknown encoding');
    end.stop.abort(reason);
    source.cancel(reason);
    // Redacted before it is cut: of a part of a secret nobody could tell what it is.
    const named = options.redaction.ofText(encoding).slice(0, 32);
    const message = `The gateway at ${options.gateway.host} answered, but its answer cannot be read: it has status ${response.status} and is in the encoding "${named}", which was not requested.`;
    throw new UpstreamError({ type: 'gateway_unreachable', message });
  }
  const isError = status >= 400;
  const isStream = /^\s*text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
  return new SourcedResponse(
    cleanBody(body, {
      redactor: isError ? options.redaction.ofError() : options.redaction.ofAnswer(),
      maxBytes: isError ? MAX_ERROR_BYTES : isStream ? Number.POSITIVE_INFINITY : MAX_WHOLE_ANSWER_BYTES,
      endsAtMost: isError,
      ...end,
    }),
    { status, headers },
  );
}

function noRoom(): OwnError {
  const message = 'Too many large requests are arriving at this server. Try again in a moment.';
  return { type: 'too_many_streams', message, headers: { 'retry-after': '2' } };
}

function rateError(rateLimit: RateLimit): OwnError | undefined {
  const grant = rateLimit();
  if (grant.granted) return undefined;
  const seconds = Math.ceil(grant.retryAfterMs / 1000);
  const message = `The limit of requests per minute (GATEWAY_RPM) is reached. The next one can be sent in ${seconds} s.`;
  return {
    type: 'rate_limit_exceeded',
    message,
    headers: { 'retry-after': String(seconds), 'retry-after-ms': String(Math.ceil(grant.retryAfterMs)) },
  };
}
