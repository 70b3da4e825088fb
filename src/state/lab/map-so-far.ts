/** A map of what a job has so far, made again at most once a second while it runs. */
import type { VectorEngine } from '../../embedding/engine/engine.ts';
import type { VectorStore } from '../../storage/vector-store.ts';
import type { EmbeddingJob } from '../embedding/embedding-job-types.ts';
import type { MapSoFar } from './lab-state.ts';

/** The engine's set for it. */
const setName = 'so far';
const leastTexts = 3;
/** Enough to see how a set lies; more would take the engine longer than the second. */
const mostTexts = 2000;
const sliceSize = 256;

interface Parts {
  vectors: VectorStore;
  engine: VectorEngine;
}

/** Watches a job and tells each map; `end` stops, and resolves when the engine has let go. */
export function watchSoFar(
  job: EmbeddingJob,
  { vectors, engine }: Parts,
  tell: (map: MapSoFar) => void,
  everyMs = 1000,
): { end: () => Promise<void> } {
  const texts: number[] = [];
  let next = 0;
  let dimensions: number | undefined;
  let making: Promise<void> | undefined;
  let isOver = false;
  const timer = setInterval(() => {
    // The job goes on where no map can be made.
    making ??= make()
      .catch(() => undefined)
      .finally(() => (making = undefined));
  }, everyMs);

  async function make(): Promise<void> {
    const before = texts.length;
    const { counts, length } = job.state.getState();
    if (length === undefined) return;
    if (dimensions !== length) {
      await engine.create(setName, length);
      dimensions = length;
      texts.length = 0;
      next = 0;
    }
    for (;;) {
      const found = isOver ? [] : nextTexts(Math.min(sliceSize, mostTexts - texts.length));
      if (found.length === 0) break;
      await add(found, length);
    }
    if (isOver || texts.length < leastTexts || texts.length === before) return;
    const { points } = await engine.pca({ set: setName });
    const there = counts.known + counts.embedded;
    if (!isOver) tell({ texts: [...texts], points, there });
  }

  /** Texts that have a vector and are not on the map, in their order, as far as the job has come. */
  function nextTexts(most: number): number[] {
    const found: number[] = [];
    for (; next < job.inputs.length && found.length < most; next += 1) {
      const state = job.itemState(next);
      if (state === 'waiting') break;
      if (state !== 'failed') found.push(next);
    }
    return found;
  }

  async function add(found: readonly number[], length: number): Promise<void> {
    const keys = job.keys();
    const stored = await vectors.get(found.map((text) => keys[text] ?? ''));
    const usable = stored.flatMap((one, at) =>
      one?.vector.length === length ? [{ text: found[at] ?? 0, vector: one.vector }] : [],
    );
    const matrix = new Float32Array(usable.length * length);
    for (const [at, { vector }] of usable.entries()) matrix.set(vector, at * length);
    await engine.append(setName, matrix);
    texts.push(...usable.map(({ text }) => text));
  }

  return {
    end: async () => {
      isOver = true;
      clearInterval(timer);
      await making;
      if (dimensions !== undefined) await engine.drop(setName);
    },
  };
}
