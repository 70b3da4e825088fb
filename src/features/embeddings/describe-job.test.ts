import { describe, expect, it } from 'vitest';

import type { JobState } from '../../state/embedding/embedding-job-types.ts';
import { describePlanCost, describeJobPace } from './describe-job.ts';

const noLimit = { limit: 0, free: 0 };

const state: JobState = {
  phase: { name: 'running' },
  counts: { waiting: 560, known: 20, embedded: 1420, failed: 0 },
  requests: 15,
  likelyRequests: 6,
  durationMs: 0,
  batchSize: 96,
  run: { startedAt: 1000, doneBefore: 20 },
  findings: [],
  exchanges: [],
};

describe('description of an embedding job', () => {
  it('estimates the remaining time from texts embedded in the current run, not from stored ones', () => {
    expect(describeJobPace(state, 2000, 11_000, noLimit)).toBe(
      'About 4 s left. 15 of about 21 requests, 96 texts per request, 142 texts per second.',
    );
  });

  it('gives no time estimate before the first response of an embedding job', () => {
    const first = { ...state, counts: { waiting: 1980, known: 20, embedded: 0, failed: 0 }, requests: 0 };
    expect(describeJobPace(first, 2000, 2000, noLimit)).toBe('0 of about 6 requests, 96 texts per request.');
  });

  it('includes waiting for the rate limit in the estimated time of an embedding job', () => {
    expect(describeJobPace({ ...state, likelyRequests: 120 }, 2000, 11_000, { limit: 50, free: 10 })).toMatch(
      /^About 3 minutes left\. 15 of about 135 requests/,
    );
  });

  it('describes the likely number of embedding requests as a single number, not a range', () => {
    const plan = {
      inputCount: 4000,
      storedCount: 0,
      sendCount: 4000,
      requests: { min: 7, max: 126 },
      tokens: 40_000,
    };
    expect(describePlanCost(plan, { limit: 50, free: 50 })).toBe(
      '4,000 to embed in about 7 requests, ~40,000 tokens.',
    );
    const limited = { ...plan, requests: { min: 120, max: 120 } };
    expect(describePlanCost(limited, { limit: 50, free: 50 })).toBe(
      '4,000 to embed in 120 requests, ~40,000 tokens, about 3 minutes at 50 per minute.',
    );
  });
});
