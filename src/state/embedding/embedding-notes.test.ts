import { expect, it } from 'vitest';

import { createMemoryVectorStore } from '../../storage/vector-store.ts';
import { createRunQueue } from '../runs/run-queue.ts';
import { saveCeiling, saveSentTimes, readCeiling, restoreSentTimes } from './embedding-notes.ts';

const createTestQueue = () => createRunQueue({ now: () => 10_000, getLimit: () => 10 });

it('remembers the batch limit per model and gateway and removes it if nothing was rejected', async () => {
  const vectors = createMemoryVectorStore();
  expect(await readCeiling(vectors, { model: 'one' })).toBeUndefined();
  await saveCeiling(vectors, { model: 'one' }, 16);
  expect([
    await readCeiling(vectors, { model: 'one' }),
    await readCeiling(vectors, { model: 'other' }),
  ]).toEqual([16, undefined]);
  expect(await readCeiling(vectors, { model: 'one', gateway: 'second' })).toBeUndefined();
  await saveCeiling(vectors, { model: 'one' }, undefined);
  expect(await vectors.readNote('batch one'), 'the note is removed').toBeUndefined();
});

it('ignores malformed notes', async () => {
  const vectors = createMemoryVectorStore();
  const putAndReadCeiling = async (note: object) => {
    await vectors.putNote('batch m', note);
    return readCeiling(vectors, { model: 'm' });
  };
  expect([
    await putAndReadCeiling({ ceiling: 0 }),
    await putAndReadCeiling({ ceiling: 'ten' }),
    await putAndReadCeiling([16]),
  ]).toEqual([undefined, undefined, undefined]);
  expect([await putAndReadCeiling({ ceiling: 1 }), await putAndReadCeiling({ ceiling: 2.9 })]).toEqual([
    1, 2,
  ]);
});

it('restores the send times of a gateway in the last minute after a reload', async () => {
  const vectors = createMemoryVectorStore();
  const queue = createTestQueue();
  queue.recordSent([9_000, 9_500]);
  await saveSentTimes(queue, vectors);
  const reloaded = createTestQueue();
  await restoreSentTimes(reloaded, vectors);
  expect(reloaded.state.getState().sentAt).toEqual([9_000, 9_500]);
  const secondQueue = createTestQueue();
  await restoreSentTimes(secondQueue, vectors, 'second');
  expect(secondQueue.state.getState().sentAt).toEqual([]);
  await vectors.putNote('minute', { sentAt: [9_000, 'then'] });
  const odd = createTestQueue();
  await restoreSentTimes(odd, vectors);
  expect(odd.state.getState().sentAt).toEqual([9_000]);
  const fresh = createTestQueue();
  await restoreSentTimes(fresh, createMemoryVectorStore());
  expect(fresh.state.getState().sentAt).toEqual([]);
});
