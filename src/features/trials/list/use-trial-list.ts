import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useStore } from 'zustand';

import type { RichText } from '../../../trials/describe-verdict.ts';
import type { TrialId } from '../../../trials/trial.ts';
import { useTrials } from '../use-trial.ts';

const freshQueryOptions = {
  placeholderData: keepPreviousData,
  staleTime: 0,
  gcTime: 0,
  retry: false,
} as const;

/** Returns the stored trials, newest first; reloads them whenever one may have changed. */
export function useTrialList() {
  const trials = useTrials();
  const changes = useStore(trials.changes, ({ count }) => count);
  return useQuery({ queryKey: ['trials', changes], queryFn: () => trials.list(), ...freshQueryOptions });
}

/** Returns the first line of a trial's verdict once it is computed. */
export function useVerdictSentence(id: TrialId, updatedAt: number): RichText | undefined {
  const trials = useTrials();
  const { data } = useQuery({
    queryKey: ['trial sentence', id, updatedAt],
    queryFn: async () => ({ sentence: await trials.getVerdictSentence(id) }),
    ...freshQueryOptions,
  });
  return data?.sentence;
}

/** Returns the trials that contain every word of the query; `undefined` without a query. */
export function useTrialSearch(query: string): ReadonlySet<TrialId> | undefined {
  const trials = useTrials();
  const changes = useStore(trials.changes, ({ count }) => count);
  const trimmedQuery = query.trim();
  const { data } = useQuery({
    queryKey: ['found trials', trimmedQuery, changes],
    queryFn: async ({ signal }) => new Set((await trials.search(trimmedQuery, signal)).keys()),
    enabled: trimmedQuery !== '',
    ...freshQueryOptions,
  });
  return trimmedQuery === '' ? undefined : data;
}
