const longestMs = 24 * 60 * 60 * 1000;
const unitMs: Record<string, number> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
/** From here on, digits are a moment and no wait: ten of them as seconds. */
const firstEpochMs = 1e12;

const digits = /^\d+(?:\.\d+)?$/;
const span = /^(?:\d+(?:\.\d+)?(?:ms|[dhms]))+$/;
const isoDate = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;
const httpDate = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i;
const zone = /(?:z|gmt|utc|[+-]\d\d:?\d\d)$/i;

/** `6m0s`, `1h2m3.5s` or `120ms` in milliseconds. */
function spanMs(text: string): number {
  const parts = text.matchAll(/(?<!\d)(\d+(?:\.\d+)?)(ms|[dhms])/g);
  return [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * (unitMs[unit ?? ''] ?? 0), 0);
}

function header(headers: Record<string, string>, name: string): string | undefined {
  return Object.hasOwn(headers, name) ? headers[name] : undefined;
}

/** An ISO or HTTP date, which is never in the zone of this computer; NaN for anything else. */
function momentOf(text: string): number {
  if (isoDate.test(text)) return Date.parse(zone.test(text) ? text : `${text}Z`);
  return httpDate.test(text) ? Date.parse(zone.test(text) ? text : `${text} GMT`) : Number.NaN;
}

/** The wait that one value asks for; `from`: when the answer came, NaN where no clock tells. Undefined where it is not a wait. */
function waitOf(text: string, from: number): number | undefined {
  if (span.test(text)) return spanMs(text);
  const isNumber = digits.test(text);
  const ms = Number(text) * 1000;
  if (isNumber && ms < firstEpochMs) return ms;
  // Epochs come in seconds and in milliseconds.
  const moment = isNumber ? (Number(text) > 1e11 ? Number(text) : ms) : momentOf(text);
  return Number.isFinite(from) && Number.isFinite(moment) ? moment - from : undefined;
}

/** A header that came several times is joined with commas; the comma after the day of a date joins nothing. */
function partsOf(text: string): string[] {
  const joined = text.replace(/\b((?:mon|tue|wed|thu|fri|sat|sun)[a-z]*),/gi, '$1');
  return joined.split(',').map((part) => part.trim());
}

function longest(waits: (number | undefined)[]): number | undefined {
  const known = waits.filter((wait) => wait !== undefined);
  return known.length > 0 ? Math.max(...known) : undefined;
}

function waitMs(text: string | undefined, from: number): number | undefined {
  return text === undefined ? undefined : longest(partsOf(text).map((part) => waitOf(part, from)));
}

function exactMs(text: string | undefined): number | undefined {
  return longest(partsOf(text ?? '').map((part) => (digits.test(part) ? Number(part) : undefined)));
}

/** The longest wait among the limits that are used up, or among all when none says so. */
function resetMs(headers: Record<string, string>, from: number): number | undefined {
  const resets = Object.entries(headers).flatMap(([name, value]) => {
    const limit = /^x-ratelimit-reset(-.*)?$/.exec(name);
    const wait = limit ? waitMs(value, from) : undefined;
    if (!limit || wait === undefined) return [];
    return [{ wait, isUsedUp: header(headers, `x-ratelimit-remaining${limit[1] ?? ''}`) === '0' }];
  });
  const usedUp = resets.filter((reset) => reset.isUsedUp);
  return longest((usedUp.length > 0 ? usedUp : resets).map((reset) => reset.wait));
}

/**
 * How long the other side asks us to wait, in milliseconds from its answer: retry-after-ms, Retry-After, and for
 * 429 x-ratelimit-reset-*. Dates are compared with the answer's own Date, so that our clock does not
 * matter; `cameAt`, when the answer came by our clock, stands in where it has none.
 */
export function retryAfterMsOf(
  status: number | undefined,
  headers: Record<string, string>,
  cameAt = Number.NaN,
): number | undefined {
  const date = Date.parse(header(headers, 'date') ?? '');
  const from = Number.isFinite(date) ? date : cameAt;
  const wait =
    exactMs(header(headers, 'retry-after-ms')) ??
    waitMs(header(headers, 'retry-after'), from) ??
    (status === 429 ? resetMs(headers, from) : undefined);
  return wait === undefined ? undefined : Math.min(longestMs, Math.max(0, Math.round(wait)));
}
