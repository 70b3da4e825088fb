/** What became of each input of a job. Inputs that are the same have one key, are sent once and fare alike. */
import { computeVectorKey, type EmbeddingInput } from '../../embedding/items/vector-key.ts';
import type { VectorStore } from '../../storage/vector-store.ts';
import type { ItemFailure, ItemState, JobSetup } from './embedding-job-types.ts';

/** Inputs hashed at once. */
const sliceSize = 500;
const itemStates: readonly ItemState[] = ['waiting', 'known', 'embedded', 'failed'];

export interface JobItems {
  /** What is stored is known from here on; returns the first input of each key that is to be sent. */
  findInputsToSend: (options: { retryFailed: boolean }) => Promise<number[]>;
  /** Marks the input, and those that are the same. */
  setItemState: (input: number, newState: ItemState, failure?: ItemFailure) => void;
  /** What was refused is taken back: it waits again. */
  resetFailures: () => void;
  getCounts: () => Record<ItemState, number>;
  getItemState: (input: number) => ItemState;
  getFailure: (input: number) => ItemFailure | undefined;
  /** Empty until it was looked. */
  getKeys: () => readonly string[];
  /** The key of a vector that is stored; undefined where none of them is. */
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
        // What failed was asked for, and may have been paid for: it is asked for again on demand only.
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

/** The key of each input. The same input is hashed once, and between slices the page can do other things. */
export async function computeKeys(setup: JobSetup, inputs: readonly EmbeddingInput[]): Promise<string[]> {
  const uniqueInputs = [...new Set(inputs)];
  const keys = new Map<EmbeddingInput, string>();
  for (let start = 0; start < uniqueInputs.length; start += sliceSize) {
    // The digest of a short text is ready at once: without this, all slices would be one task.
    if (start > 0) await new Promise((resolve) => setTimeout(resolve));
    const slice = uniqueInputs.slice(start, start + sliceSize);
    const hashed = slice.map(async (input) => keys.set(input, await computeVectorKey(setup, input)));
    await Promise.all(hashed);
  }
  return inputs.map((input) => keys.get(input) ?? '');
}
