/** Grants a request, or says how long to wait in milliseconds. */
export type RateLimit = () => { granted: true } | { granted: false; retryAfterMs: number };

/** At most `limit` grants in any sliding window of `windowMs`; a refusal costs nothing. 0 grants all. */
export function createRateLimit(limit: number, windowMs: number, now: () => number): RateLimit {
  const grantTimes: number[] = [];
  return () => {
    if (limit === 0) return { granted: true };
    const nowMs = now();
    while ((grantTimes[0] ?? nowMs) <= nowMs - windowMs) grantTimes.shift();
    if (grantTimes.length < limit) {
      grantTimes.push(nowMs);
      return { granted: true };
    }
    return { granted: false, retryAfterMs: Math.max(1, (grantTimes[0] ?? nowMs) + windowMs - nowMs) };
  };
}
