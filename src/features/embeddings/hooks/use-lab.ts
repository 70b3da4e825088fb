import { useStore } from 'zustand';

import type { ModelChoice } from '../../../conversation/session/types.ts';
import { useAppServices, useLazyLab } from '../../../state/contexts.tsx';
import type { EmbeddingJob, JobState } from '../../../state/embedding/embedding-job-types.ts';
import type { LabState } from '../../../state/lab/lab-state.ts';
import type { Lab } from '../../../state/lab/lab.ts';
import { useGatewayStatuses } from '../../health/use-status.ts';

/** Returns the lab of this playground. Throws if its screen has not opened it. */
export function useLab(): Lab {
  const lab = useLazyLab().getLab();
  if (!lab) throw new Error('The embeddings lab is not open.');
  return lab;
}

/** Returns a part of the lab's state; the selector's result is compared by identity. */
export function useLabState<T>(selector: (state: LabState) => T): T {
  return useStore(useLab().state, selector);
}

/** Returns a function that formats a model, with its gateway if the server has several: `demo/embedding-8B (Demo)`. */
export function useFormatModel(): (choice: ModelChoice) => string {
  const { gateways } = useAppServices();
  const hasSeveralGateways = useGatewayStatuses().length > 1;
  return ({ model, gateway }) =>
    hasSeveralGateways ? `${model} (${gateways.getStatus(gateway)?.label ?? gateway})` : model;
}

/** Returns a part of a job's state. */
export function useJobState<T>(job: EmbeddingJob, selector: (state: JobState) => T): T {
  return useStore(job.state, selector);
}
