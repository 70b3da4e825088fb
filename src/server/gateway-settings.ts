import { getVariablePrefix, isGatewayName, onlyGatewayName } from '../lib/gateway-variables.ts';
import { readBasePath, type BasePath } from '../lib/text/base-path.ts';
import { ConfigurationError } from './configuration-error.ts';
import { isLoopbackHost } from './listen-host.ts';
import { readExtraHeaders } from './proxy/extra-headers.ts';
import { quoteText, readInteger, type SettingLookup } from './settings-source.ts';

/** A gateway that this server offers. */
export interface NamedGateway {
  /** Name in routes and records; `default` unless GATEWAYS is set. */
  name: string;
  /** Name on screen. */
  label: string;
  /** Inference POSTs per minute over all clients; 0 means no limit. */
  requestsPerMinute: number;
  /** Variable that sets the limit, for messages. */
  limitVariable: string;
  /** Absent for the embedded demo gateway. */
  remote?: GatewayConfig;
}

/** Address, key and timeouts of a gateway. */
export interface GatewayConfig {
  /** Scheme and authority, for example `https://gateway.example:8443`. */
  origin: string;
  /** API path below the origin. */
  path: BasePath;
  /** Host and port as displayed. */
  host: string;
  isLoopback: boolean;
  /** Variable that contains the address, for messages. */
  addressVariable: string;
  apiKey?: string;
  /** Header names are in lower case. */
  extraHeaders: readonly (readonly [name: string, value: string])[];
  connectTimeoutMs: number;
  headersTimeoutMs: number;
  idleTimeoutMs: number;
  httpProxy?: string;
  httpsProxy?: string;
  noProxy: string;
}

const DEMO_NAME = 'demo';
const DEMO_LABEL = 'Demo gateway';
const MAX_GATEWAYS = 20;
/** Path segments below /gateway/ that are not names, and the name of a gateway without one. */
const RESERVED_NAMES = new Set(['v1', 'healthz', 'channel', onlyGatewayName]);
/** Variables of the only gateway, which would be ambiguous beside GATEWAYS. */
const SINGLE_GATEWAY_VARIABLES = [
  'GATEWAY_BASE_URL',
  'GATEWAY_API_KEY',
  'GATEWAY_EXTRA_HEADERS',
  'GATEWAY_LOG_URL',
  'GATEWAY_LABEL',
];

/**
 * Reads the gateways: those that GATEWAYS names, each from variables with its name, or the one of GATEWAY_BASE_URL, or
 * the embedded demo gateway. Throws ConfigurationError.
 */
export function readGateways(getSetting: SettingLookup): readonly [NamedGateway, ...NamedGateway[]] {
  const names = readGatewayNames(getSetting);
  if (names === undefined) return [readGateway(getSetting, onlyGatewayName)];
  const single = SINGLE_GATEWAY_VARIABLES.find((variable) => getSetting(variable) !== undefined);
  if (single !== undefined) {
    const [first] = names;
    const replacement = getVariablePrefix(first) + single.slice('GATEWAY_'.length);
    throw new ConfigurationError(
      `GATEWAYS and ${single} are both set: use ${replacement} for the gateway ${first}, or remove GATEWAYS.`,
    );
  }
  const [first, ...others] = names.map((name) => readGateway(getSetting, name));
  return first === undefined ? [readGateway(getSetting, onlyGatewayName)] : [first, ...others];
}

function readGatewayNames(getSetting: SettingLookup): [string, ...string[]] | undefined {
  const text = getSetting('GATEWAYS');
  if (text === undefined) return undefined;
  const names = text.split(',').map((name) => name.trim());
  const [first, ...others] = names;
  for (const [index, name] of names.entries()) {
    if (!isGatewayName(name))
      throw new ConfigurationError(
        `GATEWAYS contains ${quoteText(name)}: a name has 1 to 20 of a to z, 0 to 9 and hyphens, and begins with a letter.`,
      );
    if (RESERVED_NAMES.has(name))
      throw new ConfigurationError(`GATEWAYS contains ${name}, which is reserved: use another name.`);
    if (names.indexOf(name) !== index)
      throw new ConfigurationError(`GATEWAYS contains ${name} twice: each name needs its own variables.`);
  }
  if (first === undefined || names.length > MAX_GATEWAYS)
    throw new ConfigurationError(`GATEWAYS has ${names.length} names: at most ${MAX_GATEWAYS} are possible.`);
  return [first, ...others];
}

function readGateway(getSetting: SettingLookup, name: string): NamedGateway {
  const prefix = getVariablePrefix(name);
  const isOnly = name === onlyGatewayName;
  const remote = readRemote(getSetting, name, prefix);
  const limitVariable = getSetting(`${prefix}RPM`) === undefined ? 'GATEWAY_RPM' : `${prefix}RPM`;
  const label =
    getSetting(`${prefix}LABEL`) ?? (isOnly ? remote?.host : name === DEMO_NAME ? undefined : name);
  return {
    name,
    label: label ?? DEMO_LABEL,
    requestsPerMinute: readRequestsPerMinute(getSetting, limitVariable),
    limitVariable,
    ...(remote === undefined ? {} : { remote }),
  };
}

