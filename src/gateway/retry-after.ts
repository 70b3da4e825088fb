const longestMs = 24 * 60 * 60 * 1000;
const unitMs: Record<string, number> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** `6m0s`, `1h2m3.5s`, `120ms`, or plain seconds, in milliseconds. */
function durationMs(text: string): number | undefined {
  const trimmed = text.trim();
  if (/^\d+(?:\.\d+)?$/.test(trimmed)) return Number(trimmed) * 1000;
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[dhms]))+$/.test(trimmed)) return undefined;
  const parts = trimmed.matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/g);
  return [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * (unitMs[unit ?? ''] ?? 0), 0);
}

function header(headers: Record<string, string>, name: string): string | undefined {
  return Object.hasOwn(headers, name) ? headers[name] : undefined;
}

/** A moment as epoch seconds or an ISO or HTTP date, as the wait from the response's own Date, so that our clock does not matter. */
function untilMs(text: string, headers: Record<string, string>): number | undefined {
  const from = Date.parse(header(headers, 'date') ?? '');
  const epoch = Number(text);
  const moment = Number.isFinite(epoch) ? (epoch > 1e11 ? epoch : epoch * 1000) : Date.parse(text);
  return Number.isFinite(from) && Number.isFinite(moment) ? moment - from : undefined;
}

function waitMs(text: string | undefined, headers: Record<string, string>): number | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const span = durationMs(text);
  return span !== undefined && span < 1e12 ? span : untilMs(text, headers);
}

/** The longest wait among the limits that are used up, or among all when none says so. */
function resetMs(headers: Record<string, string>): number | undefined {
  const resets = Object.entries(headers).flatMap(([name, value]) => {
    const limit = /^x-ratelimit-reset(-.*)?$/.exec(name);
    const wait = limit ? waitMs(value, headers) : undefined;
    if (!limit || wait === undefined) return [];
    return [{ wait, isUsedUp: header(headers, `x-ratelimit-remaining${limit[1] ?? ''}`) === '0' }];
  });
  const usedUp = resets.filter((reset) => reset.isUsedUp);
  const waits = (usedUp.length > 0 ? usedUp : resets).map((reset) => reset.wait);
  return waits.length > 0 ? Math.max(...waits) : undefined;
}

/** How long the other side asks us to wait, in milliseconds from its answer: retry-after-ms, Retry-After, and for 429 x-ratelimit-reset-* (F72, F73). */
export function retryAfterMsOf(
  status: number | undefined,
  headers: Record<string, string>,
): number | undefined {
  const exact = header(headers, 'retry-after-ms');
  const wait =
    (exact !== undefined && /^\d+(?:\.\d+)?$/.test(exact.trim()) ? Number(exact) : undefined) ??
    waitMs(header(headers, 'retry-after'), headers) ??
    (status === 429 ? resetMs(headers) : undefined);
  return wait === undefined ? undefined : Math.min(longestMs, Math.max(0, Math.round(wait)));
}
