/** What the parts of the lab's control share: what is edited, the jobs, and what is loaded for the views. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { VectorEngine } from '../../../embedding/engine/engine.ts';
import type { TextItem, TextReading } from '../../../embedding/items/text-items.ts';
import type { EmbeddingInput } from '../../../embedding/items/vector-key.ts';
import type { EmbeddingJob, JobParts, JobSetup } from '../../../state/embedding/embedding-job-types.ts';
import type { EmbeddingPlan } from '../../../state/embedding/embedding-plan.ts';
import { readInput, type LabInput } from './lab-input.ts';
import { createLabStore, type LabStore, type Slot } from './lab-store.ts';
import type { LoadedRows } from './load-set.ts';

export interface ControlState {
  input: LabInput;
  /** What `input` holds. */
  reading: TextReading;
  jobs: Partial<Record<Slot, EmbeddingJob>>;
  /** The slot whose job is under way. */
  active?: Slot | undefined;
  /** Of all models together; undefined while it is being looked up. */
  plan?: EmbeddingPlan | undefined;
  /** The texts in the field are those that are embedded, with the same models and sizes. */
  isUpToDate: boolean;
  loaded: Partial<Record<Slot, Pick<LoadedRows, 'norms' | 'uneven'> & { tookMs: number }>>;
  /** Something was done otherwise than asked, and is worth a sentence. */
  notice?: string | undefined;
  /** Vectors are there and could not be loaded. */
  problem?: string | undefined;
}

export interface LabCore {
  parts: JobParts;
  engine: VectorEngine;
  store: LabStore;
  state: StoreApi<ControlState>;
  /** The setup behind the loaded set of each slot. */
  setups: Record<Slot, JobSetup | undefined>;
}

export const slots: readonly Slot[] = ['A', 'B'];

export function createLabCore(parts: JobParts, engine: VectorEngine, input: LabInput): LabCore {
  return {
    parts,
    engine,
    store: createLabStore(),
    state: createStore<ControlState>(() => ({
      input,
      reading: readInput(input),
      jobs: {},
      loaded: {},
      isUpToDate: false,
    })),
    setups: { A: undefined, B: undefined },
  };
}

/** What is sent for an item. */
export function inputOf(item: TextItem): EmbeddingInput {
  return item.tokens ?? item.text;
}
