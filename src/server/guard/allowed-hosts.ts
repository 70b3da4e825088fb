import type { Config } from '../config.ts';
import type { GuardSettings } from './guard.ts';

/**
 * Returns the accepted hosts once the port is known: loopback names and HOST with the port, and
 * PLAYGROUND_ALLOWED_HOSTS.
 */
export function createGuardSettings(
  config: Pick<Config, 'listenHost' | 'allowedHosts'>,
  port: number,
): GuardSettings {
  const originsByHost = new Map<string, readonly string[]>();
  const address = config.listenHost.address.includes(':')
    ? `[${config.listenHost.address}]`
    : config.listenHost.address;
  for (const name of config.allowedHosts) {
    // Behind a reverse proxy, the page may use https although the request arrives as http.
    const hosts = /:\d+$/.test(name) ? [name] : [name, withPort(name, port)];
    for (const host of hosts) originsByHost.set(host, [`http://${host}`, `https://${host}`]);
  }
  for (const name of ['localhost', '127.0.0.1', '[::1]', address]) {
    const host = withPort(name, port);
    if (!originsByHost.has(host)) originsByHost.set(host, [`http://${host}`]);
  }
  return {
    originsByHost,
    canonicalOrigin: `http://${withPort(config.listenHost.urlHost, port)}`,
    redirectedHost: withPort('localhost', port),
  };
}

/** Browsers omit the default port of the scheme in the Host header. */
function withPort(name: string, port: number): string {
  return port === 80 ? name : `${name}:${port}`;
}
