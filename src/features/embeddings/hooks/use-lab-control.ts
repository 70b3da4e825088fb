import { createContext, use } from 'react';
import { useStore } from 'zustand';

import { wordsOf } from '../../../lib/error-words.ts';
import type { EmbeddingJob, JobState } from '../../../state/embedding/embedding-job-types.ts';
import type { LabControl } from '../lab/lab-control.ts';
import type { ControlState } from '../lab/lab-core.ts';

export const LabControlContext = createContext<LabControl | undefined>(undefined);

/** What edits and embeds; throws outside its provider. */
export function useLabControl(): LabControl {
  const control = use(LabControlContext);
  if (!control) throw new Error('A part of the embeddings screen is outside its provider');
  return control;
}

/** A part of what is edited and under way; the selector's answer is compared by identity. */
export function useControlState<T>(selector: (state: ControlState) => T): T {
  return useStore(useLabControl().state, selector);
}

/** Takes what was begun and may fail: then the lab says why. */
export function useTellProblem(): (act: Promise<unknown>) => void {
  const { state } = useLabControl();
  return (act) => void act.catch((error: unknown) => state.setState({ problem: wordsOf(error) }));
}

/** A part of a job's state. */
export function useJobState<T>(job: EmbeddingJob, selector: (state: JobState) => T): T {
  return useStore(job.state, selector);
}
