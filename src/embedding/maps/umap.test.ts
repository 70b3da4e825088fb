import { expect, test } from 'vitest';

import type { UmapFrame } from '../engine/engine.ts';
import { computeLayout } from './umap.ts';

test('delivers a frame in every epoch even if all pauses fall into the middle of an epoch', async () => {
  const count = 1_000;
  const edgeCount = 30_000;
  const createEnds = (step: number) =>
    Int32Array.from({ length: edgeCount }, (_, edge) => (edge * step + 7) % count);
  const graph = { heads: createEnds(1), tails: createEnds(31), weights: new Float32Array(edgeCount).fill(1) };
  const start = Float32Array.from({ length: 2 * count }, (_, index) => Math.sin(index));
  const frames: UmapFrame[] = [];
  await computeLayout(
    graph,
    start,
    { neighbours: 15, minDistance: 0.1, seed: 1, epochs: 5 },
    { yieldIfDue: (fraction) => (Number.isInteger(fraction * 5) ? undefined : Promise.resolve()) },
    (frame) => frames.push(frame),
  );
  expect(frames.map(({ epoch }) => epoch)).toEqual([1, 2, 3, 4, 5]);
});
