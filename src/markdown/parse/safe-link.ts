import { trimEndChars } from '../../lib/text/trim.ts';

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

/** An image elsewhere, which a person may open: http and https only. */
export function parseSafeImage(href: string): SafeLink | undefined {
  const link = parseSafeLink(href);
  return link === undefined || link.href.startsWith('mailto:') ? undefined : link;
}

// Written out by a model token by token, so a real one is small; what is larger is not a picture to look at.
const MAX_IMAGE_DATA_CHARS = 2_000_000;

/** A picture that is written into the message itself. Pixels only: an SVG is a document. */
interface EmbeddedImage {
  href: string;
  format: string;
  /** Of the picture, from the length of its base64. */
  bytes: number;
}

/** Reads a data: address of a PNG, JPEG, GIF, WebP or AVIF in base64 of at most 2 MB; undefined for any other. */
export function parseImageData(href: string): EmbeddedImage | undefined {
  if (href.length > MAX_IMAGE_DATA_CHARS) return undefined;
  const match = /^data:image\/(png|jpeg|gif|webp|avif);base64,([A-Za-z0-9+/]+={0,2})$/i.exec(href);
  const [, format, base64] = match ?? [];
  if (format === undefined || base64 === undefined) return undefined;
  const bytes = Math.floor((trimEndChars(base64, '=').length * 3) / 4);
  return { href, format: format.toUpperCase(), bytes };
}
