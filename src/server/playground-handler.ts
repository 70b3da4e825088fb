import { createHash } from 'node:crypto';

import { createDemoGateway } from '../demo-gateway/gateway.ts';
import type { PlaygroundStatus } from '../gateway/http/status.ts';
import { demoBaseUrl, demoGatewayId, demoHeader } from '../lib/channel-frames.ts';
import { createRandomId } from '../lib/ids.ts';
import { createChannels, type Channels } from './channel/channels.ts';
import type { Config } from './config.ts';
import { isApiPath } from './guard/guard.ts';
import { createLogin } from './guard/login.ts';
import { createRateLimit } from './guard/rate-limit.ts';
import { STALL_TIMEOUT_MS } from './node-adapter.ts';
import { createApiPath } from './proxy/api-path.ts';
import { createErrorResponse, createJsonResponse } from './proxy/error-response.ts';
import type { ServerErrorType } from './proxy/error-response.ts';
import { createHttpUpstream } from './proxy/http-upstream.ts';
import { createProxy } from './proxy/proxy.ts';
import { createRedaction } from './proxy/redaction.ts';
import type { TextRedaction } from './proxy/redaction.ts';
import type { RequestContext, RouteHandler } from './web-handler.ts';

/** Handles everything under /gateway/ and /playground/, both in production and in development. */
export interface PlaygroundHandler {
  /** Returns undefined for the path of a page or file. Expects requests that have passed the guard. */
  handle: RouteHandler;
  /** Connections that carry many requests each (channel/upgrade.ts accepts them). */
  channels: Channels;
  /** Returns the owner of a request and the end of the session, if any; `undefined` if a login is required. */
  identifyOwner: (request: Request) => { owner: string; endsAt: number | undefined } | undefined;
  /** Removes keys from a log line. */
  redact: TextRedaction;
  /** Returns the URL prefix of the gateway's API; empty for the demo gateway. */
  getApiAddress: () => string;
  /**
   * Requests the model list. Resolves with a description of the response if no API responded, otherwise with
   * `undefined`.
   */
  checkApiAddress: () => Promise<string | undefined>;
  close: () => Promise<void>;
}

/** Never leaves this process: the proxy sends it to the embedded demo gateway. */
const IN_PROCESS_KEY = 'fk-in-process';
const ADDRESS_CHECK_TIMEOUT_MS = 10_000;

