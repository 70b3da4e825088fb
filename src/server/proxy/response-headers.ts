import type { TextRedaction } from './redaction.ts';

/** Holds the gateway's status where a browser would act upon it; never the gateway's own header of that name. */
export const STATUS_HEADER = 'x-gateway-status';

/**
 * The gateway's headers as they may reach the browser: the few that the app acts on as they are, the others
 * as text inside `x-gateway-headers`, where no browser obeys them. All redacted, all bounded.
 * A header with a secret in its name is left out.
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
  // Always there, also when empty: it tells the gateway's own answers from those of this server.
  return [...forwardedHeaders, ['x-gateway-headers', formatJson(packedHeaders)]];
}

const FORWARDED_HEADERS = new Set(['content-type', 'x-request-id', 'retry-after', 'retry-after-ms']);
const MAX_RATE_LIMIT_HEADERS = 32;
const MAX_VALUE_CHARS = 1024;
const MAX_JSON_CHARS = 6 * 1024;

/** Cookies are credentials of the gateway; all other headers are text that no browser obeys in this place. */
const COOKIE_HEADERS = new Set(['set-cookie', 'set-cookie2']);

/** They say how this one connection carries the body, which is ours to say. An encoding is kept: it was not asked for. */
const OWN_HEADERS = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  // The names under which our own collection and a status that browsers act upon travel.
  'x-gateway-headers',
  STATUS_HEADER,
]);

function isPlainAscii(value: string, maxChars: number): boolean {
  return value.length <= maxChars && /^[\x20-\x7e]*$/.test(value);
}

/** JSON of ASCII characters only, as headers need it; what does not fit any more is left out. */
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
