const windowMs = 60_000;

/** A sliding minute of requests. */
interface RequestWindow {
  /** Counts a request and returns 0, or returns the milliseconds until the next is allowed. */
  take: (now: number) => number;
}

/** §8: at most so many requests in any 60 seconds; 0: no limit. A refused request is not counted. */
export function createRequestWindow(requestsPerMinute: number): RequestWindow {
  let taken: number[] = [];
  return {
    take(now) {
      if (requestsPerMinute === 0) return 0;
      taken = taken.filter((at) => now - at < windowMs);
      const oldest = taken[taken.length - requestsPerMinute];
      if (oldest !== undefined) return oldest + windowMs - now;
      taken.push(now);
      return 0;
    },
  };
}
