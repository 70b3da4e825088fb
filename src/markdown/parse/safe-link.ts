import { trimEndChars } from '../../lib/text/trim.ts';

const ALLOWED_SCHEMES = new Set(['http:', 'https:', 'mailto:']);

/** A link that may be followed: its normalised form and its real target (host in punycode, or email address). */
interface SafeLink {
  href: string;
  host: string;
}

/**
 * Parses a link in a message. Returns undefined if it is relative, invalid, or has a scheme other than http, https and
 * mailto; it is then shown as text. The check uses the parsed URL, as a browser would read it.
 */
export function parseSafeLink(href: string): SafeLink | undefined {
  const absoluteHref = href.startsWith('www.') ? `http://${href}` : href;
  let url: URL;
  try {
    url = new URL(absoluteHref);
  } catch {
    return undefined;
  }
  if (!ALLOWED_SCHEMES.has(url.protocol)) return undefined;
  if (url.protocol === 'mailto:') return { href: url.href, host: url.pathname };
  if (url.host === '') return undefined;
  return { href: url.href, host: url.host };
}

/** Parses a remote image that the user may open: http and https only. */
export function parseSafeImage(href: string): SafeLink | undefined {
  const link = parseSafeLink(href);
  return link === undefined || link.href.startsWith('mailto:') ? undefined : link;
}

// Embedded images are written by a model token by token, so real ones are small.
const MAX_IMAGE_DATA_CHARS = 2_000_000;

/** An image embedded in the message. Only bitmaps are allowed, since an SVG is a document. */
interface EmbeddedImage {
  href: string;
  format: string;
  /** Size of the image in bytes, from the length of its base64. */
  bytes: number;
}

/** Parses a data: URL with a PNG, JPEG, GIF, WebP or AVIF in base64 of at most 2 MB; `undefined` for any other URL. */
export function parseImageData(href: string): EmbeddedImage | undefined {
  if (href.length > MAX_IMAGE_DATA_CHARS) return undefined;
  const match = /^data:image\/(png|jpeg|gif|webp|avif);base64,([A-Za-z0-9+/]+={0,2})$/i.exec(href);
  const [, format, base64] = match ?? [];
  if (format === undefined || base64 === undefined) return undefined;
  const bytes = Math.floor((trimEndChars(base64, '=').length * 3) / 4);
  return { href, format: format.toUpperCase(), bytes };
}
