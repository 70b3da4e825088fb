import { defaultTokensPerSecond } from '../demo-gateway/chat/chat-request.ts';
import { ConfigurationError } from './configuration-error.ts';
import { readGateways, type NamedGateway } from './gateway-settings.ts';
import { isLoopbackHost, parseListenHost, type ListenHost } from './listen-host.ts';
import { readPriceFile, type PriceEntry } from './price-file.ts';
import { quoteText, readInteger, type SettingLookup } from './settings-source.ts';

/** The validated settings of the server. */
export interface Config {
  /** The first one serves requests that name none. */
  gateways: readonly [NamedGateway, ...NamedGateway[]];
  /** Prices that the operator sets. */
  prices: readonly PriceEntry[];
  /** Speed of the demo gateway; 0 means immediately. */
  demoTokensPerSecond: number;
  /** The demo gateway also lists `demo/strict`. */
  hasDemoQuirks: boolean;
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
  const gateways = readGateways(getSetting);
  return {
    gateways,
    prices: readPriceFile(
      getSetting,
      gateways.map(({ name }) => name),
    ),
    demoTokensPerSecond: readDemoTokensPerSecond(getSetting),
    hasDemoQuirks: readDemoQuirks(getSetting),
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
