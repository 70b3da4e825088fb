import { expect, it } from 'vitest';

import { getIntervalMs } from '../gateway/http/request-rate.ts';
import {
  resetRejections,
  initialPace,
  shouldPauseTrial,
  measureRequestsPerMinute,
  getRequestsPerMinute,
  getCellSlots,
  slowDown,
  estimateTimeLeft,
} from './trial-pace.ts';

it("spaces cells evenly and leaves a slot for the user's own requests", () => {
  expect([getIntervalMs(50), getIntervalMs(0)]).toEqual([1210, 0]);
  expect([getCellSlots(4), getCellSlots(64), getCellSlots(1)]).toEqual([3, 24, 1]);
});

const rejection = { at: 1000, sentAt: 900, limit: 50, perMinute: 50 };

it('halves the rate after a rejection, waits as requested and doubles the rate after every 20 s without another rejection', () => {
  const pace = slowDown(initialPace, rejection);
  expect(pace).toEqual({
    override: { perMinute: 25, since: 11_000 },
    blockedUntil: 11_000,
    waitedUntil: 11_000,
    rejections: 1,
  });
  expect([11_000, 30_999, 31_000, 9_000_000].map((nowMs) => getRequestsPerMinute(pace, 50, nowMs))).toEqual([
    25, 25, 50, 50,
  ]);
  const report = {
    source: 'gateway',
    kind: 'rate-limited',
    message: 'Slow down',
    retryAfterMs: 30_000,
  } as const;
  const slowerPace = slowDown(pace, { ...rejection, at: 12_000, sentAt: 11_000, report });
  expect(slowerPace).toEqual({
    override: { perMinute: 12, since: 42_000 },
    blockedUntil: 42_000,
    waitedUntil: 42_000,
    rejections: 2,
  });
});

it('counts rejections of requests sent together as one rejection and uses the longest wait', () => {
  const pace = slowDown(initialPace, rejection);
  const laterReport = { source: 'gateway', kind: 'rate-limited', message: '', retryAfterMs: 20_000 } as const;
  const combinedPace = slowDown(slowDown(pace, { ...rejection, at: 1002 }), {
    ...rejection,
    at: 1005,
    report: laterReport,
  });
  expect(combinedPace).toEqual({
    override: { perMinute: 25, since: 21_005 },
    blockedUntil: 21_005,
    waitedUntil: 11_000,
    rejections: 1,
  });
  // This request was sent before the wait and rejected after it.
  expect(slowDown(combinedPace, { ...rejection, at: 30_000 }).rejections).toBe(1);
  // Without a wait, only requests sent before the first rejection are counted together with it.
  const immediateRejection = { ...rejection, report: { ...laterReport, retryAfterMs: 0 } };
  const secondPace = slowDown(slowDown(initialPace, immediateRejection), { ...immediateRejection, at: 1010 });
  expect(slowDown(secondPace, { ...immediateRejection, at: 1020, sentAt: 1000 }).rejections).toBe(2);
});

it('pauses the trial after three consecutive rejections, each of a request sent after the previous wait', () => {
  const rejectAfterWait = (pace: typeof initialPace) =>
    slowDown(pace, { ...rejection, at: pace.blockedUntil + 5, sentAt: pace.blockedUntil });
  const paceAfterTwo = rejectAfterWait(rejectAfterWait(initialPace));
  expect(shouldPauseTrial(paceAfterTwo)).toBe(false);
  expect(shouldPauseTrial(rejectAfterWait(paceAfterTwo))).toBe(true);
  expect(shouldPauseTrial(rejectAfterWait(resetRejections(paceAfterTwo)))).toBe(false);
  expect(resetRejections(initialPace)).toBe(initialPace);
});

it('halves the measured rate of a gateway without a limit, but not below 10 per minute, until the rate recovers', () => {
  const rejectAt = (perMinute: number, pace = initialPace) =>
    slowDown(pace, { ...rejection, sentAt: pace.blockedUntil, limit: 0, perMinute });
  const pace = rejectAt(240);
  expect(getRequestsPerMinute(pace, 0, 11_000)).toBe(120);
  expect(getRequestsPerMinute(pace, 0, 51_000)).toBe(480);
  expect(getRequestsPerMinute(pace, 0, 11_000 + 6 * 20_000)).toBe(0);
  expect(getRequestsPerMinute(rejectAt(6), 0, 11_000)).toBe(10);
  // The lower of the planned and the measured rate counts.
  expect(getRequestsPerMinute(rejectAt(40, pace), 0, 11_000)).toBe(20);
  expect(getRequestsPerMinute(rejectAt(4000, pace), 0, 11_000)).toBe(60);
  expect(getRequestsPerMinute(initialPace, 0, 0)).toBe(0);
});

it('measures the rate over the elapsed time, between one second and one minute', () => {
  const nowMs = 1_000_000;
  expect(measureRequestsPerMinute([nowMs - 10_000, nowMs - 5000, nowMs - 100], nowMs)).toBe(18);
  expect(measureRequestsPerMinute([nowMs - 300, nowMs - 200, nowMs - 100], nowMs)).toBe(180);
  expect(measureRequestsPerMinute([nowMs - 61_000, nowMs - 30_000], nowMs)).toBe(2);
  expect(measureRequestsPerMinute([], nowMs)).toBe(0);
});

it('estimates the remaining time from the pace or the answer times, whichever is slower', () => {
  const estimate = (meanMs: number | undefined) =>
    estimateTimeLeft([{ gateway: 'north', perMinute: 50, requests: 100, meanMs }], 3);
  expect(estimate(900)).toEqual({ ms: 121_000, isLowerBound: false });
  expect(estimate(9000)).toEqual({ ms: 300_000, isLowerBound: false });
  expect(estimate(undefined)).toEqual({ ms: 121_000, isLowerBound: true });
});

it('estimates the remaining time from the slowest gateway, since each is paced on its own', () => {
  const north = { gateway: 'north', perMinute: 50, requests: 100, meanMs: 0 };
  const south = { gateway: 'south', perMinute: 20, requests: 60, meanMs: 0 };
  expect(estimateTimeLeft([north, south], 3).ms).toBe(60 * getIntervalMs(20));
  expect(estimateTimeLeft([north, south, north], 3).ms).toBe(200 * getIntervalMs(50));
  expect(estimateTimeLeft([], 3).ms).toBe(0);
});
