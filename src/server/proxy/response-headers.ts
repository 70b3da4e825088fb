import type { TextRedaction } from './redaction.ts';

/** Holds the gateway's status if a browser would handle it itself; never the gateway's own header of that name. */
export const STATUS_HEADER = 'x-gateway-status';

/**
 * Returns the gateway's headers for the browser: those used by the app are unchanged; all others are text inside
 * `x-gateway-headers`, where browsers do not interpret them. All are redacted and limited in size. A header with a
 * secret in its name is omitted.
 */
export function filterResponseHeaders(
  upstreamHeaders: Headers,
  redact: TextRedaction,
): [name: string, value: string][] {
  const forwardedHeaders: [string, string][] = [];
  const packedHeaders: [string, string][] = [];
  let rateLimitHeaderCount = 0;
  for (const [name, rawValue] of upstreamHeaders) {
    if (redact(name) !== name) continue;
    const value = redact(rawValue);
    if (name.startsWith('x-ratelimit-')) {
      if (rateLimitHeaderCount < MAX_RATE_LIMIT_HEADERS && isPlainAscii(value, 256))
        forwardedHeaders.push([name, value]);
      rateLimitHeaderCount += 1;
    } else if (FORWARDED_HEADERS.has(name)) {
      if (isPlainAscii(value, 256)) forwardedHeaders.push([name, value]);
    } else if (!OWN_HEADERS.has(name) && !COOKIE_HEADERS.has(name)) {
      packedHeaders.push([name.slice(0, 64), value.slice(0, MAX_VALUE_CHARS)]);
    }
  }
  // Always present, even if empty: it distinguishes the gateway's responses from those of this server.
  return [...forwardedHeaders, ['x-gateway-headers', formatJson(packedHeaders)]];
}

const FORWARDED_HEADERS = new Set(['content-type', 'x-request-id', 'retry-after', 'retry-after-ms']);
const MAX_RATE_LIMIT_HEADERS = 32;
const MAX_VALUE_CHARS = 1024;
const MAX_JSON_CHARS = 6 * 1024;

/** Cookies are credentials of the gateway; other packed headers are only text. */
const COOKIE_HEADERS = new Set(['set-cookie', 'set-cookie2']);

/**
 * Headers that describe how this connection carries the body. A content encoding is still packed, since none was
 * requested.
 */
const OWN_HEADERS = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  // Names of the packed headers and of the replaced status.
  'x-gateway-headers',
  STATUS_HEADER,
]);

function isPlainAscii(value: string, maxChars: number): boolean {
  return value.length <= maxChars && /^[\x20-\x7e]*$/.test(value);
}

/** Returns JSON in ASCII only, as required for headers; entries that do not fit are omitted. */
function formatJson(entries: readonly [string, string][]): string {
  const members: string[] = [];
  let length = 2;
  for (const [name, value] of entries) {
    const member = escapeNonAscii(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
    if (length + member.length + 1 > MAX_JSON_CHARS) continue;
    length += member.length + 1;
    members.push(member);
  }
  return `{${members.join(',')}}`;
}

function escapeNonAscii(text: string): string {
  return text.replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
