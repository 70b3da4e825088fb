import { useEffect, useState } from 'react';

import type { Session } from '../../conversation/session/types.ts';
import type { SearchResults } from '../../state/sessions/library-search.ts';
import { usePlayground } from '../../state/use-playground.tsx';

export interface SearchState {
  /** Undefined where nothing is asked for. */
  results: SearchResults | undefined;
  isSearching: boolean;
}

/** Typing faster than this asks only once. */
const debounceMs = 120;
const idleSearch: SearchState = { results: undefined, isSearching: false };

/** What the stored sessions hold of the query, as it is found; a new query ends the search for the one before. */
export function useSearch(sessions: readonly Session[] | undefined, query: string): SearchState {
  const { library } = usePlayground();
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
  // Until the new query has found something, what the one before found stays in view.
  return { results: latest.results, isSearching: latest.isSearching || latest.query !== query };
}
