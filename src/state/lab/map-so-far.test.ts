import { expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';

import { createLocalEngine } from '../../embedding/engine/local-engine.ts';
import { memoryVectorStore } from '../../storage/vector-store.ts';
import { until } from '../../testing/until.ts';
import type { EmbeddingJob, ItemState, JobState } from '../embedding/embedding-job-types.ts';
import type { MapSoFar } from './lab-state.ts';
import { watchSoFar } from './map-so-far.ts';

it('a map of what has come is made of three texts or more, grows with the job, holds no text that failed or has another size, and leaves nothing in the engine', async () => {
  const vectors = memoryVectorStore();
  const engine = createLocalEngine({ now: () => 0, pause: () => Promise.resolve() });
  const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
  await vectors.put(
    keys.map((key, at) => ({
      key,
      vector: Float32Array.of(Math.sin(at), Math.cos(at), ...(key === 'e' ? [] : [at])),
    })),
  );
  const states: ItemState[] = keys.map(() => 'waiting');
  const state = createStore<JobState>(() => ({
    phase: { name: 'running' },
    counts: { waiting: 6, known: 0, embedded: 0, failed: 0 },
    requests: 0,
    likelyRequests: 1,
    tookMs: 0,
    batchSize: 32,
    length: 3,
    findings: [],
    exchanges: [],
  }));
  let looks = 0;
  const job: EmbeddingJob = {
    setup: { model: 'some', format: 'float' },
    inputs: keys,
    state,
    run: () => Promise.resolve(),
    pause: () => Promise.resolve(),
    itemState: (input) => {
      looks += 1;
      return states[input] ?? 'waiting';
    },
    failure: () => undefined,
    keys: () => keys,
  };
  const come = (upTo: number) => {
    for (let at = 0; at < upTo; at += 1) states[at] = at === 1 ? 'failed' : 'embedded';
    state.setState({ counts: { waiting: 6 - upTo, known: 0, embedded: upTo - 1, failed: 1 } });
  };
  const maps: MapSoFar[] = [];
  const watch = watchSoFar(job, { vectors, engine }, (map) => maps.push(map), 1);
  /** So often was looked for more that all is on the map which can be. */
  const looked = async () => {
    const before = looks;
    await until(() => looks > before + 10);
  };
  come(3);
  await looked();
  expect(maps).toEqual([]);
  come(4);
  await until(() => maps.length === 1);
  await looked();
  expect(maps).toHaveLength(1);
  come(6);
  await until(() => maps.length === 2);
  await watch.end();
  expect(maps.map(({ texts, there }) => [texts, there])).toEqual([
    [[0, 2, 3], 3],
    [[0, 2, 3, 5], 5],
  ]);
  expect(maps[1]?.points).toHaveLength(8);
  await expect(engine.search({ set: 'so far' }, { row: 0 }, 1)).rejects.toThrow('not loaded');
});
