import { describe, expect, it } from 'vitest';

import { createRateLimit } from './rate-limit.ts';

function createTestLimit(limit: number, windowMs = 1000) {
  let nowMs = 50_000;
  const take = createRateLimit(limit, windowMs, () => nowMs);
  return { take, advanceTime: (ms: number) => (nowMs += ms) };
}

describe('rate limit', () => {
  it('grants the maximum number of requests in any window and returns the wait for the next one', () => {
    const { take, advanceTime } = createTestLimit(2);
    expect(take()).toEqual({ granted: true });
    advanceTime(400);
    expect(take()).toEqual({ granted: true });
    expect(take()).toEqual({ granted: false, retryAfterMs: 600 });
    advanceTime(599);
    expect(take()).toEqual({ granted: false, retryAfterMs: 1 });
    advanceTime(1);
    expect(take()).toEqual({ granted: true });
    expect(take()).toEqual({ granted: false, retryAfterMs: 400 });
  });

  it('returns a rate limit wait of at least one millisecond', () => {
    const { take, advanceTime } = createTestLimit(1);
    take();
    advanceTime(999.5);
    expect(take()).toEqual({ granted: false, retryAfterMs: 1 });
  });

  it('grants all requests if the limit is 0', () => {
    const { take } = createTestLimit(0);
    expect(Array.from({ length: 100 }, () => take().granted)).not.toContain(false);
  });

  it('counts exactly over thousands of requests', () => {
    const { take, advanceTime } = createTestLimit(3);
    for (let count = 0; count < 5000; count += 1) {
      expect([take().granted, take().granted, take().granted, take()]).toEqual([
        true,
        true,
        true,
        { granted: false, retryAfterMs: 1000 },
      ]);
      advanceTime(1000);
    }
  });
});
