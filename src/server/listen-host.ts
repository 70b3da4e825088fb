import { isIP } from 'node:net';

/** The listening address in canonical form. */
export interface ListenHost {
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
export function isLoopbackHost(hostname: string): boolean {
  return hostname.endsWith('.localhost') || parseListenHost(hostname)?.isLoopback === true;
}
