/** Grants a request, or returns the wait in ms. */
export type RateLimit = () => { granted: true } | { granted: false; retryAfterMs: number };

/**
 * Grants at most `limit` requests in any sliding window of `windowMs`; rejected requests do not count. 0 grants all.
 */
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
