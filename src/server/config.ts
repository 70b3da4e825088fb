import { isIP } from 'node:net';

import { defaultTokensPerSecond } from '../demo-gateway/chat/chat-request.ts';
import { readBasePath, type BasePath } from '../lib/text/base-path.ts';
import { ConfigurationError } from './configuration-error.ts';
import { readExtraHeaders } from './proxy/extra-headers.ts';
import type { SettingLookup } from './settings-source.ts';

/** The configured gateway. Absent from a Config if the embedded demo gateway is used. */
export interface GatewayConfig {
  /** Scheme and authority, for example `https://gateway.example:8443`. */
  origin: string;
  /** API path below the origin. */
  path: BasePath;
  /** Host and port as displayed. */
  host: string;
  isLoopback: boolean;
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

/** The validated settings of the server. */
export interface Config {
  gateway?: GatewayConfig;
  /** Speed of the demo gateway; 0 means immediately. */
  demoTokensPerSecond: number;
  /** The demo gateway also lists `demo/strict`. */
  hasDemoQuirks: boolean;
  /** Inference POSTs per minute over all clients; 0 means no limit. */
  requestsPerMinute: number;
  listenHost: ListenHost;
  /** 0 picks a free port. */
  port: number;
  password?: string;
  /** Other accepted Host values in lower case, with or without a port. */
  allowedHosts: readonly string[];
}

/** Reads the variables listed in documentation/configuration.md. Throws ConfigurationError. */
export function readConfig(getSetting: SettingLookup, defaults: { port: number }): Config {
  const listenHost = readHostSetting(getSetting);
  const allowedHosts = readAllowedHosts(getSetting);
  const password = readPassword(getSetting, { listenHost, allowedHosts });
  const gateway = readGateway(getSetting);
  return {
    ...(gateway === undefined ? {} : { gateway }),
    demoTokensPerSecond: readDemoTokensPerSecond(getSetting),
    hasDemoQuirks: readDemoQuirks(getSetting),
    requestsPerMinute: readRequestsPerMinute(getSetting),
    listenHost,
    port: readPort(getSetting, defaults.port),
    ...(password === undefined ? {} : { password }),
    allowedHosts,
  };
}

const MIN_PASSWORD_CHARS = 12;

/** Reads PLAYGROUND_PASSWORD, which is required and must be long if clients on other machines can connect. */
function readPassword(
  getSetting: SettingLookup,
  { listenHost, allowedHosts }: Pick<Config, 'listenHost' | 'allowedHosts'>,
): string | undefined {
  const password = getSetting('PLAYGROUND_PASSWORD');
  const externalHost = allowedHosts.find((host) => !isLoopbackHost(host.replace(/:\d+$/, '')));
  if (listenHost.isLoopback && externalHost === undefined) return password;
  const [reason, alternative] = listenHost.isLoopback
    ? [`PLAYGROUND_ALLOWED_HOSTS contains ${externalHost}, which other machines can use`, 'remove that name']
    : [`HOST is ${listenHost.address}, which other machines can reach`, 'leave HOST at 127.0.0.1'];
  if (password === undefined)
    throw new ConfigurationError(`${reason}: set PLAYGROUND_PASSWORD, or ${alternative}.`);
  // At a hundred guesses per minute, a short password is found within hours.
  if (Array.from(password).length < MIN_PASSWORD_CHARS) {
    throw new ConfigurationError(
      `${reason}: PLAYGROUND_PASSWORD must have at least ${MIN_PASSWORD_CHARS} characters.`,
    );
  }
  return password;
}

/** Reads HOST; 127.0.0.1 by default. Throws ConfigurationError. */
export function readHostSetting(getSetting: SettingLookup): ListenHost {
  const text = getSetting('HOST') ?? '127.0.0.1';
  const listenHost = parseListenHost(text);
  if (listenHost === undefined)
    throw new ConfigurationError(`HOST is ${quoteText(text)}, which is neither an address nor a host name.`);
  return listenHost;
}

/** Reads GATEWAY_RPM, inference requests per minute; 0 means no limit. Throws ConfigurationError. */
export function readRequestsPerMinute(getSetting: SettingLookup): number {
  return readInteger(getSetting, 'GATEWAY_RPM', 50, 1_000_000);
}

/** Reads DEMO_GATEWAY_TOKENS_PER_SECOND; by default the demo gateway's own speed. Throws ConfigurationError. */
export function readDemoTokensPerSecond(getSetting: SettingLookup): number {
  return readInteger(getSetting, 'DEMO_GATEWAY_TOKENS_PER_SECOND', defaultTokensPerSecond, 100_000);
}

/** Reads DEMO_QUIRKS; off by default. Throws ConfigurationError. */
export function readDemoQuirks(getSetting: SettingLookup): boolean {
  const text = getSetting('DEMO_QUIRKS') ?? '0';
  if (text === '0' || text === '1') return text === '1';
  throw new ConfigurationError(`DEMO_QUIRKS is ${quoteText(text)}: it must be 1 (lists demo/strict) or 0.`);
}

/** Reads PORT; 0 picks a free one. Throws ConfigurationError. */
export function readPort(getSetting: SettingLookup, fallback: number): number {
  return readInteger(getSetting, 'PORT', fallback, 65_535);
}

function readGateway(getSetting: SettingLookup): GatewayConfig | undefined {
  const apiKey = readApiKey(getSetting);
  const extraHeaders = readExtraHeaders(getSetting('GATEWAY_EXTRA_HEADERS'), apiKey !== undefined);
  const timeouts = {
    connectTimeoutMs: readInteger(getSetting, 'GATEWAY_CONNECT_TIMEOUT_MS', 10_000, MAX_TIMER_MS),
    headersTimeoutMs: readInteger(getSetting, 'GATEWAY_HEADERS_TIMEOUT_MS', 600_000, MAX_TIMER_MS),
    idleTimeoutMs: readInteger(getSetting, 'GATEWAY_IDLE_TIMEOUT_MS', 600_000, MAX_TIMER_MS),
  };
  const baseUrl = getSetting('GATEWAY_BASE_URL');
  if (baseUrl === undefined) {
    if (apiKey === undefined) return undefined;
    throw new ConfigurationError(
      'GATEWAY_API_KEY is set but GATEWAY_BASE_URL is not: set GATEWAY_BASE_URL to the gateway that the key belongs to.',
    );
  }
  const httpProxy = readProxy(getSetting, 'HTTP_PROXY');
  const httpsProxy = readProxy(getSetting, 'HTTPS_PROXY');
  return {
    ...readBaseUrl(baseUrl),
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

function readApiKey(getSetting: SettingLookup): string | undefined {
  const key = getSetting('GATEWAY_API_KEY');
  if (key === undefined || /^[\x21-\x7e]+$/.test(key)) return key;
  throw new ConfigurationError(
    'GATEWAY_API_KEY contains a space or a character that is not allowed in an HTTP header.',
  );
}

function readBaseUrl(text: string): Pick<GatewayConfig, 'origin' | 'path' | 'host' | 'isLoopback'> {
  const url = parseUrl(text);
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new ConfigurationError(
      'GATEWAY_BASE_URL must be an address like https://gateway.example, with http or https.',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConfigurationError(
      'GATEWAY_BASE_URL must not contain a user name or password: put the key in GATEWAY_API_KEY.',
    );
  }
  const path = readBasePath(url.pathname);
  // The query of a pasted endpoint belongs to one request. In any other URL, it may be meant for all requests, which is
  // not supported.
  if (!path.isEndpointRemoved && (url.search !== '' || url.hash !== '')) {
    throw new ConfigurationError(
      'GATEWAY_BASE_URL must not contain a question mark or a hash: set only the origin of the gateway.',
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

function readAllowedHosts(getSetting: SettingLookup): string[] {
  const names = (getSetting('PLAYGROUND_ALLOWED_HOSTS') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase());
  const hostNames = names.filter((name) => name !== '');
  const invalidName = hostNames.find(
    (name) => !/^(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/.test(name),
  );
  if (invalidName === undefined) return hostNames;
  throw new ConfigurationError(
    `PLAYGROUND_ALLOWED_HOSTS contains ${quoteText(invalidName)}: use host names with or without a port, separated by commas.`,
  );
}

function readInteger(getSetting: SettingLookup, name: string, fallback: number, max: number): number {
  const text = getSetting(name);
  if (text === undefined) return fallback;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= max) return value;
  throw new ConfigurationError(`${name} is ${quoteText(text)}: it must be a whole number from 0 to ${max}.`);
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function quoteText(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}

/** The listening address in canonical form. */
interface ListenHost {
  /** Address to bind, or a host name. Never `localhost`, which may be two addresses. */
  address: string;
  /** Host for URLs: IPv6 in brackets; the loopback address for a wildcard. */
  urlHost: string;
  isLoopback: boolean;
  isWildcard: boolean;
}

/**
 * Parses HOST in any notation (decimal, octal, hexadecimal, bracketed, mapped IPv6, full-width digits) in the same way
 * as a URL, so that the checked address is exactly the bound one. `undefined` if it is not a host.
 */
export function parseListenHost(text: string): ListenHost | undefined {
  const unbracketed = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  const urlHost = parseUrlHost(isIP(unbracketed) === 6 ? `[${unbracketed}]` : unbracketed);
  if (urlHost === undefined) return undefined;
  if (urlHost === 'localhost')
    return { address: '127.0.0.1', urlHost: '127.0.0.1', isLoopback: true, isWildcard: false };
  const address = urlHost.startsWith('[') ? urlHost.slice(1, -1) : urlHost;
  const isWildcard = address === '0.0.0.0' || address === '::' || address === '::ffff:0:0';
  const isLoopback =
    (isIP(address) === 4 && address.startsWith('127.')) ||
    address === '::1' ||
    /^::ffff:7f[0-9a-f]{2}:/.test(address);
  if (!isWildcard) return { address, urlHost, isLoopback, isWildcard };
  return { address, urlHost: address === '::' ? '[::1]' : '127.0.0.1', isLoopback, isWildcard };
}

function parseUrlHost(text: string): string | undefined {
  if (/[\s/\\?#@%]/.test(text)) return undefined;
  try {
    const url = new URL(`http://${text}/`);
    // Only a port can be left next to the name, and `url.port` omits the default port of the scheme.
    return /:\d*$/.test(text.replace(/^\[[^\]]*\]/, '')) ? undefined : url.hostname;
  } catch {
    return undefined;
  }
}

/** Returns true for a gateway on this machine, which is contacted directly even if a proxy is configured. */
function isLoopbackHost(hostname: string): boolean {
  return hostname.endsWith('.localhost') || parseListenHost(hostname)?.isLoopback === true;
}
