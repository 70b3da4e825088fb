import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

import { useLazyLab, useLibraryServices, useAppServices, useSessionServices } from '../../state/contexts.tsx';
import { openSavedSets, type SavedSet } from '../../state/lab/saved-sets.ts';

const uncachedOptions = { placeholderData: keepPreviousData, staleTime: 0, gcTime: 0, retry: false } as const;
const noChanges = createStore(() => ({ count: 0 }));

interface HistorySets {
  sets: readonly SavedSet[];
  /** Sets that contain every word of the query; undefined without a query. */
  matchingIds: ReadonlySet<string> | undefined;
}

/** Returns the embedded sets in this browser; reloads them whenever one may have changed. */
export function useHistorySets(query: string): HistorySets {
  const { actions } = useSessionServices();
  const { page } = useAppServices();
  const { storage } = useLibraryServices();
  const lazyLab = useLazyLab();

  const openQuery = useQuery({
    queryKey: ['embedding sets store'],
    queryFn: () => openSavedSets({ lazyLab, storage, page, actions }),
    ...uncachedOptions,
  });
  const changes = useStore(openQuery.data?.changes ?? noChanges, ({ count }) => count);
  const listQuery = useQuery({
    queryKey: ['embedding sets', changes, openQuery.data !== undefined],
    queryFn: async () => (await openQuery.data?.list()) ?? [],
    ...uncachedOptions,
  });
  const terms = query.trim();
  const searchQuery = useQuery({
    queryKey: ['embedding sets found', terms, changes, openQuery.data !== undefined],
    queryFn: async () => (await openQuery.data?.search(terms)) ?? new Set<string>(),
    enabled: terms !== '',
    ...uncachedOptions,
  });
  return {
    sets: listQuery.data ?? [],
    matchingIds: terms === '' ? undefined : (searchQuery.data ?? new Set()),
  };
}
