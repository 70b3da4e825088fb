import { describe, expect, it } from 'vitest';

import type { TimedEvent } from '../../conversation/reply/run.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { createFrameBatch, isRefusalOfOurs, waitOf } from './run-driver.ts';

const event = (atMs: number): TimedEvent => ({ atMs, event: { type: 'done' } });

function aBatch() {
  const applied: Record<string, number[]>[] = [];
  const frames: (() => void)[] = [];
  const batch = createFrameBatch(
    (batches) =>
      applied.push(
        Object.fromEntries([...batches].map(([runId, events]) => [runId, events.map(({ atMs }) => atMs)])),
      ),
    (run) => frames.push(run),
  );
  return { batch, applied, frames, nextFrame: () => frames.splice(0).forEach((run) => run()) };
}

describe('a frame', () => {
  it('hands on once what came for all runs since the last, in order', () => {
    const { batch, applied, frames, nextFrame } = aBatch();
    batch.push('a', [event(1), event(2)]);
    batch.push('b', [event(3)]);
    batch.push('a', [event(4)]);
    expect([applied, frames.length]).toEqual([[], 1]);
    nextFrame();
    batch.push('a', [event(5)]);
    nextFrame();
    expect(applied).toEqual([{ a: [1, 2, 4], b: [3] }, { a: [5] }]);
  });

  it('is not asked for where nothing came', () => {
    const { batch, applied, frames } = aBatch();
    batch.push('a', []);
    batch.flush();
    expect([applied, frames]).toEqual([[], []]);
  });

  it('does not hand on again what was handed on at once', () => {
    const { batch, applied, nextFrame } = aBatch();
    batch.push('a', [event(1)]);
    batch.flush();
    nextFrame();
    batch.push('a', [event(2)]);
    nextFrame();
    expect(applied).toEqual([{ a: [1] }, { a: [2] }]);
  });

  it('does not change the events that it was given', () => {
    const { batch, nextFrame } = aBatch();
    const first = [event(1)];
    batch.push('a', first);
    batch.push('a', [event(2)]);
    nextFrame();
    expect(first).toEqual([event(1)]);
  });
});

describe('a request that was refused for its limit', () => {
  const refusal = (after?: string, status = 429): TapeEntry => ({
    at: 1,
    status,
    headers: after === undefined ? {} : { 'retry-after': after },
  });

  it('was held back by our own server, unless the gateway has answered', () => {
    expect(isRefusalOfOurs(refusal())).toBe(true);
    expect(isRefusalOfOurs({ at: 1, status: 429, headers: {}, proxied: true })).toBe(false);
    expect(isRefusalOfOurs(refusal('1', 503))).toBe(false);
    expect(isRefusalOfOurs({ at: 1, data: 'x' })).toBe(false);
  });

  it.each([
    ['5', 5000],
    ['1.5', 1500],
    ['0', 1000],
    ['soon', 1000],
    [undefined, 1000],
  ])('waits as long as it is told, and a second at least: %s', (after, ms) => {
    expect(waitOf(refusal(after))).toBe(ms);
  });
});
