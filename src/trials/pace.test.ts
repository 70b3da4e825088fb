import { expect, it } from 'vitest';

import {
  answeredPace,
  distanceMs,
  freshPace,
  isRefused,
  perMinuteAt,
  placesFor,
  refusedPace,
  timeLeft,
} from './pace.ts';

it('leaves evenly, and one place to people', () => {
  expect([distanceMs(50), distanceMs(0)]).toEqual([1210, 0]);
  expect([placesFor(4), placesFor(64), placesFor(1)]).toEqual([3, 24, 1]);
});

it('halves with each refusal, waits as it was told, and gains 5 a minute', () => {
  const once = refusedPace(freshPace, { at: 1000, limit: 50, perMinute: 50 });
  expect(once).toEqual({ own: { perMinute: 25, since: 11_000 }, heldUntil: 11_000, refusals: 1 });
  expect([11_000, 70_999, 71_000, 311_000, 9_000_000].map((now) => perMinuteAt(once, 50, now))).toEqual([
    25, 25, 30, 50, 50,
  ]);
  const report = {
    source: 'gateway',
    kind: 'rate-limited',
    message: 'Slow down',
    retryAfterMs: 30_000,
  } as const;
  const twice = refusedPace(once, { at: 71_000, limit: 50, perMinute: 30, report });
  expect(twice).toEqual({ own: { perMinute: 15, since: 101_000 }, heldUntil: 101_000, refusals: 2 });
});

it('is refused for good by the third refusal without an answer between', () => {
  const facts = { at: 0, limit: 50, perMinute: 50 };
  const twice = refusedPace(refusedPace(freshPace, facts), facts);
  expect(isRefused(twice)).toBe(false);
  expect(isRefused(refusedPace(twice, facts))).toBe(true);
  expect(isRefused(refusedPace(answeredPace(twice), facts))).toBe(false);
  expect(answeredPace(freshPace)).toBe(freshPace);
});

it('without a limit halves what was sent', () => {
  const pace = refusedPace(freshPace, { at: 0, limit: 0, perMinute: 240 });
  expect(perMinuteAt(pace, 0, 0)).toBe(120);
  expect(perMinuteAt(freshPace, 0, 0)).toBe(0);
});

it('takes as long as the pace or the answers, whichever is slower', () => {
  expect(timeLeft([{ requests: 100, meanMs: 900 }], 50, 3)).toEqual({ ms: 121_000, isAtLeast: false });
  expect(timeLeft([{ requests: 100, meanMs: 9000 }], 50, 3)).toEqual({ ms: 300_000, isAtLeast: false });
  expect(timeLeft([{ requests: 100, meanMs: undefined }], 50, 3)).toEqual({ ms: 121_000, isAtLeast: true });
});
