import { formatError } from '../lib/format-error.ts';
import { createRandomId } from '../lib/ids.ts';
import { isRecord, parseJson, type JsonObject } from '../lib/json.ts';
import { ApiError, toErrorResponse } from './api-error.ts';
import { chatModels, chatModelsWithQuirks, createCatalog } from './catalog.ts';
import { readChatRequest } from './chat/chat-request.ts';
import { createChatResponse } from './chat/chat-response.ts';
import { embeddingModels } from './embeddings/embedding-models.ts';
import { readEmbeddingsRequest } from './embeddings/embeddings-request.ts';
import { createEmbeddingsResponse } from './embeddings/embeddings-response.ts';
import type { DemoModel } from './model.ts';

export interface DemoGatewayOptions {
  /** The only valid key. If absent, any key of the form `fk-…` is valid. */
  key?: string;
  /** Maximum number of POSTs in any 60 seconds; beyond it, POSTs get a 429 (§8). 0, the default, means no limit. */
  requestsPerMinute?: number;
  /** Default pace in tokens per second, 60 if absent; 0 means without delay. */
  tokensPerSecond?: number;
  /** Returns the time in epoch ms. */
  now?: () => number;
  createId?: () => string;
  /** Resolves after this number of ms; for 0, after other tasks have run. Rejects if the signal aborts. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  models?: readonly DemoModel[];
  /** Also lists `demo/strict`. */
  hasQuirks?: boolean;
}

interface Route {
  method: 'GET' | 'POST';
  needsKey: boolean;
  handle: (request: Request) => Response | Promise<Response>;
}

/**
 * Creates the gateway API as a function. Every result, including errors, is a Response with an x-request-id; the
 * function never rejects.
 */
export function createDemoGateway(options: DemoGatewayOptions = {}): (request: Request) => Promise<Response> {
  const { key, now = Date.now, wait = waitOrAbort } = options;
  const createId = options.createId ?? (() => createRandomId(now()));
  const models = options.models ?? (options.hasQuirks ? chatModelsWithQuirks : chatModels);
  const catalog = createCatalog(models, embeddingModels);
  const requestWindow = createRequestWindow(options.requestsPerMinute ?? 0);
  const startedAtSeconds = Math.floor(now() / 1000);

  const routes: Record<string, Route> = {
    '/v1/chat/completions': {
      method: 'POST',
      needsKey: true,
      handle: async (request) => {
        const chatRequest = readChatRequest(
          await readJsonBody(request),
          catalog.findChatModel,
          options.tokensPerSecond,
        );
        return createChatResponse(chatRequest, { now, createId, wait, signal: request.signal });
      },
    },
    '/v1/embeddings': {
      method: 'POST',
      needsKey: true,
      handle: async (request) => {
        const embeddingsRequest = readEmbeddingsRequest(
          await readJsonBody(request),
          catalog.findEmbeddingModel,
        );
        return createEmbeddingsResponse(embeddingsRequest, () => wait(0, request.signal));
      },
    },
    '/v1/models': {
      method: 'GET',
      needsKey: true,
      handle: () => Response.json(catalog.list(startedAtSeconds)),
    },
    '/healthz': {
      method: 'GET',
      needsKey: false,
      handle: () => Response.json({ status: 'ok', models: catalog.size }),
    },
  };

  const handleRequest = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const route = Object.hasOwn(routes, pathname) ? routes[pathname] : undefined;
    if (route === undefined) throw new ApiError('not_found', `Nothing found at ${pathname}.`);
    if (request.method !== route.method) {
      const message = `${pathname} supports ${route.method}, not ${request.method}.`;
      throw new ApiError('method_not_allowed', message, { allow: route.method });
    }
    if (route.needsKey) checkKey(request, key);
    if (route.method === 'POST') {
      const waitMs = requestWindow.take(now());
      if (waitMs > 0) throw createRateLimitError(waitMs, options.requestsPerMinute ?? 0);
    }
    return route.handle(request);
  };

  return async (request) => {
    const response = await handleRequest(request).catch((error: unknown) =>
      toErrorResponse(toApiError(error, request)),
    );
    response.headers.set('x-request-id', readRequestId(request) ?? createId());
    return response;
  };
}

