const maxWaitMs = 24 * 60 * 60 * 1000;
const unitMs: Record<string, number> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
/** Numbers of this size (ten digits in seconds) are a point in time, not a duration. */
const firstEpochMs = 1e12;

const digits = /^\d+(?:\.\d+)?$/;
const spanPattern = /^(?:\d+(?:\.\d+)?(?:ms|[dhms]))+$/;
const isoDate = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;
const httpDate = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i;
const zone = /(?:z|gmt|utc|[+-]\d\d:?\d\d)$/i;

/** Parses `6m0s`, `1h2m3.5s` or `120ms` to ms. */
function parseSpanMs(text: string): number {
  const parts = text.matchAll(/(?<!\d)(\d+(?:\.\d+)?)(ms|[dhms])/g);
  return [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * (unitMs[unit ?? ''] ?? 0), 0);
}

function getHeader(headers: Record<string, string>, name: string): string | undefined {
  return Object.hasOwn(headers, name) ? headers[name] : undefined;
}

/** Parses an ISO or HTTP date, never in the local time zone; NaN for anything else. */
function parseMoment(text: string): number {
  if (isoDate.test(text)) return Date.parse(zone.test(text) ? text : `${text}Z`);
  return httpDate.test(text) ? Date.parse(zone.test(text) ? text : `${text} GMT`) : Number.NaN;
}

/**
 * Parses one wait in ms. `fromMs` is the time of the response, NaN without a clock. `undefined` if it is not a wait.
 */
function parseWait(text: string, fromMs: number): number | undefined {
  if (spanPattern.test(text)) return parseSpanMs(text);
  const isNumber = digits.test(text);
  const ms = Number(text) * 1000;
  if (isNumber && ms < firstEpochMs) return ms;
  // Epoch times come in seconds and in ms.
  const momentMs = isNumber ? (Number(text) > 1e11 ? Number(text) : ms) : parseMoment(text);
  return Number.isFinite(fromMs) && Number.isFinite(momentMs) ? momentMs - fromMs : undefined;
}

/** Splits a header that was joined with commas, except at the comma after the weekday of a date. */
function splitValues(text: string): string[] {
  const textWithoutDayCommas = text.replace(/\b((?:mon|tue|wed|thu|fri|sat|sun)[a-z]*),/gi, '$1');
  return textWithoutDayCommas.split(',').map((part) => part.trim());
}

function findLongestWait(waits: (number | undefined)[]): number | undefined {
  const knownWaits = waits.filter((wait) => wait !== undefined);
  return knownWaits.length > 0 ? Math.max(...knownWaits) : undefined;
}

function parseLongestWait(text: string | undefined, fromMs: number): number | undefined {
  return text === undefined
    ? undefined
    : findLongestWait(splitValues(text).map((part) => parseWait(part, fromMs)));
}

function parseExactMs(text: string | undefined): number | undefined {
  return findLongestWait(
    splitValues(text ?? '').map((part) => (digits.test(part) ? Number(part) : undefined)),
  );
}

/** Returns the longest wait among the exhausted limits, or among all if none is marked as exhausted. */
function parseResetMs(headers: Record<string, string>, fromMs: number): number | undefined {
  const resets = Object.entries(headers).flatMap(([name, value]) => {
    const resetMatch = /^x-ratelimit-reset(-.*)?$/.exec(name);
    const wait = resetMatch ? parseLongestWait(value, fromMs) : undefined;
    if (!resetMatch || wait === undefined) return [];
    return [{ wait, isUsedUp: getHeader(headers, `x-ratelimit-remaining${resetMatch[1] ?? ''}`) === '0' }];
  });
  const exhausted = resets.filter((reset) => reset.isUsedUp);
  return findLongestWait((exhausted.length > 0 ? exhausted : resets).map((reset) => reset.wait));
}

/**
 * Returns the requested wait in ms since the response: retry-after-ms, Retry-After and, for 429, x-ratelimit-reset-*.
 * Dates are relative to the response's own Date header, so that local clock errors do not matter; `receivedAt` (epoch
 * ms) replaces a missing one.
 */
export function parseRetryAfterMs(
  status: number | undefined,
  headers: Record<string, string>,
  receivedAt = Number.NaN,
): number | undefined {
  const dateMs = Date.parse(getHeader(headers, 'date') ?? '');
  const fromMs = Number.isFinite(dateMs) ? dateMs : receivedAt;
  const wait =
    parseExactMs(getHeader(headers, 'retry-after-ms')) ??
    parseLongestWait(getHeader(headers, 'retry-after'), fromMs) ??
    (status === 429 ? parseResetMs(headers, fromMs) : undefined);
  return wait === undefined ? undefined : Math.min(maxWaitMs, Math.max(0, Math.round(wait)));
}
