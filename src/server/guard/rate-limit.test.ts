import { describe, expect, it } from 'vitest';

import { createRateLimit } from './rate-limit.ts';

function aLimit(limit: number, windowMs = 1000) {
  let time = 50_000;
  const ask = createRateLimit(limit, windowMs, () => time);
  return { ask, pass: (ms: number) => (time += ms) };
}

describe('a limit', () => {
  it('grants so many in any window, and tells how long to wait for the next', () => {
    const { ask, pass } = aLimit(2);
    expect(ask()).toEqual({ granted: true });
    pass(400);
    expect(ask()).toEqual({ granted: true });
    expect(ask()).toEqual({ granted: false, retryAfterMs: 600 });
    pass(599);
    expect(ask()).toEqual({ granted: false, retryAfterMs: 1 });
    pass(1);
    expect(ask()).toEqual({ granted: true });
    expect(ask()).toEqual({ granted: false, retryAfterMs: 400 });
  });

  it('never says to wait for no time at all', () => {
    const { ask, pass } = aLimit(1);
    ask();
    pass(999.5);
    expect(ask()).toEqual({ granted: false, retryAfterMs: 1 });
  });

  it('grants all where it is 0', () => {
    const { ask } = aLimit(0);
    expect(Array.from({ length: 100 }, () => ask().granted)).not.toContain(false);
  });

  it('stays the same over thousands of requests', () => {
    const { ask, pass } = aLimit(3);
    for (let count = 0; count < 5000; count += 1) {
      expect([ask().granted, ask().granted, ask().granted, ask()]).toEqual([
        true,
        true,
        true,
        { granted: false, retryAfterMs: 1000 },
      ]);
      pass(1000);
    }
  });
});
