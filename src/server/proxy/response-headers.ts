import type { TextRedaction } from './redaction.ts';

/** Holds the gateway's status where a browser would act upon it; never the gateway's own header of that name. */
export const STATUS_HEADER = 'x-gateway-status';

/**
 * The gateway's headers as they may reach the browser: the few that the app acts on as they are, the others
 * as text inside `x-gateway-headers`, where no browser obeys them. All redacted, all bounded.
 * A header with a secret in its name is left out.
 */
export function passedHeaders(upstream: Headers, redact: TextRedaction): [name: string, value: string][] {
  const passed: [string, string][] = [];
  const others: [string, string][] = [];
  let rateLimits = 0;
  for (const [name, raw] of upstream) {
    if (redact(name) !== name) continue;
    const value = redact(raw);
    if (name.startsWith('x-ratelimit-')) {
      if (rateLimits < MAX_RATE_LIMIT_HEADERS && isPlain(value, 256)) passed.push([name, value]);
      rateLimits += 1;
    } else if (PASSED.has(name)) {
      if (isPlain(value, 256)) passed.push([name, value]);
    } else if (!OURS_TO_SAY.has(name) && !COOKIES.has(name)) {
      others.push([name.slice(0, 64), value.slice(0, MAX_VALUE_LENGTH)]);
    }
  }
  // Always there, also when empty: it tells the gateway's own answers from those of this server.
  return [...passed, ['x-gateway-headers', asJson(others)]];
}

const PASSED = new Set(['content-type', 'x-request-id', 'retry-after', 'retry-after-ms']);
const MAX_RATE_LIMIT_HEADERS = 32;
const MAX_VALUE_LENGTH = 1024;
const MAX_JSON_LENGTH = 6 * 1024;

/** Cookies are credentials of the gateway; all other headers are text that no browser obeys in this place. */
const COOKIES = new Set(['set-cookie', 'set-cookie2']);

/** They say how this one connection carries the body, which is ours to say. An encoding is kept: it was not asked for. */
const OURS_TO_SAY = new Set([
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

function isPlain(value: string, maxLength: number): boolean {
  return value.length <= maxLength && /^[\x20-\x7e]*$/.test(value);
}

/** JSON of ASCII characters only, as headers need it; what does not fit any more is left out. */
function asJson(entries: readonly [string, string][]): string {
  const members: string[] = [];
  let length = 2;
  for (const [name, value] of entries) {
    const member = ascii(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
    if (length + member.length + 1 > MAX_JSON_LENGTH) continue;
    length += member.length + 1;
    members.push(member);
  }
  return `{${members.join(',')}}`;
}

function ascii(text: string): string {
  return text.replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
