import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createBatches, estimateRequests } from './embedding-batches.ts';

const createRange = (count: number) => Array.from({ length: count }, (_, index) => index);
const shortInputs = { getLength: () => 10 };

/** Sends all items to a server. Returns the request sizes, the accepted items and those rejected individually. */
function send(
  count: number,
  server: { maxBatchSize: number; badItems?: ReadonlySet<number> },
  knownCeiling?: number,
) {
  const batches = createBatches(
    createRange(count),
    knownCeiling === undefined ? shortInputs : { ...shortInputs, knownCeiling },
  );
  const sizes: number[] = [];
  const arrived: number[] = [];
  const blamed: number[] = [];
  for (let batch = batches.next(); batch; batch = batches.next()) {
    sizes.push(batch.items.length);
    if (batch.items.length > server.maxBatchSize || batch.items.some((item) => server.badItems?.has(item))) {
      const item = batches.onRejected(batch);
      if (item !== undefined) blamed.push(item);
    } else {
      arrived.push(...batch.items);
      batches.onSuccess(batch);
    }
  }
  return { sizes, arrived, blamed, ceiling: batches.getCeiling() };
}

describe('batches', () => {
  it('doubles the batch size while the server accepts it', () => {
    expect(send(500, { maxBatchSize: 2048 }).sizes).toEqual([32, 64, 128, 256, 20]);
  });

  it('stays at the accepted size after a rejection', () => {
    const { sizes, arrived } = send(400, { maxBatchSize: 70 });
    expect(sizes).toEqual([32, 64, 128, 64, 64, 64, 64, 48]);
    expect(arrived).toEqual(createRange(400));
  });

  it('starts with the known limit of the server', () => {
    expect(send(40, { maxBatchSize: 10 }, 10).sizes).toEqual([10, 10, 10, 10]);
  });

  it('isolates one bad text without losing others or reducing the batch size', () => {
    const { sizes, arrived, blamed, ceiling } = send(200, { maxBatchSize: 2048, badItems: new Set([37]) });
    expect(blamed).toEqual([37]);
    expect(arrived.toSorted((a, b) => a - b)).toEqual(createRange(200).filter((item) => item !== 37));
    expect(sizes.at(-1)).toBeGreaterThan(32);
    expect(ceiling).toBeUndefined();
  });

  it('sends long texts in small batches', () => {
    const batches = createBatches(createRange(4), { getLength: () => 250_000 });
    expect(batches.next()?.items).toEqual([0]);
  });

  it('returns a requeued batch first', () => {
    const batches = createBatches(createRange(40), shortInputs);
    const batch = batches.next();
    if (!batch) throw new Error('none');
    batches.requeue(batch);
    expect(batches.countRemaining()).toBe(40);
    expect(batches.next()).toBe(batch);
  });

  it('estimates the remaining requests, including those in flight and requeued ones', () => {
    const batches = createBatches(createRange(100), shortInputs);
    expect(batches.countLikelyRequests()).toBe(3);
    const batch = batches.next();
    if (!batch) throw new Error('none');
    expect(batches.countLikelyRequests()).toBe(3);
    batches.requeue(batch);
    expect(batches.countLikelyRequests()).toBe(3);
    batches.onSuccess(batches.next() ?? batch);
    expect(batches.countLikelyRequests()).toBe(2);
  });

  it('excludes answered, rejected and requeued batches from requests in flight', () => {
    const batches = createBatches(createRange(4), { ...shortInputs, knownCeiling: 2 });
    const [first, second] = [batches.next(), batches.next()];
    if (!first || !second) throw new Error('none');
    expect([batches.countLikelyRequests(), batches.countRemaining()]).toEqual([2, 0]);
    batches.onSuccess(first);
    expect(batches.countLikelyRequests()).toBe(1);
    // The two halves of the batch replace it.
    batches.onRejected(second);
    expect([batches.countLikelyRequests(), batches.countRemaining()]).toEqual([2, 2]);
    for (let half = batches.next(); half; half = batches.next()) batches.onRejected(half);
    expect([batches.countLikelyRequests(), batches.countRemaining()]).toEqual([0, 0]);
  });

  it('fills a request up to the character limit and sends a longer text alone', () => {
    const lengths = [500_000, 200_000, 200_000, 1];
    const batches = createBatches(createRange(4), { getLength: (item) => lengths[item] ?? 0 });
    expect(
      [batches.next(), batches.next(), batches.next(), batches.next()].map((batch) => batch?.items),
    ).toEqual([[0], [1, 2], [3], undefined]);
  });

  it('limits batches to what fits into one response and to the largest known limit', () => {
    const options = { ...shortInputs, maxItems: 50 };
    const batches = createBatches(createRange(200), options);
    const sizes: number[] = [];
    for (let batch = batches.next(); batch; batch = batches.next()) {
      sizes.push(batch.items.length);
      batches.onSuccess(batch);
    }
    expect(sizes).toEqual([32, 50, 50, 50, 18]);
    // A batch limited by `maxItems` proves nothing about the server.
    expect(batches.getCeiling()).toBeUndefined();
    expect(createBatches(createRange(9), { ...shortInputs, maxItems: 0 }).next()?.items).toEqual([0]);
    expect(send(5000, { maxBatchSize: 5000 }).sizes).toEqual([32, 64, 128, 256, 512, 1024, 2048, 936]);
  });

  it('sends every good text once and finds every bad one on any server', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 300 }),
        fc.integer({ min: 1, max: 300 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 299 }), { maxLength: 6 }),
        (count, maxBatchSize, badItems) => {
          const bad = new Set(badItems.filter((item) => item < count));
          const { arrived, blamed } = send(count, { maxBatchSize, badItems: bad });
          expect([...arrived, ...blamed].toSorted((a, b) => a - b)).toEqual(createRange(count));
          expect(new Set(blamed)).toEqual(bad);
        },
      ),
    );
  });

  it('estimates the number of requests in advance', () => {
    expect(estimateRequests(10_000)).toEqual({ min: 10, max: 313 });
    expect(estimateRequests(10_000, 256)).toEqual({ min: 40, max: 40 });
    expect(estimateRequests(0)).toEqual({ min: 0, max: 0 });
    expect(estimateRequests(24)).toEqual({ min: 1, max: 1 });
    expect(estimateRequests(100, undefined, 10)).toEqual({ min: 10, max: 10 });
    expect(estimateRequests(100, 50, 10)).toEqual({ min: 10, max: 10 });
    expect(estimateRequests(100, 5, 10)).toEqual({ min: 20, max: 20 });
  });
});
