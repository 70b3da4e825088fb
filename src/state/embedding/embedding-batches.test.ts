import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createBatches, requestsFor } from './embedding-batches.ts';

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);
const short = { lengthOf: () => 10 };

/** Sends all against a server; returns the sizes of the requests, what arrived and what was refused alone. */
function send(count: number, server: { most: number; bad?: ReadonlySet<number> }, knownCeiling?: number) {
  const batches = createBatches(upTo(count), knownCeiling === undefined ? short : { ...short, knownCeiling });
  const sizes: number[] = [];
  const arrived: number[] = [];
  const blamed: number[] = [];
  for (let batch = batches.next(); batch; batch = batches.next()) {
    sizes.push(batch.items.length);
    if (batch.items.length > server.most || batch.items.some((item) => server.bad?.has(item))) {
      const item = batches.refused(batch);
      if (item !== undefined) blamed.push(item);
    } else {
      arrived.push(...batch.items);
      batches.succeeded(batch);
    }
  }
  return { sizes, arrived, blamed, ceiling: batches.ceiling() };
}

describe('batches', () => {
  it('double while the server takes them', () => {
    expect(send(500, { most: 2048 }).sizes).toEqual([32, 64, 128, 256, 20]);
  });

  it('stay at what it takes, once it has refused more', () => {
    const { sizes, arrived } = send(400, { most: 70 });
    expect(sizes).toEqual([32, 64, 128, 64, 64, 64, 64, 48]);
    expect(arrived).toEqual(upTo(400));
  });

  it('begin with what is known of the server', () => {
    expect(send(40, { most: 10 }, 10).sizes).toEqual([10, 10, 10, 10]);
  });

  it('find the one bad text, lose no other, and go on as large as before', () => {
    const { sizes, arrived, blamed, ceiling } = send(200, { most: 2048, bad: new Set([37]) });
    expect(blamed).toEqual([37]);
    expect(arrived.toSorted((one, other) => one - other)).toEqual(upTo(200).filter((item) => item !== 37));
    expect(sizes.at(-1)).toBeGreaterThan(32);
    expect(ceiling).toBeUndefined();
  });

  it('are small where texts are long', () => {
    const batches = createBatches(upTo(4), { lengthOf: () => 250_000 });
    expect(batches.next()?.items).toEqual([0]);
  });

  it('come again where they were not sent', () => {
    const batches = createBatches(upTo(40), short);
    const batch = batches.next();
    if (!batch) throw new Error('none');
    batches.giveBack(batch);
    expect(batches.left()).toBe(40);
    expect(batches.next()).toBe(batch);
  });

  it('tell how many requests are likely, those under way and those given back among them', () => {
    const batches = createBatches(upTo(100), short);
    expect(batches.likelyRequests()).toBe(3);
    const batch = batches.next();
    if (!batch) throw new Error('none');
    expect(batches.likelyRequests()).toBe(3);
    batches.giveBack(batch);
    expect(batches.likelyRequests()).toBe(3);
    batches.succeeded(batches.next() ?? batch);
    expect(batches.likelyRequests()).toBe(2);
  });

  it('that were answered, refused or given back are no longer under way', () => {
    const batches = createBatches(upTo(4), { ...short, knownCeiling: 2 });
    const [one, other] = [batches.next(), batches.next()];
    if (!one || !other) throw new Error('none');
    expect([batches.likelyRequests(), batches.left()]).toEqual([2, 0]);
    batches.succeeded(one);
    expect(batches.likelyRequests()).toBe(1);
    // Its halves take its place.
    batches.refused(other);
    expect([batches.likelyRequests(), batches.left()]).toEqual([2, 2]);
    for (let half = batches.next(); half; half = batches.next()) batches.refused(half);
    expect([batches.likelyRequests(), batches.left()]).toEqual([0, 0]);
  });

  it('hold as many characters as a request may have, and one text that is longer alone', () => {
    const lengths = [500_000, 200_000, 200_000, 1];
    const batches = createBatches(upTo(4), { lengthOf: (item) => lengths[item] ?? 0 });
    expect(
      [batches.next(), batches.next(), batches.next(), batches.next()].map((batch) => batch?.items),
    ).toEqual([[0], [1, 2], [3], undefined]);
  });

  it('never grow beyond what fits into one answer, nor beyond the largest that any server takes', () => {
    const first = { ...short, mostItems: 50 };
    const batches = createBatches(upTo(200), first);
    const sizes: number[] = [];
    for (let batch = batches.next(); batch; batch = batches.next()) {
      sizes.push(batch.items.length);
      batches.succeeded(batch);
    }
    expect(sizes).toEqual([32, 50, 50, 50, 18]);
    // That says nothing about the server.
    expect(batches.ceiling()).toBeUndefined();
    expect(createBatches(upTo(9), { ...short, mostItems: 0 }).next()?.items).toEqual([0]);
    expect(send(5000, { most: 5000 }).sizes).toEqual([32, 64, 128, 256, 512, 1024, 2048, 936]);
  });

  it('reach every good text once and blame every bad one, whatever server', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 300 }),
        fc.integer({ min: 1, max: 300 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 299 }), { maxLength: 6 }),
        (count, most, badItems) => {
          const bad = new Set(badItems.filter((item) => item < count));
          const { arrived, blamed } = send(count, { most, bad });
          expect([...arrived, ...blamed].toSorted((one, other) => one - other)).toEqual(upTo(count));
          expect(new Set(blamed)).toEqual(bad);
        },
      ),
    );
  });

  it('tell their number before anything is sent', () => {
    expect(requestsFor(10_000)).toEqual({ least: 10, most: 313 });
    expect(requestsFor(10_000, 256)).toEqual({ least: 40, most: 40 });
    expect(requestsFor(0)).toEqual({ least: 0, most: 0 });
    expect(requestsFor(24)).toEqual({ least: 1, most: 1 });
    expect(requestsFor(100, undefined, 10)).toEqual({ least: 10, most: 10 });
    expect(requestsFor(100, 50, 10)).toEqual({ least: 10, most: 10 });
    expect(requestsFor(100, 5, 10)).toEqual({ least: 20, most: 20 });
  });
});
