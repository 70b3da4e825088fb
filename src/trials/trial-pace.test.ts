import { expect, it } from 'vitest';

import {
  answeredPace,
  distanceMs,
  freshPace,
  isRefused,
  computePerMinute,
  perMinuteAt,
  placesFor,
  refusedPace,
  timeLeft,
} from './trial-pace.ts';

it('leaves evenly, and one place to people', () => {
  expect([distanceMs(50), distanceMs(0)]).toEqual([1210, 0]);
  expect([placesFor(4), placesFor(64), placesFor(1)]).toEqual([3, 24, 1]);
});

const refusal = { at: 1000, sentAt: 900, limit: 50, perMinute: 50 };

it('halves the pace at a refusal, waits as told, and doubles after every 20 s without another', () => {
  const once = refusedPace(freshPace, refusal);
  expect(once).toEqual({
    own: { perMinute: 25, since: 11_000 },
    heldUntil: 11_000,
    waitedUntil: 11_000,
    refusals: 1,
  });
  expect([11_000, 30_999, 31_000, 9_000_000].map((now) => perMinuteAt(once, 50, now))).toEqual([
    25, 25, 50, 50,
  ]);
  const report = {
    source: 'gateway',
    kind: 'rate-limited',
    message: 'Slow down',
    retryAfterMs: 30_000,
  } as const;
  const twice = refusedPace(once, { ...refusal, at: 12_000, sentAt: 11_000, report });
  expect(twice).toEqual({
    own: { perMinute: 12, since: 42_000 },
    heldUntil: 42_000,
    waitedUntil: 42_000,
    refusals: 2,
  });
});

it('counts refusals of requests that had left together once, and waits for the longest of them', () => {
  const once = refusedPace(freshPace, refusal);
  const later = { source: 'gateway', kind: 'rate-limited', message: '', retryAfterMs: 20_000 } as const;
  const together = refusedPace(refusedPace(once, { ...refusal, at: 1002 }), {
    ...refusal,
    at: 1005,
    report: later,
  });
  expect(together).toEqual({
    own: { perMinute: 25, since: 21_005 },
    heldUntil: 21_005,
    waitedUntil: 11_000,
    refusals: 1,
  });
  // It had left before the wait, and was refused after it.
  expect(refusedPace(together, { ...refusal, at: 30_000 }).refusals).toBe(1);
  // Without a wait, only requests sent before count together.
  const atOnce = { ...refusal, report: { ...later, retryAfterMs: 0 } };
  const again = refusedPace(refusedPace(freshPace, atOnce), { ...atOnce, at: 1010 });
  expect(refusedPace(again, { ...atOnce, at: 1020, sentAt: 1000 }).refusals).toBe(2);
});

it('pauses at the third refusal without an answer between, each after its wait', () => {
  const next = (pace: typeof freshPace) =>
    refusedPace(pace, { ...refusal, at: pace.heldUntil + 5, sentAt: pace.heldUntil });
  const twice = next(next(freshPace));
  expect(isRefused(twice)).toBe(false);
  expect(isRefused(next(twice))).toBe(true);
  expect(isRefused(next(answeredPace(twice)))).toBe(false);
  expect(answeredPace(freshPace)).toBe(freshPace);
});

it('halves the measured rate of a gateway without a limit, to 10 a minute at least, until it is fast again', () => {
  const refuse = (perMinute: number, pace = freshPace) =>
    refusedPace(pace, { ...refusal, sentAt: pace.heldUntil, limit: 0, perMinute });
  const pace = refuse(240);
  expect(perMinuteAt(pace, 0, 11_000)).toBe(120);
  expect(perMinuteAt(pace, 0, 51_000)).toBe(480);
  expect(perMinuteAt(pace, 0, 11_000 + 6 * 20_000)).toBe(0);
  expect(perMinuteAt(refuse(6), 0, 11_000)).toBe(10);
  // The slower one of what was planned and what was sent.
  expect(perMinuteAt(refuse(40, pace), 0, 11_000)).toBe(20);
  expect(perMinuteAt(refuse(4000, pace), 0, 11_000)).toBe(60);
  expect(perMinuteAt(freshPace, 0, 0)).toBe(0);
});

it('measures a rate over the time that has passed, a second at least and a minute at most', () => {
  const now = 1_000_000;
  expect(computePerMinute([now - 10_000, now - 5000, now - 100], now)).toBe(18);
  expect(computePerMinute([now - 300, now - 200, now - 100], now)).toBe(180);
  expect(computePerMinute([now - 61_000, now - 30_000], now)).toBe(2);
  expect(computePerMinute([], now)).toBe(0);
});

it('takes as long as the pace or the answers, whichever is slower', () => {
  expect(timeLeft([{ requests: 100, meanMs: 900 }], 50, 3)).toEqual({ ms: 121_000, isAtLeast: false });
  expect(timeLeft([{ requests: 100, meanMs: 9000 }], 50, 3)).toEqual({ ms: 300_000, isAtLeast: false });
  expect(timeLeft([{ requests: 100, meanMs: undefined }], 50, 3)).toEqual({ ms: 121_000, isAtLeast: true });
});
