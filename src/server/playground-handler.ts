import { createHash } from 'node:crypto';

import { createDemoGateway } from '../demo-gateway/gateway.ts';
import type { GatewayStatus, PlaygroundStatus } from '../gateway/http/status.ts';
import { demoBaseUrl, demoGatewayId, demoHeader } from '../lib/channel-frames.ts';
import { createRandomId } from '../lib/ids.ts';
import { createChannels, type Channels } from './channel/channels.ts';
import type { Config } from './config.ts';
import type { NamedGateway } from './gateway-settings.ts';
import { isApiPath } from './guard/guard.ts';
import { createLogin } from './guard/login.ts';
import { createRateLimit } from './guard/rate-limit.ts';
import { STALL_TIMEOUT_MS } from './node-adapter.ts';
import { listGatewayPrices, type PriceEntry } from './price-file.ts';
import { createApiPath } from './proxy/api-path.ts';
import { createErrorResponse, createJsonResponse } from './proxy/error-response.ts';
import type { ServerErrorType } from './proxy/error-response.ts';
import { createHttpUpstream } from './proxy/http-upstream.ts';
import { createProxy, createProxyCapacity } from './proxy/proxy.ts';
import { createRedaction } from './proxy/redaction.ts';
import type { TextRedaction } from './proxy/redaction.ts';
import { findRoute } from './routes.ts';
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
  /** Gateways in the order of the configuration. */
  gateways: readonly ServedGateway[];
  close: () => Promise<void>;
}

/** A gateway with its proxy. */
export interface ServedGateway extends NamedGateway {
  proxy: ReturnType<typeof createProxy>;
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
  const redaction = createRedaction(config.gateways.flatMap(({ remote }) => remote ?? []));
  const common = { capacity: createProxyCapacity(), createId, redaction };
  const handleDemoRequest = createDemoGateway({
    key: IN_PROCESS_KEY,
    tokensPerSecond: config.demoTokensPerSecond,
    hasQuirks: config.hasDemoQuirks,
  });
  const serveGateway = (gateway: NamedGateway): ServedGateway => {
    const { remote, requestsPerMinute, limitVariable } = gateway;
    const upstream = remote && createHttpUpstream(remote);
    const apiPath = createApiPath(remote?.path.apiPaths ?? ['/v1']);
    const proxy = createProxy({
      ...common,
      rateLimit: createRateLimit(requestsPerMinute, 60_000, now),
      limitVariable,
      upstream: upstream?.handle ?? handleDemoRequest,
      gateway: remote ?? {
        origin: demoBaseUrl,
        host: 'the demo gateway',
        addressVariable: 'GATEWAY_BASE_URL',
        apiKey: IN_PROCESS_KEY,
        extraHeaders: [],
      },
      apiPath,
    });
    return {
      ...gateway,
      proxy,
      getApiAddress: () => (remote ? redaction.redactText(remote.origin + apiPath.getCurrent()) : ''),
      checkApiAddress: () => checkApiAddress(proxy),
      close: async () => upstream?.close(),
    };
  };
  const [firstGateway, ...otherGateways] = config.gateways;
  const first = serveGateway(firstGateway);
  const gateways: [ServedGateway, ...ServedGateway[]] = [first, ...otherGateways.map(serveGateway)];
  // The page can send requests to the demo gateway whatever is configured.
  const demo =
    gateways.find(({ remote }) => remote === undefined) ?? serveGateway(toDemoGateway(firstGateway));
  const isForDemo = (request: Request) => request.headers.get(demoHeader) === '1';
  const login = config.password === undefined ? undefined : createLogin(config.password, now);

  const channels = createChannels({ stallTimeoutMs: getStallTimeoutMs(config) });

  const readStatus = () => buildStatus(gateways, config.prices, version);
  const findProxy = (request: Request, path: string) => {
    if (isForDemo(request)) return demo.proxy;
    const gatewayName = findRoute(path)?.gatewayName;
    if (gatewayName === undefined) return first.proxy;
    return gateways.find(({ name }) => name === gatewayName)?.proxy;
  };

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
    const proxy = isGateway ? findProxy(request, path) : undefined;
    if (isGateway && proxy === undefined)
      return createRefusal('not_found', 'No gateway of this server has this name.');
    const response = proxy ? await proxy(request, context) : createStatusResponse(request, readStatus);
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
    gateways,
    close: async () => {
      channels.end();
      await Promise.all(gateways.map((gateway) => gateway.close()));
    },
  };
}

function createStatusResponse(request: Request, getStatus: () => StatusBody): Response {
  if (request.method !== 'GET')
    return createRefusal('method_not_allowed', 'This address accepts GET only.', { allow: 'GET' });
  return createJsonResponse(getStatus());
}

/** Returns the embedded demo gateway with the limit of another. */
function toDemoGateway({ remote: _, ...gateway }: NamedGateway): NamedGateway {
  return gateway;
}

/** Returns the maximum time without data in ms, which is the same for all gateways. */
export function getStallTimeoutMs({ gateways }: Config): number {
  return gateways.find(({ remote }) => remote)?.remote?.idleTimeoutMs ?? STALL_TIMEOUT_MS;
}

async function checkApiAddress(proxy: ServedGateway['proxy']): Promise<string | undefined> {
  const signal = AbortSignal.timeout(ADDRESS_CHECK_TIMEOUT_MS);
  const request = new Request(`${demoBaseUrl}/gateway/v1/models`, { signal });
  const response = await proxy(request).catch(() => undefined);
  if (response === undefined) return 'no response';
  await response.body?.cancel().catch(() => undefined);
  if (/^\s*text\/html\b/i.test(response.headers.get('content-type') ?? '')) return 'a web page';
  const { ok, status } = response;
  return ok || status === 401 || status === 403 || status === 429 ? undefined : `status ${status}`;
}

/** All gateways by name, and the fields of the first one; its `name` is the name on screen. */
type StatusBody = PlaygroundStatus & Omit<GatewayStatus, 'label'>;

/**
 * Handles GET /playground/status: the fields of the first gateway, and all gateways by name. Never contains a key.
 */
function buildStatus(
  gateways: readonly [ServedGateway, ...ServedGateway[]],
  prices: readonly PriceEntry[],
  version: string,
): StatusBody {
  const [first, ...others] = gateways;
  const { label, ...status } = describeGateway(first, prices);
  return {
    ...status,
    name: label,
    version,
    gateways: [{ ...status, label }, ...others.map((gateway) => describeGateway(gateway, prices))],
  };
}

function describeGateway(
  { name, label, requestsPerMinute, remote, getApiAddress }: ServedGateway,
  prices: readonly PriceEntry[],
): GatewayStatus {
  const isKeyHeader = ([header]: readonly [string, string]) => /auth|key|token|secret/.test(header);
  return {
    name,
    label,
    id: remote ? getGatewayId(remote.origin + remote.path.prefix) : demoGatewayId,
    host: remote?.host ?? '',
    address: getApiAddress(),
    demo: remote === undefined,
    keyConfigured:
      remote !== undefined && (remote.apiKey !== undefined || remote.extraHeaders.some(isKeyHeader)),
    requestsPerMinute,
    prices: listGatewayPrices(prices, name),
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
