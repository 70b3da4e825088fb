import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

import { openSavedSets, type SavedSet } from '../../state/lab/saved-sets.ts';
import { usePlayground } from '../../state/use-playground.tsx';

const fresh = { placeholderData: keepPreviousData, staleTime: 0, gcTime: 0, retry: false } as const;
const notOpen = createStore(() => ({ count: 0 }));

interface HistorySets {
  sets: readonly SavedSet[];
  /** Those that hold every word of the query; undefined where nothing is asked for. */
  found: ReadonlySet<string> | undefined;
}

/** The sets of texts that were embedded in this browser, read again whenever one of them may have changed. */
export function useHistorySets(query: string): HistorySets {
  const playground = usePlayground();
  const opened = useQuery({
    queryKey: ['door of embedding sets'],
    queryFn: () => openSavedSets(playground),
    ...fresh,
  });
  const changes = useStore(opened.data?.changes ?? notOpen, ({ count }) => count);
  const list = useQuery({
    queryKey: ['embedding sets', changes, opened.data !== undefined],
    queryFn: async () => (await opened.data?.list()) ?? [],
    ...fresh,
  });
  const words = query.trim();
  const found = useQuery({
    queryKey: ['embedding sets found', words, changes, opened.data !== undefined],
    queryFn: async () => (await opened.data?.search(words)) ?? new Set<string>(),
    enabled: words !== '',
    ...fresh,
  });
  return { sets: list.data ?? [], found: words === '' ? undefined : (found.data ?? new Set()) };
}
