/** What became of each input of a job. Inputs that are the same have one key, are sent once and fare alike. */
import { vectorKey, type EmbeddingInput } from '../../embedding/items/vector-key.ts';
import type { VectorStore } from '../../storage/vector-store.ts';
import type { ItemFailure, ItemState, JobSetup } from './embedding-job-types.ts';

/** Inputs hashed at once. */
const sliceSize = 500;
const states: readonly ItemState[] = ['waiting', 'known', 'embedded', 'failed'];

export interface JobItems {
  /** What is stored is known from here on; returns the first input of each key that is to be sent. */
  look: (options: { retryFailed: boolean }) => Promise<number[]>;
  /** Marks the input, and those that are the same. */
  mark: (input: number, to: ItemState, failure?: ItemFailure) => void;
  /** What was refused is taken back: it waits again. */
  forgetFailures: () => void;
  counts: () => Record<ItemState, number>;
  state: (input: number) => ItemState;
  failure: (input: number) => ItemFailure | undefined;
  /** Empty until it was looked. */
  keys: () => readonly string[];
  /** The key of a vector that is stored; undefined where none of them is. */
  storedKey: () => string | undefined;
}

export function createJobItems(
  setup: JobSetup,
  inputs: readonly EmbeddingInput[],
  vectors: VectorStore,
): JobItems {
  const codes = new Uint8Array(inputs.length);
  const failures = new Map<number, ItemFailure>();
  let keys: readonly string[] = [];
  let sameAs = new Map<string, number[]>();
  let storedKey: string | undefined;

  function mark(input: number, to: ItemState, failure?: ItemFailure): void {
    for (const same of sameAs.get(keys[input] ?? '') ?? []) {
      codes[same] = states.indexOf(to);
      if (failure) failures.set(same, failure);
      else failures.delete(same);
    }
  }

  async function look({ retryFailed }: { retryFailed: boolean }): Promise<number[]> {
    if (keys.length === 0) keys = await keysOf(setup, inputs);
    sameAs = new Map();
    for (const [input, key] of keys.entries()) {
      const same = sameAs.get(key);
      if (same) same.push(input);
      else sameAs.set(key, [input]);
    }
    const unique = [...sameAs.keys()];
    const missing: number[] = [];
    const stored = await vectors.has(unique);
    for (const [index, key] of unique.entries()) {
      const first = sameAs.get(key)?.[0] ?? 0;
      if (stored[index]) {
        storedKey ??= key;
        if (codes[first] !== states.indexOf('embedded')) mark(first, 'known');
      } else if (!failures.has(first) || retryFailed) {
        // What failed was asked for, and may have been paid for: it is asked for again on demand only.
        missing.push(first);
        mark(first, 'waiting');
      }
    }
    return missing;
  }

  return {
    look,
    mark,
    forgetFailures: () => {
      for (const input of failures.keys()) mark(input, 'waiting');
    },
    counts: () => {
      const counts = { waiting: 0, known: 0, embedded: 0, failed: 0 };
      for (const code of codes) counts[states[code] ?? 'waiting'] += 1;
      return counts;
    },
    state: (input) => states[codes[input] ?? 0] ?? 'waiting',
    failure: (input) => failures.get(input),
    keys: () => keys,
    storedKey: () => storedKey,
  };
}

/** The key of each input. The same input is hashed once, and between slices the page can do other things. */
export async function keysOf(setup: JobSetup, inputs: readonly EmbeddingInput[]): Promise<string[]> {
  const distinct = [...new Set(inputs)];
  const keys = new Map<EmbeddingInput, string>();
  for (let at = 0; at < distinct.length; at += sliceSize) {
    // The digest of a short text is ready at once: without this, all slices would be one task.
    if (at > 0) await new Promise((resolve) => setTimeout(resolve));
    const slice = distinct.slice(at, at + sliceSize);
    const hashed = slice.map(async (input) => keys.set(input, await vectorKey(setup, input)));
    await Promise.all(hashed);
  }
  return inputs.map((input) => keys.get(input) ?? '');
}
