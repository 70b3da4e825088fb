import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

import type { Snippet } from '../../conversation/files/text-search.ts';
import { useLazyTrials } from '../../state/contexts.tsx';
import type { TrialSummary } from '../../state/trials/trials-store.ts';
import type { TrialId } from '../../trials/trial.ts';

const uncachedOptions = { placeholderData: keepPreviousData, staleTime: 0, gcTime: 0, retry: false } as const;
const noChanges = createStore(() => ({ count: 0 }));

interface HistoryTrials {
  trials: readonly TrialSummary[];
  /** Trials that contain every word of the query; undefined without a query. */
  matches: ReadonlyMap<TrialId, Snippet | undefined> | undefined;
  /** Error that prevented loading. */
  error: Error | null;
  retry: () => void;
}

/** Returns the trials in this browser; reloads them whenever one may have changed. */
export function useHistoryTrials(query: string): HistoryTrials {
  const lazyTrials = useLazyTrials();
  const openQuery = useQuery({
    queryKey: ['trials store'],
    queryFn: () => lazyTrials.load(),
    ...uncachedOptions,
  });
  const changes = useStore(openQuery.data?.changes ?? noChanges, ({ count }) => count);
  const listQuery = useQuery({
    queryKey: ['trials of the history', changes, openQuery.data !== undefined],
    queryFn: async () => (await openQuery.data?.list()) ?? [],
    ...uncachedOptions,
  });
  const terms = query.trim();
  const searchQuery = useQuery({
    queryKey: ['trials found in the history', terms, changes, openQuery.data !== undefined],
    queryFn: async ({ signal }) =>
      (await openQuery.data?.search(terms, signal)) ?? new Map<TrialId, undefined>(),
    enabled: terms !== '',
    ...uncachedOptions,
  });
  return {
    trials: listQuery.data ?? [],
    matches: terms === '' ? undefined : (searchQuery.data ?? new Map()),
    error: openQuery.error ?? listQuery.error,
    retry: () => void (openQuery.error ? openQuery.refetch() : listQuery.refetch()),
  };
}
