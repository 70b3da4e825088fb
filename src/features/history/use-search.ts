import { useEffect, useState } from 'react';

import type { Session } from '../../conversation/session/types.ts';
import type { SearchResults } from '../../state/sessions/library-search.ts';
import { usePlayground } from '../../state/use-playground.tsx';

export interface SearchState {
  /** Undefined where nothing is asked for. */
  found: SearchResults | undefined;
  isSearching: boolean;
}

/** Typing faster than this asks only once. */
const restMs = 120;
const nothingAsked: SearchState = { found: undefined, isSearching: false };

/** What the stored sessions hold of the query, as it is found; a new query ends the search for the one before. */
export function useSearch(sessions: readonly Session[] | undefined, query: string): SearchState {
  const { library } = usePlayground();
  const [latest, setLatest] = useState<SearchState & { query: string }>({ ...nothingAsked, query: '' });
  const isAsked = query.trim() !== '';

  useEffect(() => {
    if (!isAsked || !sessions) return undefined;
    const controller = new AbortController();
    const tell = (change: Partial<SearchState>) => {
      if (!controller.signal.aborted) setLatest((known) => ({ ...known, ...change, query }));
    };
    const timer = setTimeout(() => {
      library
        .search(sessions, query, controller.signal, (found) => tell({ found, isSearching: true }))
        .catch(() => undefined)
        .finally(() => tell({ isSearching: false }));
    }, restMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [library, sessions, query, isAsked]);

  if (!isAsked) return nothingAsked;
  // Until the new query has found something, what the one before found stays in view.
  return { found: latest.found, isSearching: latest.isSearching || latest.query !== query };
}
