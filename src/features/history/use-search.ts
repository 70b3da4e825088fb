import { useEffect, useState } from 'react';

import type { Session } from '../../conversation/session/types.ts';
import { useLibraryServices } from '../../state/contexts.tsx';
import type { SearchResults } from '../../state/sessions/library-search.ts';

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
