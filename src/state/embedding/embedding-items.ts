/** State of each input of a job. Equal inputs share one key, are sent once and have the same result. */
import { chunk, delay } from 'es-toolkit';

import { computeVectorKey, type EmbeddingInput } from '../../embedding/items/vector-key.ts';
import type { VectorStore } from '../../storage/vector-store.ts';
import type { ItemFailure, ItemState, JobSetup } from './embedding-job-types.ts';

/** Number of inputs hashed per slice. */
const sliceSize = 500;
const itemStates: readonly ItemState[] = ['waiting', 'known', 'embedded', 'failed'];

export interface JobItems {
  /** Marks stored inputs as known. Returns the first input of each key that has to be sent. */
  findInputsToSend: (options: { retryFailed: boolean }) => Promise<number[]>;
  /** Sets the state of the input and of all equal ones. */
  setItemState: (input: number, newState: ItemState, failure?: ItemFailure) => void;
  /** Resets failed inputs to `waiting`. */
  resetFailures: () => void;
  getCounts: () => Record<ItemState, number>;
  getItemState: (input: number) => ItemState;
  getFailure: (input: number) => ItemFailure | undefined;
  /** Returns the keys of all inputs; empty until the first lookup. */
  getKeys: () => readonly string[];
  /** Returns the key of a stored vector; undefined if none is stored. */
  getStoredKey: () => string | undefined;
}

export function createJobItems(
  setup: JobSetup,
  inputs: readonly EmbeddingInput[],
  vectors: VectorStore,
): JobItems {
  const stateCodes = new Uint8Array(inputs.length);
  const failures = new Map<number, ItemFailure>();
  let keys: readonly string[] = [];
  let inputsByKey = new Map<string, number[]>();
  let storedKey: string | undefined;

  function setItemState(input: number, newState: ItemState, failure?: ItemFailure): void {
    for (const duplicate of inputsByKey.get(keys[input] ?? '') ?? []) {
      stateCodes[duplicate] = itemStates.indexOf(newState);
      if (failure) failures.set(duplicate, failure);
      else failures.delete(duplicate);
    }
  }

  async function findInputsToSend({ retryFailed }: { retryFailed: boolean }): Promise<number[]> {
    if (keys.length === 0) keys = await computeKeys(setup, inputs);
    inputsByKey = new Map();
    for (const [input, key] of keys.entries()) {
      const duplicates = inputsByKey.get(key);
      if (duplicates) duplicates.push(input);
      else inputsByKey.set(key, [input]);
    }
    const uniqueKeys = [...inputsByKey.keys()];
    const inputsToSend: number[] = [];
    const stored = await vectors.has(uniqueKeys);
    for (const [index, key] of uniqueKeys.entries()) {
      const first = inputsByKey.get(key)?.[0] ?? 0;
      if (stored[index]) {
        storedKey ??= key;
        if (stateCodes[first] !== itemStates.indexOf('embedded')) setItemState(first, 'known');
      } else if (!failures.has(first) || retryFailed) {
        // Failed inputs may have been billed, so they are retried only on request.
        inputsToSend.push(first);
        setItemState(first, 'waiting');
      }
    }
    return inputsToSend;
  }

  return {
    findInputsToSend,
    setItemState,
    resetFailures: () => {
      for (const input of failures.keys()) setItemState(input, 'waiting');
    },
    getCounts: () => {
      const counts = { waiting: 0, known: 0, embedded: 0, failed: 0 };
      for (const code of stateCodes) counts[itemStates[code] ?? 'waiting'] += 1;
      return counts;
    },
    getItemState: (input) => itemStates[stateCodes[input] ?? 0] ?? 'waiting',
    getFailure: (input) => failures.get(input),
    getKeys: () => keys,
    getStoredKey: () => storedKey,
  };
}

/** Returns the key of each input. Equal inputs are hashed once; slices keep the page responsive. */
export async function computeKeys(setup: JobSetup, inputs: readonly EmbeddingInput[]): Promise<string[]> {
  const uniqueInputs = [...new Set(inputs)];
  const keys = new Map<EmbeddingInput, string>();
  for (const [sliceIndex, slice] of chunk(uniqueInputs, sliceSize).entries()) {
    // Digests of short texts resolve immediately; without this pause, all slices would run as a single task.
    if (sliceIndex > 0) await delay(0);
    const hashed = slice.map(async (input) => keys.set(input, await computeVectorKey(setup, input)));
    await Promise.all(hashed);
  }
  return inputs.map((input) => keys.get(input) ?? '');
}
