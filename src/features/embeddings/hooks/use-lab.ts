import { createContext, use } from 'react';
import { useStore } from 'zustand';

import type { VectorEngine } from '../../../embedding/engine/engine.ts';
import type { LabState, LabStore, Slot } from '../lab/lab-store.ts';

/** The lab as its views know it; it outlives the screen. */
export interface Lab {
  store: LabStore;
  /** Holds the matrix of each set of `store` under the name of its slot, all rows appended before the set is in the store. */
  engine: VectorEngine;
  /**
   * The vector of a query in the model and size of a set, normalised or not as received: from the store of vectors
   * where it was embedded before, else one request through the shared queue (this spends). Rejects with an Error
   * whose message is for people, or with the signal's reason.
   */
  embedQuery: (slot: Slot, input: string, signal: AbortSignal) => Promise<Float32Array>;
  /** The same without a request: undefined where it has not been embedded yet. */
  knownQuery: (slot: Slot, input: string) => Promise<Float32Array | undefined>;
}

export const LabContext = createContext<Lab | undefined>(undefined);

/** The lab; throws outside its provider. */
export function useLab(): Lab {
  const lab = use(LabContext);
  if (!lab) throw new Error('A part of the embeddings lab is outside its provider');
  return lab;
}

/** A part of the lab's state; the selector's answer is compared by identity. */
export function useLabState<T>(selector: (state: LabState) => T): T {
  return useStore(useLab().store, selector);
}
