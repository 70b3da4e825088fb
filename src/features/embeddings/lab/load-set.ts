import type { VectorEngine } from '../../../embedding/engine/engine.ts';
import type { VectorStore } from '../../../storage/vector-store.ts';
import type { Slot } from './lab-store.ts';

export interface LoadedRows {
  dimensions: number;
  /** The place of each row's text, ascending. */
  rows: number[];
  /** By row: the length of the vector as received. */
  norms: Float32Array;
  /** Texts whose stored vector has another length than most: not in the matrix. */
  uneven: number[];
}

/** Vectors read and handed over at once: about 4 MB at 4,096 dimensions. */
const sliceSize = 256;

/** Fills the engine's set of this slot with the stored vectors; undefined where none is stored. Rejects as the engine does. */
export async function loadSet(
  slot: Slot,
  keys: readonly string[],
  vectors: VectorStore,
  engine: VectorEngine,
): Promise<LoadedRows | undefined> {
  const dimensions = await commonLength(keys, vectors);
  if (dimensions === undefined) {
    await engine.drop(slot);
    return undefined;
  }
  await engine.create(slot, dimensions);
  const rows: number[] = [];
  const uneven: number[] = [];
  const norms: number[] = [];
  for (let at = 0; at < keys.length; at += sliceSize) {
    const slice = await vectors.get(keys.slice(at, at + sliceSize));
    const usable = slice.flatMap((stored, index) => {
      if (!stored) return [];
      if (stored.vector.length === dimensions) return [{ text: at + index, vector: stored.vector }];
      uneven.push(at + index);
      return [];
    });
    if (usable.length === 0) continue;
    const matrix = new Float32Array(usable.length * dimensions);
    for (const [index, { text, vector }] of usable.entries()) {
      matrix.set(vector, index * dimensions);
      rows.push(text);
    }
    norms.push(...(await engine.append(slot, matrix)).norms);
  }
  return { dimensions, rows, norms: Float32Array.from(norms), uneven };
}

/** Of the first ones that are stored: what most of them have. */
async function commonLength(keys: readonly string[], vectors: VectorStore): Promise<number | undefined> {
  for (let at = 0; at < keys.length; at += sliceSize) {
    const counts = new Map<number, number>();
    for (const stored of await vectors.get(keys.slice(at, at + sliceSize))) {
      if (stored) counts.set(stored.vector.length, (counts.get(stored.vector.length) ?? 0) + 1);
    }
    const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
    if (most) return most[0];
  }
  return undefined;
}
