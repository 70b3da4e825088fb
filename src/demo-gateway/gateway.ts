import { newRandomId } from '../lib/ids.ts';
import { ApiError, errorResponse } from './api-error.ts';
import { createCatalog } from './catalog.ts';
import { readChatRequest } from './chat/chat-request.ts';
import { chatResponse } from './chat/chat.ts';
import { embeddingModels } from './embeddings/embedding-models.ts';
import { readEmbeddingsRequest } from './embeddings/embeddings-request.ts';
import { embeddingsResponse } from './embeddings/embeddings.ts';
import type { DemoModel } from './model.ts';
import { allModels } from './models/all-models.ts';
import { readJsonBody } from './request-body.ts';
import { createRequestWindow } from './request-window.ts';
import { waitFor } from './wait-for.ts';

export interface DemoGatewayOptions {
  /** The one key that is valid. Without it, any key of the right form is: `fk-` and something after it. */
  key?: string;
  /** §8: POSTs in any 60 seconds, beyond which the answer is 429; 0, the default: no limit. */
  requestsPerMinute?: number;
  /** The pace of answers whose request names none; 60 unless given, 0 is as fast as they are taken. */
  tokensPerSecond?: number;
  /** Epoch milliseconds. */
  now?: () => number;
  newId?: () => string;
  /** Resolves after so many milliseconds, 0 after others had their turn; rejects when the signal aborts. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  models?: readonly DemoModel[];
}

interface Route {
  method: 'GET' | 'POST';
  needsKey: boolean;
  answer: (request: Request) => Response | Promise<Response>;
}

/** gateway-spec.md as a function: every answer, errors too, is a Response with an x-request-id. Never rejects. */
export function createDemoGateway(options: DemoGatewayOptions = {}): (request: Request) => Promise<Response> {
  const { key, now = Date.now, wait = waitFor } = options;
  const newId = options.newId ?? (() => newRandomId(now()));
  const catalog = createCatalog(options.models ?? allModels, embeddingModels);
  const requests = createRequestWindow(options.requestsPerMinute ?? 0);
  const startedAtSeconds = Math.floor(now() / 1000);

  const routes: Record<string, Route> = {
    '/v1/chat/completions': {
      method: 'POST',
      needsKey: true,
      answer: async (request) => {
        const call = readChatRequest(
          await readJsonBody(request),
          catalog.findChatModel,
          options.tokensPerSecond,
        );
        return chatResponse(call, { now, newId, wait, signal: request.signal });
      },
    },
    '/v1/embeddings': {
      method: 'POST',
      needsKey: true,
      answer: async (request) => {
        const call = readEmbeddingsRequest(await readJsonBody(request), catalog.findEmbeddingModel);
        return embeddingsResponse(call, () => wait(0, request.signal));
      },
    },
    '/v1/models': {
      method: 'GET',
      needsKey: true,
      answer: () => Response.json(catalog.list(startedAtSeconds)),
    },
    '/healthz': {
      method: 'GET',
      needsKey: false,
      answer: () => Response.json({ status: 'ok', models: catalog.size }),
    },
  };

  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const route = Object.hasOwn(routes, pathname) ? routes[pathname] : undefined;
    if (route === undefined) throw new ApiError('not_found', `Nothing found at ${pathname}.`);
    if (request.method !== route.method) {
      const message = `${pathname} accepts ${route.method}, not ${request.method}.`;
      throw new ApiError('method_not_allowed', message, { allow: route.method });
    }
    if (route.needsKey) checkKey(request, key);
    if (route.method === 'POST') {
      const waitMs = requests.take(now());
      if (waitMs > 0) throw tooMany(waitMs, options.requestsPerMinute ?? 0);
    }
    return route.answer(request);
  };

  return async (request) => {
    const response = await answer(request).catch((error: unknown) =>
      errorResponse(asApiError(error, request)),
    );
    response.headers.set('x-request-id', requestIdOf(request) ?? newId());
    return response;
  };
}

/** §5 */
function checkKey(request: Request, key: string | undefined): void {
  const sent = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  if (sent !== undefined && (key === undefined ? /^fk-./.test(sent) : sent === key)) return;
  throw new ApiError(
    'invalid_api_key',
    sent === undefined
      ? 'No API key was sent; send the header Authorization: Bearer with a key.'
      : 'The API key is not valid.',
    { 'www-authenticate': 'Bearer' },
  );
}

function tooMany(waitMs: number, requestsPerMinute: number): ApiError {
  const seconds = Math.ceil(waitMs / 1000);
  return new ApiError(
    'rate_limit_exceeded',
    `The limit is ${requestsPerMinute} requests per minute; try again in ${seconds} s.`,
    { 'retry-after': String(seconds) },
  );
}

/** §4: a tracing value is echoed only if it is safe in headers and logs. */
function requestIdOf(request: Request): string | undefined {
  const id = request.headers.get('x-request-id') ?? '';
  return /^[A-Za-z0-9._-]{1,128}$/.test(id) ? id : undefined;
}

function asApiError(error: unknown, request: Request): ApiError {
  if (error instanceof ApiError) return error;
  if (request.signal.aborted) return new ApiError('client_closed_request', 'The request was aborted.');
  const reason = error instanceof Error ? error.message : String(error);
  return new ApiError('internal_error', `The demo gateway failed on this request: ${reason}`);
}
