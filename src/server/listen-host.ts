import { isIP } from 'node:net';

/** Where a server listens, in one canonical spelling. */
export interface ListenHost {
  /** What is bound: an address, or a name that is not an address. Never `localhost`, which may be two addresses. */
  address: string;
  /** The same inside a URL: IPv6 in brackets; the loopback address where every address is bound. */
  urlHost: string;
  isLoopback: boolean;
  isWildcard: boolean;
}

/**
 * Reads HOST in any spelling (decimal, octal, hexadecimal, bracketed, mapped IPv6, full-width digits) the way
 * URLs are read, so that what is judged is exactly what is bound. Undefined when it is not a host.
 */
export function readListenHost(text: string): ListenHost | undefined {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  const urlHost = urlHostOf(isIP(bare) === 6 ? `[${bare}]` : bare);
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

function urlHostOf(text: string): string | undefined {
  if (text === '' || /[\s/\\?#@%]/.test(text)) return undefined;
  try {
    const url = new URL(`http://${text}/`);
    return url.port === '' && url.pathname === '/' && !/:\d*$/.test(text.replace(/^\[[^\]]*\]/, ''))
      ? url.hostname
      : undefined;
  } catch {
    return undefined;
  }
}

/** True for a gateway on this machine: it is spoken to directly, whatever proxy the environment names. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname.endsWith('.localhost') || readListenHost(hostname)?.isLoopback === true;
}
