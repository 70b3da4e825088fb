const ALLOWED_SCHEMES = new Set(['http:', 'https:', 'mailto:']);

/** A link that may be followed: its normal form, and where it really leads (host with punycode, or address). */
interface SafeLink {
  href: string;
  host: string;
}

/**
 * Reads a link of a message. Undefined when it is relative, cannot be parsed, or has a scheme other than http, https
 * and mailto: it is then shown as text. The check is on the parsed URL, as the browser reads it.
 */
export function safeLink(href: string): SafeLink | undefined {
  const written = href.startsWith('www.') ? `http://${href}` : href;
  let url: URL;
  try {
    url = new URL(written);
  } catch {
    return undefined;
  }
  if (!ALLOWED_SCHEMES.has(url.protocol)) return undefined;
  if (url.protocol === 'mailto:') return { href: url.href, host: url.pathname };
  if (url.host === '') return undefined;
  return { href: url.href, host: url.host };
}

/** An image that may be loaded when asked for: http and https only. */
export function safeImage(href: string): SafeLink | undefined {
  const link = safeLink(href);
  return link === undefined || link.href.startsWith('mailto:') ? undefined : link;
}