/** Throws if the key is missing or invalid (§5). */
function checkKey(request: Request, key: string | undefined): void {
  const sentKey = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  if (sentKey !== undefined && (key === undefined ? /^fk-./.test(sentKey) : sentKey === key)) return;
  throw new ApiError(
    'invalid_api_key',
    sentKey === undefined
      ? 'No API key was sent. Send the header Authorization: Bearer with a key.'
      : 'The API key is not valid.',
    { 'www-authenticate': 'Bearer' },
  );
}

function createRateLimitError(waitMs: number, requestsPerMinute: number): ApiError {
  const seconds = Math.ceil(waitMs / 1000);
  return new ApiError(
    'rate_limit_exceeded',
    `Rate limit of ${requestsPerMinute} requests per minute reached. Try again in ${seconds} s.`,
    { 'retry-after': String(seconds) },
  );
}

/** Returns the client's request ID only if it is safe in headers and logs (§4). */
function readRequestId(request: Request): string | undefined {
  const id = request.headers.get('x-request-id') ?? '';
  return /^[A-Za-z0-9._-]{1,128}$/.test(id) ? id : undefined;
}

function toApiError(error: unknown, request: Request): ApiError {
  if (error instanceof ApiError) return error;
  if (request.signal.aborted) return new ApiError('client_closed_request', 'The request was aborted.');
  return new ApiError('internal_error', `The demo gateway failed on this request: ${formatError(error)}`);
}

/** Large enough for several images; the same limit as in the Bench proxy. */
const maxRequestBodyBytes = 20 * 1024 * 1024;

/**
 * Parses the JSON object in a request body (§4); throws an ApiError for any other body. The size limit applies to the
 * bytes received.
 */
async function readJsonBody(request: Request): Promise<JsonObject> {
  const type = request.headers.get('content-type') ?? 'not sent';
  if (!/^application\/json *(;|$)/i.test(type)) {
    throw new ApiError('unsupported_media_type', `content-type is ${type}; it must be application/json.`);
  }
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (encoding !== 'identity') {
    throw new ApiError(
      'unsupported_media_type',
      `content-encoding is ${encoding}; send the body uncompressed.`,
    );
  }
  const parsed = parseJson(decodeUtf8(await readBytes(request)));
  if (!parsed.ok) throw new ApiError('invalid_request', `The body is not valid JSON: ${parsed.message}.`);
  if (!isRecord(parsed.value)) throw new ApiError('invalid_request', 'The body must be a JSON object.');
  return parsed.value;
}

async function readBytes(request: Request): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of request.body ?? []) {
    length += part.byteLength;
    if (length > maxRequestBodyBytes) {
      throw new ApiError('request_too_large', `The body is larger than ${maxRequestBodyBytes} bytes.`);
    }
    parts.push(part);
  }
  return parts;
}

function decodeUtf8(parts: Uint8Array[]): string {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    return parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode();
  } catch {
    throw new ApiError('invalid_request', 'The body is not valid UTF-8.');
  }
}

const windowMs = 60_000;

/** Sliding 60-second window of requests. */
interface RequestWindow {
  /** Counts a request and returns 0, or returns the number of ms until the next request is allowed. */
  take: (nowMs: number) => number;
}

/** Limits requests in any 60 seconds (§8); 0 means no limit. Rejected requests are not counted. */
function createRequestWindow(requestsPerMinute: number): RequestWindow {
  let requestTimes: number[] = [];
  return {
    take(nowMs) {
      if (requestsPerMinute === 0) return 0;
      requestTimes = requestTimes.filter((requestTime) => nowMs - requestTime < windowMs);
      const oldest = requestTimes[requestTimes.length - requestsPerMinute];
      if (oldest !== undefined) return oldest + windowMs - nowMs;
      requestTimes.push(nowMs);
      return 0;
    },
  };
}

/**
 * Resolves after this number of ms; for 0, after one turn of the event loop, without a timer. Rejects with the signal's
 * reason as soon as it aborts.
 */
export function waitOrAbort(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const finish = () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    };
    const timer = ms <= 0 ? undefined : setTimeout(finish, ms);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    if (ms <= 0) setImmediate(finish);
  });
}
