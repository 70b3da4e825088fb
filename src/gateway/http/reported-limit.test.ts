import { expect, it } from 'vitest';

import { describeReportedLimit, readReportedLimit } from './reported-limit.ts';

const readLimit = (headers: Record<string, string>, status = 200) =>
  readReportedLimit(new Headers(headers), status, 0);

it("describes the reported limit using only the gateway's own numbers", () => {
  expect(readLimit({})).toBeUndefined();
  expect(describeReportedLimit(undefined)).toBe('Counted by Bench. The gateway does not report its limit.');
  const headers = { 'x-ratelimit-limit-requests': '500', 'x-ratelimit-remaining-requests': '499' };
  expect(describeReportedLimit(readLimit(headers))).toBe(
    'Counted by Bench. The gateway reports a limit of 500 requests, 499 left.',
  );
  expect(describeReportedLimit(readLimit({ 'x-ratelimit-limit': '10', 'x-ratelimit-reset': '6m0s' }))).toBe(
    'Counted by Bench. The gateway reports a limit of 10 requests, reset 6m0s.',
  );
  expect(describeReportedLimit(readLimit({}, 429))).toContain('It last rejected a request at');
  expect(readLimit({ 'x-ratelimit-limit': '<b>' })).toBeUndefined();
});
