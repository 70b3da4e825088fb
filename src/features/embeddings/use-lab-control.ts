import { createContext, use } from 'react';
import { useStore } from 'zustand';

import type { EmbeddingJob, JobState } from '../../state/embedding-job-types.ts';
import type { LabControl } from './lab-control.ts';
import type { ControlState } from './lab-core.ts';

export const LabControlContext = createContext<LabControl | undefined>(undefined);

/** What edits and embeds; throws outside its provider. */
export function useLabControl(): LabControl {
  const control = use(LabControlContext);
  if (!control) throw new Error('A part of the embeddings screen stands outside its provider');
  return control;
}

/** A part of what is edited and under way; the selector's answer is compared by identity. */
export function useControlState<T>(selector: (state: ControlState) => T): T {
  return useStore(useLabControl().state, selector);
}

/** A part of a job's state. */
export function useJobState<T>(job: EmbeddingJob, selector: (state: JobState) => T): T {
  return useStore(job.state, selector);
}