export function createPlaygroundHandler(
  config: Config,
  version: string,
  now: () => number = () => Date.now(),
): PlaygroundHandler {
  const createId = () => createRandomId(Date.now());
  const redaction = createRedaction(config.gateway);
  const upstream = config.gateway === undefined ? undefined : createHttpUpstream(config.gateway);
  const common = { rateLimit: createRateLimit(config.requestsPerMinute, 60_000, now), createId };
  const demoProxy = createProxy({
    ...common,
    upstream: createDemoGateway({
      key: IN_PROCESS_KEY,
      tokensPerSecond: config.demoTokensPerSecond,
      hasQuirks: config.hasDemoQuirks,
    }),
    gateway: {
      origin: demoBaseUrl,
      host: 'the demo gateway',
      apiKey: IN_PROCESS_KEY,
      extraHeaders: [],
    },
    apiPath: createApiPath(['/v1']),
    redaction,
  });
  const apiPath = createApiPath(config.gateway?.path.apiPaths ?? ['/v1']);
  const gatewayProxy =
    config.gateway === undefined || upstream === undefined
      ? demoProxy
      : createProxy({ ...common, upstream: upstream.handle, gateway: config.gateway, apiPath, redaction });
  const isForDemo = (request: Request) => request.headers.get(demoHeader) === '1';
  const login = config.password === undefined ? undefined : createLogin(config.password, now);

  const channels = createChannels({ stallTimeoutMs: config.gateway?.idleTimeoutMs ?? STALL_TIMEOUT_MS });

  const getApiAddress = () =>
    config.gateway === undefined ? '' : redaction.redactText(config.gateway.origin + apiPath.getCurrent());
  const readStatus = () => buildStatus(config, getApiAddress(), version);

  const handleRoute = async (request: Request, context: RequestContext, path: string): Promise<Response> => {
    if (login !== undefined && path === '/playground/login')
      return rejectUnlessPost(request) ?? login.login(request, context);
    if (login !== undefined && path === '/playground/logout') {
      const client = login.identifyOwner(request);
      if (client !== undefined && request.method === 'POST') channels.closeForOwner(client.owner);
      return rejectUnlessPost(request) ?? login.logout(request);
    }
    const isStatus = path === '/playground/status';
    const isGateway = path.startsWith('/gateway/');
    if (!isStatus && !isGateway) return createRefusal('not_found', 'Nothing found at this address.');
    if (login?.isLoggedIn(request) === false)
      return createRefusal('login_required', 'Bench requires a password.');
    const proxy = isForDemo(request) ? demoProxy : gatewayProxy;
    const response = isGateway ? await proxy(request, context) : createStatusResponse(request, readStatus);
    const renewalCookie = login?.createRenewalCookie(request);
    if (renewalCookie !== undefined) response.headers.append('set-cookie', renewalCookie);
    return response;
  };

  return {
    async handle(request, context) {
      const { pathname, search } = new URL(request.url);
      return isApiPath(pathname) ? handleRoute(request, context, pathname + search) : undefined;
    },
    channels,
    identifyOwner: (request) =>
      login === undefined ? { owner: '', endsAt: undefined } : login.identifyOwner(request),
    redact: redaction.redactText,
    getApiAddress,
    checkApiAddress: async () => {
      const signal = AbortSignal.timeout(ADDRESS_CHECK_TIMEOUT_MS);
      const request = new Request(`${demoBaseUrl}/gateway/v1/models`, { signal });
      const response = await gatewayProxy(request).catch(() => undefined);
      if (response === undefined) return 'no response';
      await response.body?.cancel().catch(() => undefined);
      if (/^\s*text\/html\b/i.test(response.headers.get('content-type') ?? '')) return 'a web page';
      const { ok, status } = response;
      return ok || status === 401 || status === 403 || status === 429 ? undefined : `status ${status}`;
    },
    close: async () => {
      channels.end();
      await upstream?.close();
    },
  };
}

function createStatusResponse(request: Request, getStatus: () => PlaygroundStatus): Response {
  if (request.method !== 'GET')
    return createRefusal('method_not_allowed', 'This address accepts GET only.', { allow: 'GET' });
  return createJsonResponse(getStatus());
}

/** Handles GET /playground/status. Never contains the key. */
function buildStatus(config: Config, apiAddress: string, version: string): PlaygroundStatus {
  const { gateway, requestsPerMinute } = config;
  const common = { requestsPerMinute, version };
  if (gateway === undefined)
    return {
      id: demoGatewayId,
      name: 'Demo gateway',
      host: '',
      address: '',
      demo: true,
      keyConfigured: false,
      ...common,
    };
  const { origin, path, host, apiKey, extraHeaders } = gateway;
  const isKeyHeader = ([name]: readonly [string, string]) => /auth|key|token|secret/.test(name);
  const id = getGatewayId(origin + path.prefix);
  return {
    id,
    name: host,
    host,
    address: apiAddress,
    demo: false,
    keyConfigured: apiKey !== undefined || extraHeaders.some(isKeyHeader),
    ...common,
  };
}

/** Returns an ID for stored answers that does not reveal the URL of the gateway. */
function getGatewayId(baseUrl: string): string {
  return createHash('sha256').update(baseUrl).digest('hex').slice(0, 16);
}

function rejectUnlessPost(request: Request): Response | undefined {
  if (request.method === 'POST') return undefined;
  return createRefusal('method_not_allowed', 'This address accepts POST only.', { allow: 'POST' });
}

function createRefusal(
  type: ServerErrorType,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return createErrorResponse({ type, message, headers });
}
