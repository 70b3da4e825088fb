import { keepPreviousData, useQuery } from '@tanstack/react-query';
/** Hooks that list and search what History shows: sessions, trials and embedded sets. */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

import type { Snippet } from '../../conversation/files/text-search.ts';
import type { Session } from '../../conversation/session/types.ts';
import {
  useLibraryServices,
  useLazyTrials,
  useLazyLab,
  useAppServices,
  useSessionServices,
} from '../../state/contexts.tsx';
import { openSavedSets, type SavedSet } from '../../state/lab/saved-sets.ts';
import type { SearchResults } from '../../state/sessions/library-search.ts';
import type { TrialSummary } from '../../state/trials/trials-store.ts';
import type { TrialId } from '../../trials/trial.ts';

const uncachedOptions = { placeholderData: keepPreviousData, staleTime: 0, gcTime: 0, retry: false } as const;
const noChanges = createStore(() => ({ count: 0 }));

export interface SearchState {
  /** Matches; undefined without a query. */
  results: SearchResults | undefined;
  isSearching: boolean;
}

/** Delay after the last keystroke before a search, in ms. */
const debounceMs = 120;
const idleSearch: SearchState = { results: undefined, isSearching: false };

/** Searches the stored sessions and returns matches as they are found; a new query cancels the previous search. */
export function useSearch(sessions: readonly Session[] | undefined, query: string): SearchState {
  const { library } = useLibraryServices();
  const [latest, setLatest] = useState<SearchState & { query: string }>({ ...idleSearch, query: '' });
  const hasQuery = query.trim() !== '';

  useEffect(() => {
    if (!hasQuery || !sessions) return undefined;
    const controller = new AbortController();
    const updateSearch = (change: Partial<SearchState>) => {
      if (!controller.signal.aborted) setLatest((previous) => ({ ...previous, ...change, query }));
    };
    const timer = setTimeout(() => {
      library
        .search(sessions, query, controller.signal, (results) => updateSearch({ results, isSearching: true }))
        .catch(() => undefined)
        .finally(() => updateSearch({ isSearching: false }));
    }, debounceMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [library, sessions, query, hasQuery]);

  if (!hasQuery) return idleSearch;
  // Keep the previous matches in view until the new query has some.
  return { results: latest.results, isSearching: latest.isSearching || latest.query !== query };
}

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
