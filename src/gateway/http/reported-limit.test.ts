import { expect, it } from 'vitest';

import { limitSentence, reportedLimitOf } from './reported-limit.ts';

const read = (headers: Record<string, string>, status = 200) =>
  reportedLimitOf(new Headers(headers), status, 0);

it('the limit that a gateway reports is said as it says it, and nothing is made up where it reports none', () => {
  expect(read({})).toBeUndefined();
  expect(limitSentence(undefined)).toBe('Counted by Bench. The gateway does not report its limit.');
  const headers = { 'x-ratelimit-limit-requests': '500', 'x-ratelimit-remaining-requests': '499' };
  expect(limitSentence(read(headers))).toBe(
    'Counted by Bench. The gateway reports a limit of 500 requests, 499 left.',
  );
  expect(limitSentence(read({ 'x-ratelimit-limit': '10', 'x-ratelimit-reset': '6m0s' }))).toBe(
    'Counted by Bench. The gateway reports a limit of 10 requests, reset 6m0s.',
  );
  expect(limitSentence(read({}, 429))).toContain('It refused a request for its limit at');
  expect(read({ 'x-ratelimit-limit': '<b>' })).toBeUndefined();
});
