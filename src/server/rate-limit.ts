/** Grants a request, or says how long to wait in milliseconds. */
export type RateLimit = () => { granted: true } | { granted: false; retryAfterMs: number };

/** At most `limit` grants in any sliding window of `windowMs`; a refusal costs nothing. 0 grants all. */
export function createRateLimit(limit: number, windowMs: number, now: () => number): RateLimit {
  const granted: number[] = [];
  let oldest = 0;
  return () => {
    if (limit === 0) return { granted: true };
    const at = now();
    while (oldest < granted.length && (granted[oldest] ?? 0) <= at - windowMs) oldest += 1;
    if (oldest > 1024) {
      granted.splice(0, oldest);
      oldest = 0;
    }
    if (granted.length - oldest < limit) {
      granted.push(at);
      return { granted: true };
    }
    return { granted: false, retryAfterMs: Math.max(1, (granted[oldest] ?? at) + windowMs - at) };
  };
}
