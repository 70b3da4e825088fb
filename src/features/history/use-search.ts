import { useEffect, useState } from 'react';

import type { Session } from '../../conversation/types.ts';
import type { Found } from '../../state/library-search.ts';
import { usePlayground } from '../../state/react.tsx';

export interface SearchState {
  /** Undefined where nothing is asked for. */
  found: Found | undefined;
  isSearching: boolean;
}

/** Typing faster than this asks only once. */
const restMs = 120;
const nothingAsked: SearchState = { found: undefined, isSearching: false };

/** What the stored sessions hold of the query, as it is found; a new query ends the search for the one before. */
export function useSearch(sessions: readonly Session[] | undefined, query: string): SearchState {
  const { library } = usePlayground();
  const [state, setState] = useState<SearchState>(nothingAsked);

  useEffect(() => {
    if (query.trim() === '' || !sessions) {
      setState(nothingAsked);
      return undefined;
    }
    const controller = new AbortController();
    setState(({ found }) => ({ found, isSearching: true }));
    const timer = setTimeout(() => {
      library
        .search(sessions, query, controller.signal, (found) => {
          if (!controller.signal.aborted) setState({ found, isSearching: true });
        })
        .catch(() => undefined)
        .finally(() => {
          if (!controller.signal.aborted) setState(({ found }) => ({ found, isSearching: false }));
        });
    }, restMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [library, sessions, query]);

  return state;
}
