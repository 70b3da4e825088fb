import { describe, expect, it } from 'vitest';

import type { TimedEvent } from '../../conversation/reply/run.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { createFrameBatch, isServerRateLimitEntry, getRateLimitWaitMs } from './run-driver.ts';

const createEvent = (atMs: number): TimedEvent => ({ atMs, event: { type: 'done' } });

function createTestBatch() {
  const applied: Record<string, number[]>[] = [];
  const frames: (() => void)[] = [];
  const batch = createFrameBatch(
    (batches) =>
      applied.push(
        Object.fromEntries([...batches].map(([runId, events]) => [runId, events.map(({ atMs }) => atMs)])),
      ),
    (run) => frames.push(run),
  );
  return { batch, applied, frames, runFrames: () => frames.splice(0).forEach((run) => run()) };
}

describe('the frame batch', () => {
  it('applies all events of a frame once, in order and for all runs', () => {
    const { batch, applied, frames, runFrames } = createTestBatch();
    batch.push('a', [createEvent(1), createEvent(2)]);
    batch.push('b', [createEvent(3)]);
    batch.push('a', [createEvent(4)]);
    expect([applied, frames.length]).toEqual([[], 1]);
    runFrames();
    batch.push('a', [createEvent(5)]);
    runFrames();
    expect(applied).toEqual([{ a: [1, 2, 4], b: [3] }, { a: [5] }]);
  });

  it('requests no frame without events', () => {
    const { batch, applied, frames } = createTestBatch();
    batch.push('a', []);
    batch.flush();
    expect([applied, frames]).toEqual([[], []]);
  });

  it('applies flushed events only once', () => {
    const { batch, applied, runFrames } = createTestBatch();
    batch.push('a', [createEvent(1)]);
    batch.flush();
    runFrames();
    batch.push('a', [createEvent(2)]);
    runFrames();
    expect(applied).toEqual([{ a: [1] }, { a: [2] }]);
  });

  it('does not modify the arrays passed to push', () => {
    const { batch, runFrames } = createTestBatch();
    const first = [createEvent(1)];
    batch.push('a', first);
    batch.push('a', [createEvent(2)]);
    runFrames();
    expect(first).toEqual([createEvent(1)]);
  });
});

describe('a request rejected because of the rate limit', () => {
  const createRejection = (retryAfter?: string, status = 429): TapeEntry => ({
    at: 1,
    status,
    headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  });

  it('detects rejections by our own server, but not by the gateway', () => {
    expect(isServerRateLimitEntry(createRejection())).toBe(true);
    expect(isServerRateLimitEntry({ at: 1, status: 429, headers: {}, proxied: true })).toBe(false);
    expect(isServerRateLimitEntry(createRejection('1', 503))).toBe(false);
    expect(isServerRateLimitEntry({ at: 1, data: 'x' })).toBe(false);
  });

  it.each([
    ['5', 5000],
    ['1.5', 1500],
    ['0', 1000],
    ['soon', 1000],
    [undefined, 1000],
  ])('waits for the Retry-After time of %s, but at least one second', (retryAfter, ms) => {
    expect(getRateLimitWaitMs(createRejection(retryAfter))).toBe(ms);
  });
});
