/** Grants a request, or says how long to wait in milliseconds. */
export type RateLimit = () => { granted: true } | { granted: false; retryAfterMs: number };

/** At most `limit` grants in any sliding window of `windowMs`; a refusal costs nothing. 0 grants all. */
export function createRateLimit(limit: number, windowMs: number, now: () => number): RateLimit {
  const granted: number[] = [];
  return () => {
    if (limit === 0) return { granted: true };
    const at = now();
    while ((granted[0] ?? at) <= at - windowMs) granted.shift();
    if (granted.length < limit) {
      granted.push(at);
      return { granted: true };
    }
    return { granted: false, retryAfterMs: Math.max(1, (granted[0] ?? at) + windowMs - at) };
  };
}