/** Reads a limit of inference requests per minute; 0 means no limit. Throws ConfigurationError. */
export function readRequestsPerMinute(getSetting: SettingLookup, variable = 'GATEWAY_RPM'): number {
  return readInteger(getSetting, variable, 50, 1_000_000);
}

/** Returns `undefined` for the embedded demo gateway. */
function readRemote(getSetting: SettingLookup, name: string, prefix: string): GatewayConfig | undefined {
  const addressVariable = `${prefix}BASE_URL`;
  const keyVariable = `${prefix}API_KEY`;
  const headersVariable = `${prefix}EXTRA_HEADERS`;
  const apiKey = readApiKey(getSetting, keyVariable);
  const extraHeaders = readExtraHeaders(getSetting(headersVariable), headersVariable, apiKey && keyVariable);
  const timeouts = {
    connectTimeoutMs: readInteger(getSetting, 'GATEWAY_CONNECT_TIMEOUT_MS', 10_000, MAX_TIMER_MS),
    headersTimeoutMs: readInteger(getSetting, 'GATEWAY_HEADERS_TIMEOUT_MS', 600_000, MAX_TIMER_MS),
    idleTimeoutMs: readInteger(getSetting, 'GATEWAY_IDLE_TIMEOUT_MS', 600_000, MAX_TIMER_MS),
  };
  const baseUrl = getSetting(addressVariable);
  if (name === DEMO_NAME) {
    const extra = [addressVariable, keyVariable, headersVariable].find(
      (text) => getSetting(text) !== undefined,
    );
    if (extra === undefined) return undefined;
    throw new ConfigurationError(
      `${extra} is set, but the name demo means the embedded demo gateway: use another name.`,
    );
  }
  if (baseUrl === undefined) {
    if (apiKey !== undefined)
      throw new ConfigurationError(
        `${keyVariable} is set but ${addressVariable} is not: set ${addressVariable} to the gateway that the key belongs to.`,
      );
    if (name === onlyGatewayName) return undefined;
    throw new ConfigurationError(`GATEWAYS contains ${name}, but ${addressVariable} is not set.`);
  }
  const httpProxy = readProxy(getSetting, 'HTTP_PROXY');
  const httpsProxy = readProxy(getSetting, 'HTTPS_PROXY');
  return {
    ...readBaseUrl(baseUrl, addressVariable, keyVariable),
    addressVariable,
    ...(apiKey === undefined ? {} : { apiKey }),
    extraHeaders,
    ...timeouts,
    ...(httpProxy === undefined ? {} : { httpProxy }),
    ...(httpsProxy === undefined ? {} : { httpsProxy }),
    noProxy: getSetting('no_proxy') ?? getSetting('NO_PROXY') ?? '',
  };
}

/** Maximum delay of a Node timer in ms. */
const MAX_TIMER_MS = 2_147_483_647;

function readApiKey(getSetting: SettingLookup, variable: string): string | undefined {
  const key = getSetting(variable);
  if (key === undefined || /^[\x21-\x7e]+$/.test(key)) return key;
  throw new ConfigurationError(
    `${variable} contains a space or a character that is not allowed in an HTTP header.`,
  );
}

function readBaseUrl(
  text: string,
  variable: string,
  keyVariable: string,
): Pick<GatewayConfig, 'origin' | 'path' | 'host' | 'isLoopback'> {
  const url = parseUrl(text);
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new ConfigurationError(
      `${variable} must be an address like https://gateway.example, with http or https.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConfigurationError(
      `${variable} must not contain a user name or password: put the key in ${keyVariable}.`,
    );
  }
  const path = readBasePath(url.pathname);
  // The query of a pasted endpoint belongs to one request. In any other URL, it may be meant for all requests, which is
  // not supported.
  if (!path.isEndpointRemoved && (url.search !== '' || url.hash !== '')) {
    throw new ConfigurationError(
      `${variable} must not contain a question mark or a hash: set only the origin of the gateway.`,
    );
  }
  return { origin: url.origin, path, host: url.host, isLoopback: isLoopbackHost(url.hostname) };
}

function readProxy(getSetting: SettingLookup, name: string): string | undefined {
  const text = getSetting(name.toLowerCase()) ?? getSetting(name);
  if (text === undefined) return undefined;
  const url = parseUrl(text.includes('://') ? text : `http://${text}`);
  if (url !== undefined && ['http:', 'https:', 'socks5:'].includes(url.protocol)) return url.href;
  throw new ConfigurationError(`${name} must be the address of a proxy, like http://proxy.example:3128.`);
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
